// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/model_shape.h"

/// Shapes of public models for the tests of the arithmetic, as in their config.json.
namespace shapes {

ridgepoint::ModelShape tinyLlama();
ridgepoint::ModelShape llama2_7b();
ridgepoint::ModelShape llama31_8b();
ridgepoint::ModelShape llama32_1b();
ridgepoint::ModelShape mistral7b();
ridgepoint::ModelShape qwen25_05b();
ridgepoint::ModelShape qwen25_15b();
ridgepoint::ModelShape qwen25_7b();
ridgepoint::ModelShape qwen3_06b();
ridgepoint::ModelShape qwen3_17b();
ridgepoint::ModelShape gemma3_270m();
ridgepoint::ModelShape gemma3_1b();
ridgepoint::ModelShape smolLm2_135m();

} // namespace shapes
