// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/model_shape.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Number format of a stored tensor.
enum class StoredType { F32, F16, BF16 };

/// One tensor of a memory-mapped checkpoint. `data` points into the mapping and lives as long as the Checkpoint.
struct StoredTensor {
    std::string name;
    StoredType type = StoredType::F32;
    std::vector<std::int64_t> shape;
    const std::byte *data = nullptr;
    std::size_t bytes = 0;
};

/// A folder with config.json and model.safetensors, or the shards named by model.safetensors.index.json; memory-mapped,
/// nothing is copied.
/// open() checks every header against hostile input (header length beyond the file, offsets that overflow, lie outside
/// the data, overlap or leave holes, byte counts that disagree with shape and type, duplicate names, types other than
/// the three above) and throws Error (Failure) that names the file, the tensor and the remedy.
class Checkpoint {
public:
    static std::shared_ptr<const Checkpoint> open(const std::filesystem::path &folder);
    virtual ~Checkpoint() = default;

    virtual const ModelShape &shape() const = 0;
    virtual const std::filesystem::path &folder() const = 0;
    virtual std::vector<std::string> names() const = 0;
    virtual bool has(std::string_view name) const = 0;
    /// Throws Error (Failure) when the tensor is missing or its shape is not `shape`: both shapes are named.
    virtual StoredTensor tensor(std::string_view name, const std::vector<std::int64_t> &shape) const = 0;
    virtual double totalBytes() const = 0;
};

} // namespace ridgepoint
