// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cuda/decode_kernels.h"

/// The attention of AttendArgs for compute capability 9.0 and newer with many sequences: as many blocks as the card holds at a time go
/// through contexts one after the other, while a thread of each copies keys and values ahead into a ring in shared memory, those of the
/// next context behind those of this one. So memory does not rest while a block begins or ends.
namespace ridgepoint::cuda {

/// Whether attend() shall take it: a raw product, fp16 or bf16, heads of 64 or 128, `overlap` (which says that the card is 9.0 or newer),
/// and contexts enough to be worth it.
bool attendStreamSupports(DType dtype, const AttendArgs &args);
/// Returns the status of the launch; cudaErrorInvalidValue for what attendStreamSupports() does not accept.
cudaError_t attendStream(DType dtype, const AttendArgs &args, cudaStream_t stream);

} // namespace ridgepoint::cuda
