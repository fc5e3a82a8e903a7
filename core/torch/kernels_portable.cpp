// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for any processor: vectors of 16 bytes, which every 64-bit one has.
#define RP_KERNELS_NAME "portable"
#define RP_KERNELS_FACTORY portableKernels
#define RP_VECTOR_BYTES 16
#define RP_SUPPORTED (true)
#include "core/torch/kernels_impl.h"
