// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Barriers in shared memory and the copies that report to them, compute capability 9.0. Barriers go by their address in shared
/// memory. Included by .cu files only.
namespace ridgepoint::cuda {

__device__ inline unsigned sharedAddress(const void *at) { return unsigned(__cvta_generic_to_shared(at)); }
__device__ inline void barrierInit(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
/// After the barriers are set up and before anything but this thread sees them; a barrier over the block belongs behind it.
__device__ inline void barriersAreSet() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ inline void barrierArrive(unsigned barrier, int times)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(times) : "memory");
}
__device__ inline void barrierExpect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void barrierWait(unsigned barrier, unsigned parity)
{
    asm volatile("{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(
                     barrier),
                 "r"(parity)
                 : "memory");
}
/// For what is read once a step: it shall not drive out of the L2 cache what kernels and blocks hand to each other.
__device__ inline std::uint64_t readOncePolicy()
{
    std::uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
__device__ inline void bulkCopy(unsigned to, const void *from, unsigned bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from),
                 "r"(bytes), "r"(barrier)
                 : "memory");
}
__device__ inline void bulkCopyOnce(unsigned to, const void *from, unsigned bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(to), "l"(from),
                 "r"(bytes), "r"(barrier), "l"(readOncePolicy())
                 : "memory");
}
__device__ inline void prefetchMap(const void *map) { asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory"); }
/// The box of a tensor map at (column, row).
__device__ inline void boxCopy(unsigned to, const void *map, int column, int row, unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(map),
                 "r"(column), "r"(row), "r"(barrier)
                 : "memory");
}
__device__ inline void boxCopyOnce(unsigned to, const void *map, int column, int row, unsigned barrier, std::uint64_t policy)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(
                     to),
                 "l"(map), "r"(column), "r"(row), "r"(barrier), "l"(policy)
                 : "memory");
}

} // namespace ridgepoint::cuda
