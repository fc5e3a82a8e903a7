// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/catalog/json_fields.h"
#include "core/catalog/model_config.h"
#include "core/checkpoint/mapped_file.h"
#include "core/checkpoint/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <set>

namespace ridgepoint {

namespace fs = std::filesystem;

namespace {

constexpr const char *kSingle = "model.safetensors";
constexpr const char *kIndex = "model.safetensors.index.json";
constexpr std::size_t kIndexLimit = std::size_t(256) << 20;

[[noreturn]] void fail(const std::string &sentence)
{
    throw Error(ErrorKind::Failure, sentence);
}

struct AlignedDelete {
    void operator()(std::byte *bytes) const { ::operator delete[](bytes, std::align_val_t(64)); }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;

class MappedCheckpoint : public Checkpoint {
public:
    explicit MappedCheckpoint(const fs::path &folder) : m_folder(folder)
    {
        std::error_code code;
        if (!fs::is_directory(folder, code))
            fail(fmt::format("{} is not a folder: give the folder that holds config.json and {}.", folder.string(),
                             kSingle));
        m_shape = modelShapeFromFolder(folder);
        if (fs::exists(fs::symlink_status(folder / kSingle, code)))
            addFile(kSingle, nullptr);
        else if (fs::exists(fs::symlink_status(folder / kIndex, code)))
            addIndex();
        else
            failWithoutWeights();
    }

    const ModelShape &shape() const override { return m_shape; }
    const fs::path &folder() const override { return m_folder; }
    std::vector<std::string> names() const override
    {
        std::vector<std::string> names;
        names.reserve(m_tensors.size());
        for (const auto &[name, held] : m_tensors)
            names.push_back(name);
        return names;
    }
    bool has(std::string_view name) const override { return m_tensors.find(name) != m_tensors.end(); }
    StoredTensor tensor(std::string_view name, const std::vector<std::int64_t> &shape) const override
    {
        const auto found = m_tensors.find(name);
        if (found == m_tensors.end())
            fail(fmt::format(
                "The checkpoint {} has no tensor {}, which its config.json calls for: the download is incomplete "
                "or config.json belongs to another model.",
                m_folder.string(), quotedForSentence(name)));
        if (found->second.tensor.shape != shape)
            fail(fmt::format(
                "The tensor {} of {} has the shape {}, but config.json calls for {}: config.json belongs to "
                "another model, or the file is damaged; download both again.",
                quotedForSentence(name), (m_folder / found->second.file).string(),
                shapeText(found->second.tensor.shape), shapeText(shape)));
        return found->second.tensor;
    }
    double totalBytes() const override { return m_totalBytes; }

private:
    struct Held {
        StoredTensor tensor;
        std::string file;
    };

    /// Adds the tensors of one file; with `wanted`, those of its names only (a shard may hold what its index leaves
    /// out).
    void addFile(const std::string &file, const std::set<std::string> *wanted)
    {
        const fs::path path = m_folder / file;
        auto mapping = MappedFile::open(path);
        std::set<std::string> missing = wanted ? *wanted : std::set<std::string>();
        for (StoredTensor &tensor : parseSafetensors(mapping->bytes(), path.string())) {
            if (wanted && missing.erase(tensor.name) == 0)
                continue;
            const std::size_t alignment = tensor.type == StoredType::F32 ? 4 : 2;
            if (reinterpret_cast<std::uintptr_t>(tensor.data) % alignment != 0)
                tensor.data = alignedCopy(tensor);
            m_totalBytes += double(tensor.bytes);
            const std::string name = tensor.name;
            m_tensors.emplace(name, Held{std::move(tensor), file});
        }
        if (!missing.empty())
            fail(fmt::format(
                "{} says that {} holds the tensor {}, but it does not: the files are of different checkpoints; "
                "download the folder again.",
                (m_folder / kIndex).string(), path.string(), quotedForSentence(*missing.begin())));
        m_mappings.push_back(std::move(mapping));
    }

    /// Old writers did not pad the header; a matrix at an odd address would make every product slow or undefined.
    const std::byte *alignedCopy(const StoredTensor &tensor)
    {
        m_copies.emplace_back(new (std::align_val_t(64)) std::byte[std::max<std::size_t>(tensor.bytes, 1)]);
        std::memcpy(m_copies.back().get(), tensor.data, tensor.bytes);
        return m_copies.back().get();
    }

    void addIndex()
    {
        const fs::path path = m_folder / kIndex;
        const std::string origin = path.string();
        const nlohmann::json index = parseJsonObject(readWholeFile(path, kIndexLimit), origin);
        const auto map = index.find("weight_map");
        if (map == index.end() || !map->is_object() || map->empty())
            fail(fmt::format("{} has no \"weight_map\" object that names the shard of each tensor: download it again.",
                             origin));
        std::map<std::string, std::set<std::string>> shards;
        for (const auto &[name, shard] : map->items()) {
            if (!shard.is_string())
                fail(fmt::format("{} does not give a file name for the tensor {}: download it again.", origin,
                                 quotedForSentence(name)));
            const auto &file = shard.get_ref<const std::string &>();
            if (!staysInside(file))
                fail(fmt::format(
                    "{} puts the tensor {} into {}, which is not the name of a file in this folder: such an index is "
                    "damaged or hostile; download it again.",
                    origin, quotedForSentence(name), quotedForSentence(file)));
            shards[file].insert(name);
        }
        for (const auto &[file, names] : shards) {
            std::error_code code;
            if (!fs::exists(m_folder / file, code))
                fail(fmt::format(
                    "{} names the shard {}, which is not in the folder: the download is incomplete; fetch the "
                    "missing file.",
                    origin, quotedForSentence(file)));
        }
        for (const auto &[file, names] : shards)
            addFile(file, &names);
    }

    /// A relative path that never climbs. Symbolic links are followed: the Hugging Face cache is made of them.
    static bool staysInside(const std::string &file)
    {
        const fs::path path(file);
        if (file.empty() || file.find('\0') != std::string::npos || path.has_root_path() || !path.has_filename())
            return false;
        return std::none_of(path.begin(), path.end(), [](const fs::path &part) { return part == ".." || part == "."; });
    }

    [[noreturn]] void failWithoutWeights() const
    {
        std::string other;
        std::error_code code;
        for (const fs::directory_entry &entry : fs::directory_iterator(m_folder, code)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".gguf" || extension == ".bin" || extension == ".pth" || extension == ".pt")
                other = entry.path().filename().string();
        }
        fail(fmt::format(
            "The folder {} has neither {} nor {}{}.", m_folder.string(), kSingle, kIndex,
            other.empty() ? std::string(": download the weights into it")
                          : fmt::format(": {} cannot be read, convert it to safetensors", quotedForSentence(other))));
    }

    fs::path m_folder;
    ModelShape m_shape;
    std::vector<std::shared_ptr<const MappedFile>> m_mappings;
    std::vector<AlignedBytes> m_copies;
    std::map<std::string, Held, std::less<>> m_tensors;
    double m_totalBytes = 0;
};

} // namespace

std::shared_ptr<const Checkpoint> Checkpoint::open(const fs::path &folder)
{
    return std::make_shared<const MappedCheckpoint>(folder);
}

} // namespace ridgepoint
