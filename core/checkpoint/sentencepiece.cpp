// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tokenizer_parts.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"

#include <fmt/format.h>

#ifdef RIDGEPOINT_HAVE_SENTENCEPIECE
#include <sentencepiece_processor.h>
#endif

namespace ridgepoint {

#ifdef RIDGEPOINT_HAVE_SENTENCEPIECE

namespace {

class SentencePieceTokenizer : public Tokenizer {
public:
    explicit SentencePieceTokenizer(const std::filesystem::path &file) : m_origin(file.string())
    {
        constexpr std::size_t limit = std::size_t(256) << 20;
        const std::string model = readWholeFile(file, limit);
        const auto status = m_processor.LoadFromSerializedProto(model);
        if (!status.ok() || m_processor.GetPieceSize() <= 0)
            throw Error(ErrorKind::Failure,
                        fmt::format("{} is not a SentencePiece model: download the file again.", m_origin));
        const std::vector<std::int64_t> ids = encode("a");
        m_addsSpace = !ids.empty() && bytesOf(ids.front()).starts_with(' ');
    }

    std::string kind() const override { return "SentencePiece"; }
    std::int64_t size() const override { return m_processor.GetPieceSize(); }
    std::string bytesOf(std::int64_t id) const override
    {
        if (id < 0 || id >= size())
            return {};
        const std::string &piece = m_processor.IdToPiece(int(id));
        if (m_processor.IsByte(int(id)))
            if (const auto byte = byteOfPiece(piece))
                return std::string(1, char(*byte));
        return withSpaces(piece);
    }
    bool isSpecial(std::int64_t id) const override
    {
        return id >= 0 && id < size() && (m_processor.IsControl(int(id)) || m_processor.IsUnknown(int(id)));
    }
    std::vector<std::int64_t> encode(std::string_view text) const override
    {
        std::vector<int> ids;
        const auto status = m_processor.Encode(absl::string_view(text.data(), text.size()), &ids);
        if (!status.ok())
            throw Error(ErrorKind::Failure,
                        fmt::format("{} cannot encode the text: {}. Check the file or use another text.", m_origin,
                                    status.ToString()));
        return {ids.begin(), ids.end()};
    }
    std::vector<std::int64_t> promptPrefix() const override
    {
        if (m_processor.bos_id() < 0)
            return {};
        return {m_processor.bos_id()};
    }
    bool addsLeadingSpace() const override { return m_addsSpace; }

private:
    std::string m_origin;
    sentencepiece::SentencePieceProcessor m_processor;
    bool m_addsSpace = false;
};

} // namespace

std::unique_ptr<Tokenizer> tokenizerFromSentencePiece(const std::filesystem::path &file)
{
    return std::make_unique<SentencePieceTokenizer>(file);
}

#else

std::unique_ptr<Tokenizer> tokenizerFromSentencePiece(const std::filesystem::path &file)
{
    throw Error(ErrorKind::Failure,
                fmt::format("{} needs SentencePiece, which this program was built without: put a tokenizer.json beside "
                            "it, or install libsentencepiece-dev and build again.",
                            file.string()));
}

#endif

} // namespace ridgepoint
