// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/threads.h"

#include "core/base/error.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <dlfcn.h>
#include <sched.h>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include <algorithm>
#include <thread>

namespace ridgepoint {

int availableCpus()
{
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return std::max(1, CPU_COUNT(&set));
#endif
    return std::max(1, int(std::thread::hardware_concurrency()));
}

ThreadSetup setThreads(int wanted)
{
    if (wanted < 0 || wanted > 4096)
        throw Error(ErrorKind::Usage,
                    fmt::format("The thread count {} is outside 0..4096; give 0 for all CPUs this process may use.", wanted));
    ThreadSetup setup;
    setup.available = availableCpus();
    setup.threads = wanted > 0 ? wanted : setup.available;
    at::set_num_threads(setup.threads);
#if defined(_OPENMP)
    omp_set_num_threads(setup.threads);
    omp_set_dynamic(0);
    const std::string openMp = fmt::format("OpenMP {}", omp_get_max_threads());
#else
    const std::string openMp = "no OpenMP";
#endif
    // OpenBLAS is reached through libtorch only; it is not ours to link.
    using SetCount = void (*)(int);
    using GetCount = int (*)();
    std::string blas = "no OpenBLAS";
    if (auto set = reinterpret_cast<SetCount>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
        set(setup.threads);
        auto get = reinterpret_cast<GetCount>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
        blas = fmt::format("OpenBLAS {}", get ? get() : setup.threads);
    }
    setup.note = fmt::format("{} thread{} ({}); libtorch {}, {}, {}", setup.threads, setup.threads == 1 ? "" : "s",
                             wanted == 0 ? "all that this process may use"
                                         : fmt::format("as asked, of {} that this process may use", setup.available),
                             at::get_num_threads(), openMp, blas);
    return setup;
}

} // namespace ridgepoint
