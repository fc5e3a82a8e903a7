// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for x86-64 with AVX2 and FMA.
#define RP_KERNELS_NAME "avx2"
#define RP_KERNELS_FACTORY avx2Kernels
#define RP_VECTOR_BYTES 32
#define RP_SUPPORTED (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#include "core/torch/kernels_impl.h"
