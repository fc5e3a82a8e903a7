// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include "core/base/error.h"
#include "core/catalog/json_fields.h"
#include "core/checkpoint/mapped_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>
#include <system_error>
#include <tuple>
#include <unordered_set>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ridgepoint {

namespace {

constexpr std::size_t kMaxRank = 16;
constexpr std::string_view kAgain = "download the file again or write it anew with the safetensors package";

[[noreturn]] void fail(const std::string &sentence)
{
    throw Error(ErrorKind::Failure, sentence);
}

std::string systemReason(int code)
{
    return std::generic_category().message(code);
}

struct Entry {
    StoredTensor tensor;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Reads the header as events, so that a header of the largest size needs little more memory than its tensors, that
/// nesting is bounded by the grammar itself, and that names given twice are seen (a JSON object would merge them).
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
public:
    HeaderReader(const std::string &origin, std::vector<Entry> &entries) : m_origin(origin), m_entries(entries) {}

    bool null() override { return value("null"); }
    bool boolean(bool) override { return value("a truth value"); }
    bool number_float(number_float_t, const string_t &text) override
    {
        return value(fmt::format("the number {}", text.substr(0, 40)));
    }
    bool number_integer(number_integer_t number) override { return value(fmt::format("the number {}", number)); }
    bool number_unsigned(number_unsigned_t number) override
    {
        if (m_place == Place::Shape) {
            if (number > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
                fail(about(fmt::format("has the dimension {}, which is too large", number)));
            if (m_entry.tensor.shape.size() == kMaxRank)
                fail(about(fmt::format("has more than {} dimensions", kMaxRank)));
            m_entry.tensor.shape.push_back(std::int64_t(number));
            return true;
        }
        if (m_place == Place::Offsets) {
            if (m_offsetCount == 2)
                fail(about("has more than two data_offsets"));
            (m_offsetCount++ == 0 ? m_entry.begin : m_entry.end) = number;
            return true;
        }
        return value(fmt::format("the number {}", number));
    }
    bool string(string_t &text) override
    {
        if (m_place == Place::Metadata)
            return true;
        if (m_place != Place::Tensor || m_key != "dtype")
            return value("a string");
        if (text == "F32")
            m_entry.tensor.type = StoredType::F32;
        else if (text == "F16")
            m_entry.tensor.type = StoredType::F16;
        else if (text == "BF16")
            m_entry.tensor.type = StoredType::BF16;
        else
            throw Error(ErrorKind::Failure,
                        fmt::format("The tensor {} of {} has the type {}: only F32, F16 and BF16 can be decoded. Use a "
                                    "checkpoint that is not quantized, or convert it to one of these types.",
                                    quotedForSentence(m_entry.tensor.name), m_origin, quotedForSentence(text)));
        m_hasType = true;
        return true;
    }
    bool binary(binary_t &) override { return value("binary data"); }

    bool start_object(std::size_t) override
    {
        if (m_place == Place::Outside) {
            m_place = Place::Header;
            return true;
        }
        if (m_place != Place::Header)
            return value("an object");
        if (m_key == "__metadata__") {
            m_place = Place::Metadata;
            return true;
        }
        m_place = Place::Tensor;
        m_entry = Entry{};
        m_entry.tensor.name = m_key;
        m_hasType = m_hasShape = m_hasOffsets = false;
        return true;
    }
    bool key(string_t &name) override
    {
        if (m_place == Place::Header && !m_names.insert(name).second)
            fail(fmt::format("The header of {} names {} twice: {}.", m_origin, quotedForSentence(name), kAgain));
        if (m_place == Place::Tensor) {
            const bool repeated = (name == "dtype" && m_hasType) || (name == "shape" && m_hasShape) ||
                                  (name == "data_offsets" && m_hasOffsets);
            if (repeated)
                fail(about(fmt::format("gives \"{}\" twice", name)));
            if (name != "dtype" && name != "shape" && name != "data_offsets")
                fail(about(fmt::format("has the unknown field {}", quotedForSentence(name))));
        }
        m_key = name;
        return true;
    }
    bool end_object() override
    {
        if (m_place == Place::Tensor) {
            if (!m_hasType || !m_hasShape || !m_hasOffsets)
                fail(about(fmt::format("lacks \"{}\"", !m_hasType ? "dtype" : !m_hasShape ? "shape" : "data_offsets")));
            m_entries.push_back(std::move(m_entry));
            m_place = Place::Header;
        } else if (m_place == Place::Metadata) {
            m_place = Place::Header;
        } else {
            m_place = Place::Outside;
        }
        return true;
    }
    bool start_array(std::size_t) override
    {
        if (m_place == Place::Tensor && m_key == "shape") {
            m_place = Place::Shape;
        } else if (m_place == Place::Tensor && m_key == "data_offsets") {
            m_place = Place::Offsets;
            m_offsetCount = 0;
        } else {
            return value("an array");
        }
        return true;
    }
    bool end_array() override
    {
        if (m_place == Place::Offsets && m_offsetCount != 2)
            fail(about("does not have two data_offsets"));
        (m_place == Place::Shape ? m_hasShape : m_hasOffsets) = true;
        m_place = Place::Tensor;
        return true;
    }
    bool parse_error(std::size_t position, const std::string &, const nlohmann::json::exception &) override
    {
        fail(fmt::format("The header of {} is not valid JSON (near its byte {}): the file is damaged or is not a "
                         "safetensors file; {}.",
                         m_origin, position, kAgain));
    }

private:
    enum class Place { Outside, Header, Metadata, Tensor, Shape, Offsets };

    std::string about(const std::string &what) const
    {
        return fmt::format("The tensor {} of {} {}: {}.", quotedForSentence(m_entry.tensor.name), m_origin, what,
                           kAgain);
    }
    /// A value of a kind that has no place where it stands.
    bool value(const std::string &what)
    {
        switch (m_place) {
        case Place::Outside:
            fail(fmt::format("The header of {} is {}, not an object of tensors: {}.", m_origin, what, kAgain));
        case Place::Header:
            fail(fmt::format("The entry {} in the header of {} is {}, not an object: {}.", quotedForSentence(m_key),
                             m_origin, what, kAgain));
        case Place::Metadata:
            fail(fmt::format("The __metadata__ of {} holds {} under {} where the format asks for strings: {}.",
                             m_origin, what, quotedForSentence(m_key), kAgain));
        case Place::Tensor:
            fail(about(fmt::format("has {} as its {}", what, m_key)));
        case Place::Shape:
            fail(about(fmt::format("has {} in its shape where sizes belong", what)));
        case Place::Offsets:
            fail(about(fmt::format("has {} in its data_offsets where byte positions belong", what)));
        }
        return false;
    }

    const std::string &m_origin;
    std::vector<Entry> &m_entries;
    Place m_place = Place::Outside;
    std::string m_key;
    Entry m_entry;
    int m_offsetCount = 0;
    bool m_hasType = false;
    bool m_hasShape = false;
    bool m_hasOffsets = false;
    std::unordered_set<std::string> m_names;
};

std::uint64_t elementBytes(StoredType type)
{
    return type == StoredType::F32 ? 4 : 2;
}

std::optional<std::uint64_t> byteCount(const StoredTensor &tensor)
{
    std::uint64_t count = elementBytes(tensor.type);
    for (const std::int64_t size : tensor.shape)
        if (__builtin_mul_overflow(count, std::uint64_t(size), &count))
            return std::nullopt;
    return count;
}

} // namespace

std::string shapeText(const std::vector<std::int64_t> &shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::vector<StoredTensor> parseSafetensors(std::span<const std::byte> file, const std::string &origin)
{
    if (file.size() < 8)
        fail(fmt::format("{} has {} bytes and is too short for a safetensors file: the download is incomplete; {}.",
                         origin, file.size(), kAgain));
    std::uint64_t headerLength = 0;
    for (std::size_t i = 0; i < 8; ++i)
        headerLength |= std::uint64_t(file[i]) << (8 * i);
    if (headerLength > kSafetensorsHeaderLimit)
        fail(fmt::format(
            "{} declares a header of {} bytes, more than the limit of {}: it is not a safetensors file, or it "
            "is damaged; {}.",
            origin, headerLength, kSafetensorsHeaderLimit, kAgain));
    if (headerLength > file.size() - 8)
        fail(fmt::format("{} declares a header of {} bytes but holds only {} after the length: the download is "
                         "incomplete; {}.",
                         origin, headerLength, file.size() - 8, kAgain));
    const std::string_view header(reinterpret_cast<const char *>(file.data()) + 8, headerLength);
    if (header.empty() || header.front() != '{')
        fail(fmt::format(
            "The header of {} does not begin with \"{{\": the file is damaged or is not a safetensors file; "
            "{}.",
            origin, kAgain));

    std::vector<Entry> entries;
    HeaderReader reader(origin, entries);
    nlohmann::json::sax_parse(header.begin(), header.end(), &reader);

    const std::span<const std::byte> data = file.subspan(8 + headerLength);
    for (const Entry &entry : entries) {
        const std::string name = quotedForSentence(entry.tensor.name);
        const std::optional<std::uint64_t> expected = byteCount(entry.tensor);
        if (!expected)
            fail(fmt::format(
                "The tensor {} of {} has the shape {}, whose byte count overflows: the header is damaged or "
                "hostile; {}.",
                name, origin, shapeText(entry.tensor.shape), kAgain));
        if (entry.begin > entry.end)
            fail(fmt::format("The tensor {} of {} ends at byte {} before it begins at {}: {}.", name, origin, entry.end,
                             entry.begin, kAgain));
        if (entry.end > data.size())
            fail(fmt::format("The tensor {} of {} ends at byte {} of the data, which has only {}: the download is "
                             "incomplete; {}.",
                             name, origin, entry.end, data.size(), kAgain));
        if (entry.end - entry.begin != *expected)
            fail(fmt::format("The tensor {} of {} has {} bytes, but its shape {} and type need {}: {}.", name, origin,
                             entry.end - entry.begin, shapeText(entry.tensor.shape), *expected, kAgain));
    }
    std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
        return std::tie(a.begin, a.end, a.tensor.name) < std::tie(b.begin, b.end, b.tensor.name);
    });
    std::uint64_t position = 0;
    std::vector<StoredTensor> tensors;
    tensors.reserve(entries.size());
    for (Entry &entry : entries) {
        if (entry.begin != position)
            fail(fmt::format("The tensor {} of {} begins at byte {} of the data where {} was expected: tensors {}; {}.",
                             quotedForSentence(entry.tensor.name), origin, entry.begin, position,
                             entry.begin < position ? "overlap" : "leave a hole", kAgain));
        position = entry.end;
        entry.tensor.data = data.data() + entry.begin;
        entry.tensor.bytes = std::size_t(entry.end - entry.begin);
        tensors.push_back(std::move(entry.tensor));
    }
    if (position != data.size())
        fail(fmt::format("{} holds {} bytes of data, but its tensors end at byte {}: the file is damaged; {}.", origin,
                         data.size(), position, kAgain));
    return tensors;
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path &path)
{
    const std::string name = path.string();
    // O_NONBLOCK: opening a pipe that nobody writes must not hang; it has no effect on a regular file.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        fail(fmt::format("Cannot open {}: {}. Check the path and its permissions.", name, systemReason(errno)));
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0) {
        const int code = errno;
        ::close(descriptor);
        fail(fmt::format("Cannot examine {}: {}. Check the disk.", name, systemReason(code)));
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(descriptor);
        fail(fmt::format("{} is not a regular file: put the checkpoint's own file there.", name));
    }
    if (status.st_size == 0) {
        ::close(descriptor);
        fail(fmt::format("{} is empty: the download is incomplete; {}.", name, kAgain));
    }
    const std::size_t size = std::size_t(status.st_size);
    void *address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int code = errno;
    ::close(descriptor);
    if (address == MAP_FAILED)
        fail(fmt::format("Cannot map {} ({} bytes) into memory: {}. Free memory or copy the file to a local disk.",
                         name, size, systemReason(code)));
    // Advice only: weights are read once from front to back soon after opening. A refusal changes nothing.
    (void)::madvise(address, size, MADV_WILLNEED);
    return std::shared_ptr<const MappedFile>(new MappedFile(std::span(static_cast<const std::byte *>(address), size)));
}

MappedFile::~MappedFile()
{
    ::munmap(const_cast<std::byte *>(m_bytes.data()), m_bytes.size());
}

} // namespace ridgepoint
