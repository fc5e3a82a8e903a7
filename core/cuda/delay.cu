// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/delay.h"

namespace ridgepoint::cuda {

namespace {

__global__ void waitKernel(unsigned long long nanoseconds)
{
    unsigned long long from = 0, now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(from));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - from < nanoseconds);
}

} // namespace

cudaError_t delay(double seconds, cudaStream_t stream)
{
    if (!(seconds > 0))
        return cudaSuccess;
    waitKernel<<<1, 1, 0, stream>>>(static_cast<unsigned long long>((seconds < 1 ? seconds : 1) * 1e9));
    return cudaGetLastError();
}

} // namespace ridgepoint::cuda
