// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ridgepoint {

/// How many CPU threads a run uses and how that came about.
struct ThreadSetup {
    int threads = 1;   ///< in use from now on
    int available = 1; ///< CPUs that this process may run on
    std::string note;  ///< for the record: "2 threads (all that this process may use); libtorch 2, OpenMP 2, OpenBLAS 2"
};

/// CPUs that this process may run on (its affinity mask), at least 1.
int availableCpus();

/// Sets the threads of libtorch, of OpenMP and of OpenBLAS, which keep counts of their own: Debian's libtorch starts with
/// one, and its fp32 products follow OpenBLAS's. `wanted` 0: all that this process may use. Throws Error (Usage) for a
/// negative count or one over 4096.
ThreadSetup setThreads(int wanted);

} // namespace ridgepoint
