// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for x86-64 with AVX-512 F, BW, VL and DQ.
#define RP_KERNELS_NAME "avx512"
#define RP_KERNELS_FACTORY avx512Kernels
#define RP_VECTOR_BYTES 64
#define RP_SUPPORTED (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&                                    \
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
#include "core/torch/kernels_impl.h"
