// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tokenizer_parts.h"

#include "core/base/error.h"
#include "core/catalog/json_fields.h"
#include "core/checkpoint/pre_tokenizer.h"
#include "core/checkpoint/unicode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <queue>
#include <unordered_map>

namespace ridgepoint {

namespace {

using nlohmann::json;
using Id = std::int32_t;

constexpr std::int64_t kIdLimit = std::int64_t(1) << 21; // the largest published vocabulary has 262,144 entries
constexpr std::string_view kMark = "\xE2\x96\x81";       // U+2581, a space in SentencePiece vocabularies

/// The printable stand-ins of the 256 bytes in a byte-level vocabulary.
struct ByteAlphabet {
    std::array<char32_t, 256> characterOf = {};
    std::array<int, 512> byteOf = {};

    ByteAlphabet()
    {
        byteOf.fill(-1);
        char32_t next = 256;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
            characterOf[byte] = printable ? char32_t(byte) : next++;
            byteOf[characterOf[byte]] = int(byte);
        }
    }
};

const ByteAlphabet &byteAlphabet()
{
    static const ByteAlphabet alphabet;
    return alphabet;
}

struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using IdMap = std::unordered_map<std::string, Id, StringHash, std::equal_to<>>;

struct AddedToken {
    Id id = 0;
    std::string content;
    bool singleWord = false;
    bool stripLeft = false;
    bool stripRight = false;
    bool normalized = false;
};

/// The added tokens that are looked for in one state of the text; the longest at the leftmost place wins.
class AddedTokenFinder {
public:
    void add(const AddedToken &token)
    {
        if (token.content.empty() || !m_tokens.emplace(token.content, token).second)
            return;
        std::vector<std::size_t> &lengths = m_lengths[static_cast<unsigned char>(token.content.front())];
        const auto at = std::lower_bound(lengths.begin(), lengths.end(), token.content.size(), std::greater<>());
        if (at == lengths.end() || *at != token.content.size())
            lengths.insert(at, token.content.size());
    }
    const AddedToken *at(std::string_view text, std::size_t from) const
    {
        for (const std::size_t length : m_lengths[static_cast<unsigned char>(text[from])]) {
            if (length > text.size() - from)
                continue;
            const auto found = m_tokens.find(text.substr(from, length));
            if (found != m_tokens.end())
                return &found->second;
        }
        return nullptr;
    }
    bool empty() const { return m_tokens.empty(); }

private:
    std::unordered_map<std::string, AddedToken, StringHash, std::equal_to<>> m_tokens;
    std::array<std::vector<std::size_t>, 256> m_lengths; // per first byte, longest first
};

/// A stretch of text, or one added token.
struct Segment {
    std::string_view text;
    std::optional<Id> id;
};

class JsonTokenizer : public Tokenizer {
public:
    JsonTokenizer(std::string_view text, const std::string &origin) : m_origin(origin)
    {
        const json root = parseJsonObject(text, origin);
        const json &model = member(root, "model");
        if (!model.is_object())
            fail("has no \"model\" object");
        readModel(root, model);
        readAddedTokens(member(root, "added_tokens"));
        readNormalizer(member(root, "normalizer"));
        readPreTokenizer(member(root, "pre_tokenizer"));
        readPostProcessor(member(root, "post_processor"));
        if (m_tokens.empty())
            fail("has an empty vocabulary");
    }

    std::string kind() const override
    {
        return m_model == Model::ByteLevel     ? "byte-level BPE"
               : m_model == Model::SpacedPiece ? "BPE with byte fallback"
                                               : "Unigram";
    }
    std::int64_t size() const override { return std::int64_t(m_tokens.size()); }
    std::string bytesOf(std::int64_t id) const override
    {
        if (id < 0 || id >= size())
            return {};
        const Token &token = m_tokens[std::size_t(id)];
        if (token.added)
            return token.text;
        if (m_model != Model::ByteLevel) {
            if (const auto byte = byteOfPiece(token.text))
                return std::string(1, char(*byte));
            return withSpaces(token.text);
        }
        std::string bytes;
        std::string_view rest = token.text;
        while (!rest.empty()) {
            const Utf8Step step = readUtf8(rest);
            const int byte = step.code < byteAlphabet().byteOf.size() ? byteAlphabet().byteOf[step.code] : -1;
            if (byte < 0)
                return token.text; // not written in the byte alphabet: it stands for itself
            bytes += char(byte);
            rest.remove_prefix(step.length);
        }
        return bytes;
    }
    bool isSpecial(std::int64_t id) const override
    {
        return id >= 0 && id < size() && m_tokens[std::size_t(id)].special;
    }
    bool addsLeadingSpace() const override { return !m_prepend.empty() || m_metaspacePrepends != Prepend::Never; }
    std::vector<std::int64_t> promptPrefix() const override { return m_prefix; }

    std::vector<std::int64_t> encode(std::string_view text) const override
    {
        if (!m_encodeProblem.empty())
            throw Error(
                ErrorKind::Failure,
                fmt::format("{} {}, so text cannot be turned into tokens with it. Give the prompt as a number of "
                            "tokens instead; token ids are still shown as text.",
                            m_origin, m_encodeProblem));
        const std::string valid = validUtf8(text);
        std::vector<Id> ids;
        bool first = true;
        for (const Segment &raw : segments(valid, m_rawTokens)) {
            if (raw.id) {
                ids.push_back(*raw.id);
            } else {
                const std::string normal = normalized(raw.text);
                for (const Segment &segment : segments(normal, m_normalizedTokens)) {
                    if (segment.id)
                        ids.push_back(*segment.id);
                    else
                        encodeSegment(segment.text, first, ids);
                    first = false;
                }
            }
            first = false;
        }
        return {ids.begin(), ids.end()};
    }

private:
    enum class Model { ByteLevel, SpacedPiece, Unigram };
    enum class Prepend { Never, First, Always };
    struct Token {
        std::string text;
        bool added = false;
        bool special = false;
    };
    struct Merge {
        std::int32_t rank = 0;
        Id id = 0;
    };

    [[noreturn]] void fail(const std::string &what) const
    {
        throw Error(ErrorKind::Failure,
                    fmt::format("{} {}: download the file again, or remove it to work without text.", m_origin, what));
    }

    static const json &member(const json &object, const char *name)
    {
        static const json absent;
        if (!object.is_object())
            return absent;
        const auto found = object.find(name);
        return found == object.end() ? absent : *found;
    }
    std::string text(const json &object, const char *name) const
    {
        const json &value = member(object, name);
        if (value.is_null())
            return {};
        if (!value.is_string())
            fail(fmt::format("has a \"{}\" that is not text", name));
        return value.get<std::string>();
    }
    bool flag(const json &object, const char *name, bool otherwise = false) const
    {
        const json &value = member(object, name);
        if (value.is_null())
            return otherwise;
        if (!value.is_boolean())
            fail(fmt::format("has a \"{}\" that is not true or false", name));
        return value.get<bool>();
    }
    Id idFrom(const json &value, std::string_view token) const
    {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= std::uint64_t(kIdLimit))
            fail(fmt::format(
                "gives the token {} the id {}, which is not a whole number below {}", quotedForSentence(token),
                quotedForSentence(value.is_structured() ? std::string("...") : value.dump(-1, ' ', true)), kIdLimit));
        return Id(value.get<std::uint64_t>());
    }
    Token &slot(Id id)
    {
        if (std::size_t(id) >= m_tokens.size())
            m_tokens.resize(std::size_t(id) + 1);
        return m_tokens[std::size_t(id)];
    }
    std::optional<Id> idOf(std::string_view token) const
    {
        const auto found = m_ids.find(token);
        return found == m_ids.end() ? std::nullopt : std::optional<Id>(found->second);
    }
    /// The first cause only: it is the one to tell.
    void cannotEncode(const std::string &why)
    {
        if (m_encodeProblem.empty())
            m_encodeProblem = why;
    }

    /// True where `part` or a part of the sequence in it has the type `type`.
    static bool mentions(const json &part, std::string_view type)
    {
        if (!part.is_object())
            return false;
        const json &own = member(part, "type");
        if (own.is_string() && own.get_ref<const std::string &>() == type)
            return true;
        for (const char *list : {"normalizers", "pretokenizers", "decoders", "processors"})
            if (const json &parts = member(part, list); parts.is_array())
                for (const json &inner : parts)
                    if (mentions(inner, type))
                        return true;
        return false;
    }

    void readModel(const json &root, const json &model)
    {
        std::string type = text(model, "type");
        if (type.empty() && member(model, "merges").is_array())
            type = "BPE"; // old files leave it out
        m_byteFallback = flag(model, "byte_fallback");
        if (type == "Unigram") {
            m_model = Model::Unigram;
            readScores(model);
            return;
        }
        if (type != "BPE")
            fail(fmt::format(
                "has a vocabulary of the kind {}, but only BPE and Unigram are known; use the tokenizer.json of "
                "a Llama, Mistral, Qwen, Gemma or SmolLM model",
                quotedForSentence(type)));
        const bool byteLevel =
            mentions(member(root, "pre_tokenizer"), "ByteLevel") || mentions(member(root, "decoder"), "ByteLevel");
        const bool spaced = m_byteFallback || mentions(member(root, "pre_tokenizer"), "Metaspace") ||
                            mentions(member(root, "decoder"), "Metaspace") ||
                            mentions(member(root, "decoder"), "ByteFallback");
        if (!byteLevel && !spaced)
            fail("holds BPE that is neither byte-level nor converted from SentencePiece, which is not known here");
        m_model = byteLevel ? Model::ByteLevel : Model::SpacedPiece;
        if (!text(model, "continuing_subword_prefix").empty() || !text(model, "end_of_word_suffix").empty())
            cannotEncode("marks the inside or the end of words in a way that is not known here");
        m_fuseUnknown = flag(model, "fuse_unk");
        m_ignoreMerges = flag(model, "ignore_merges");

        const json &vocab = member(model, "vocab");
        if (!vocab.is_object() || vocab.empty())
            fail("has no vocabulary");
        m_ids.reserve(vocab.size());
        m_tokens.reserve(vocab.size());
        std::vector<bool> taken;
        for (const auto &[token, value] : vocab.items()) {
            const Id id = idFrom(value, token);
            if (std::size_t(id) >= taken.size())
                taken.resize(std::size_t(id) + 1);
            if (taken[std::size_t(id)])
                fail(fmt::format("gives the id {} to {} and to {}", id,
                                 quotedForSentence(m_tokens[std::size_t(id)].text), quotedForSentence(token)));
            taken[std::size_t(id)] = true;
            slot(id).text = token;
            m_ids.emplace(token, id);
        }
        readUnknown(text(model, "unk_token"));
        readMerges(member(model, "merges"));
        readBytes();
    }

    void readUnknown(const std::string &token)
    {
        if (token.empty())
            return;
        m_unknown = idOf(token);
        if (!m_unknown)
            fail(fmt::format("names {} as its unknown token, which the vocabulary lacks", quotedForSentence(token)));
        slot(*m_unknown).special = true;
    }

    void readMerges(const json &merges)
    {
        if (!merges.is_array())
            fail("has no list of merges");
        m_merges.reserve(merges.size());
        std::int32_t rank = 0;
        std::string whole;
        for (const json &merge : merges) {
            std::string_view left;
            std::string_view right;
            if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
                left = merge[0].get_ref<const std::string &>();
                right = merge[1].get_ref<const std::string &>();
            } else if (merge.is_string()) {
                const std::string_view pair = merge.get_ref<const std::string &>();
                const std::size_t space = pair.find(' ');
                if (space != std::string_view::npos && pair.find(' ', space + 1) == std::string_view::npos) {
                    left = pair.substr(0, space);
                    right = pair.substr(space + 1);
                }
            }
            if (left.empty() || right.empty())
                fail(fmt::format("has a merge (number {}) that is not a pair of tokens", rank));
            whole.assign(left).append(right);
            const auto leftId = idOf(left);
            const auto rightId = idOf(right);
            const auto wholeId = idOf(whole);
            if (!leftId || !rightId || !wholeId)
                fail(fmt::format("merges {} and {} (merge number {}), but the vocabulary lacks {}",
                                 quotedForSentence(left), quotedForSentence(right), rank,
                                 quotedForSentence(!leftId    ? left
                                                   : !rightId ? right
                                                              : std::string_view(whole))));
            m_merges[pairKey(*leftId, *rightId)] = Merge{rank++, *wholeId};
        }
    }

    void readBytes()
    {
        for (unsigned byte = 0; byte < 256; ++byte) {
            std::string name;
            if (m_model == Model::ByteLevel)
                appendUtf8(name, byteAlphabet().characterOf[byte]);
            else
                name = fmt::format("<0x{:02X}>", byte);
            m_byteIds[byte] = idOf(name).value_or(-1);
        }
        m_hasAllBytes = std::all_of(m_byteIds.begin(), m_byteIds.end(), [](Id id) { return id >= 0; });
    }

    void readScores(const json &model)
    {
        const json &vocab = member(model, "vocab");
        if (!vocab.is_array() || vocab.empty() || vocab.size() > std::size_t(kIdLimit))
            fail("has no vocabulary");
        m_worstScore = std::numeric_limits<double>::infinity();
        for (const json &entry : vocab) {
            if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
                fail(fmt::format("has an entry (number {}) that is not a piece with its score", m_tokens.size()));
            const auto &piece = entry[0].get_ref<const std::string &>();
            const double score = entry[1].get<double>();
            m_ids.emplace(piece, Id(m_tokens.size()));
            m_tokens.push_back(Token{piece, false, false});
            m_scores.push_back(score);
            m_worstScore = std::min(m_worstScore, score);
            m_longestPiece = std::max(m_longestPiece, piece.size());
        }
        if (m_longestPiece > 4096)
            fail(fmt::format("has a piece of {} bytes, more than the limit of 4096", m_longestPiece));
        if (const json &unknown = member(model, "unk_id"); !unknown.is_null()) {
            m_unknown = idFrom(unknown, "unk_id");
            if (std::size_t(*m_unknown) >= m_tokens.size())
                fail("names an unknown token that the vocabulary lacks");
            slot(*m_unknown).special = true;
        }
        m_fuseUnknown = true;
        readBytes();
    }

    void readAddedTokens(const json &list)
    {
        if (list.is_null())
            return;
        if (!list.is_array())
            fail("has \"added_tokens\" that are not a list");
        for (const json &entry : list) {
            if (!entry.is_object() || !member(entry, "content").is_string())
                fail("has an added token without content");
            AddedToken token;
            token.content = text(entry, "content");
            token.id = idFrom(member(entry, "id"), token.content);
            token.singleWord = flag(entry, "single_word");
            token.stripLeft = flag(entry, "lstrip");
            token.stripRight = flag(entry, "rstrip");
            const bool special = flag(entry, "special");
            token.normalized = flag(entry, "normalized", !special);
            slot(token.id) = Token{token.content, true, special};
            (token.normalized ? m_normalizedTokens : m_rawTokens).add(token);
        }
    }

    void readNormalizer(const json &part)
    {
        if (part.is_null())
            return;
        const std::string type = text(part, "type");
        if (type == "Sequence") {
            const json &parts = member(part, "normalizers");
            if (!parts.is_array())
                fail("has a sequence of normalizers that is not a list");
            for (const json &inner : parts)
                readNormalizer(inner);
        } else if (type == "Prepend") {
            if (!m_replacements.empty() || !m_prepend.empty())
                cannotEncode("prepends to text more than once");
            m_prepend = text(part, "prepend");
        } else if (type == "Replace") {
            const json &pattern = member(part, "pattern");
            const std::string from = text(pattern, "String");
            if (from.empty())
                cannotEncode("replaces text by a pattern that is not known here");
            else
                m_replacements.emplace_back(from, text(part, "content"));
        } else if (type != "NFC") { // text is taken to be composed already, see Tokenizer::encode
            cannotEncode(
                fmt::format("normalizes text in the way {}, which is not known here", quotedForSentence(type)));
        }
    }

    void readPreTokenizer(const json &part)
    {
        if (part.is_null())
            return;
        const std::string type = text(part, "type");
        if (m_sawByteLevel)
            cannotEncode("goes on to cut text after its ByteLevel step, in a way that is not known here");
        if (type == "Sequence") {
            const json &parts = member(part, "pretokenizers");
            if (!parts.is_array())
                fail("has a sequence of pre-tokenizers that is not a list");
            for (const json &inner : parts)
                readPreTokenizer(inner);
        } else if (type == "ByteLevel" && m_model == Model::ByteLevel) {
            m_sawByteLevel = true;
            m_addPrefixSpace = flag(part, "add_prefix_space", true);
            if (flag(part, "use_regex", true))
                m_rules.push_back(SplitRule::Gpt2);
        } else if (type == "Digits" && m_model == Model::ByteLevel) {
            m_rules.push_back(flag(part, "individual_digits") ? SplitRule::IndividualDigits : SplitRule::Digits);
        } else if (type == "Split" && m_model == Model::ByteLevel) {
            const std::string behavior = text(part, "behavior");
            const bool inverted = flag(part, "invert");
            const auto rule = splitRuleFromPattern(text(member(part, "pattern"), "Regex"));
            // The known patterns match every character, so keeping the matches and removing what is between agree.
            if (!rule || !((behavior == "Isolated") || (behavior == "Removed" && inverted)))
                cannotEncode("cuts text by a pattern that is not known here");
            else
                m_rules.push_back(*rule);
        } else if (type == "Split" && text(member(part, "pattern"), "String") == " " && replacesSpaces()) {
            // Gemma: the normalizer has left no space to split at.
        } else if (type == "Metaspace" && m_model != Model::ByteLevel) {
            if (text(part, "replacement") != kMark)
                cannotEncode("marks spaces in a way that is not known here");
            const std::string scheme = text(part, "prepend_scheme");
            const bool prepends = flag(part, "add_prefix_space", true);
            m_metaspace = true;
            m_metaspaceSplits = flag(part, "split", true);
            m_metaspacePrepends = !prepends || scheme == "never" ? Prepend::Never
                                  : scheme == "first"            ? Prepend::First
                                                                 : Prepend::Always;
        } else {
            cannotEncode(fmt::format("cuts text in the way {}, which is not known here", quotedForSentence(type)));
        }
    }

    bool replacesSpaces() const
    {
        return std::any_of(m_replacements.begin(), m_replacements.end(),
                           [](const auto &replacement) { return replacement.first == " "; });
    }

    void readPostProcessor(const json &part)
    {
        const std::string type = text(part, "type");
        if (type == "Sequence") {
            if (const json &parts = member(part, "processors"); parts.is_array())
                for (const json &inner : parts)
                    readPostProcessor(inner);
            return;
        }
        const json &single = member(part, "single");
        if (type != "TemplateProcessing" || !single.is_array())
            return;
        for (const json &item : single) {
            const json &special = member(item, "SpecialToken");
            if (!special.is_object())
                break; // the text's own place; what follows it ends a text and is of no use in front of one
            const json &ids = member(member(member(part, "special_tokens"), text(special, "id").c_str()), "ids");
            if (!ids.is_array())
                fail(fmt::format("puts {} in front of text without giving its id",
                                 quotedForSentence(text(special, "id"))));
            for (const json &id : ids) {
                const Id value = idFrom(id, text(special, "id"));
                if (std::size_t(value) >= m_tokens.size())
                    fail(fmt::format("puts {} in front of text, which the vocabulary lacks",
                                     quotedForSentence(text(special, "id"))));
                m_prefix.push_back(value);
            }
        }
    }

    static std::uint64_t pairKey(Id left, Id right)
    {
        return std::uint64_t(std::uint32_t(left)) << 32 | std::uint32_t(right);
    }

    static std::vector<Segment> segments(std::string_view text, const AddedTokenFinder &finder)
    {
        std::vector<Segment> found;
        std::size_t done = 0;
        for (std::size_t at = 0; !finder.empty() && at < text.size();) {
            const AddedToken *token = finder.at(text, at);
            if (!token) {
                ++at;
                continue;
            }
            std::size_t begin = at;
            std::size_t end = at + token->content.size();
            at = end;
            if (token->singleWord && (wordEndsAt(text.substr(0, begin)) || wordBeginsAt(text.substr(end))))
                continue;
            if (token->stripLeft)
                begin = std::max(done, begin - spacesAtEnd(text.substr(0, begin)));
            if (token->stripRight)
                end += spacesAtStart(text.substr(end));
            if (begin > done)
                found.push_back({text.substr(done, begin - done), std::nullopt});
            found.push_back({{}, token->id});
            at = done = end;
        }
        if (done < text.size())
            found.push_back({text.substr(done), std::nullopt});
        return found;
    }

    static bool isWordCharacter(char32_t c) { return isLetter(c) || isNumber(c) || c == U'_'; }
    static std::size_t lastCharacter(std::string_view text)
    {
        std::size_t at = text.size() - 1;
        while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
            --at;
        return at;
    }
    static bool wordEndsAt(std::string_view text)
    {
        return !text.empty() && isWordCharacter(readUtf8(text.substr(lastCharacter(text))).code);
    }
    static bool wordBeginsAt(std::string_view text) { return !text.empty() && isWordCharacter(readUtf8(text).code); }
    static std::size_t spacesAtEnd(std::string_view text)
    {
        const std::size_t size = text.size();
        while (!text.empty() && isWhiteSpace(readUtf8(text.substr(lastCharacter(text))).code))
            text = text.substr(0, lastCharacter(text));
        return size - text.size();
    }
    static std::size_t spacesAtStart(std::string_view text)
    {
        std::size_t count = 0;
        while (count < text.size()) {
            const Utf8Step step = readUtf8(text.substr(count));
            if (!isWhiteSpace(step.code))
                break;
            count += step.length;
        }
        return count;
    }

    std::string normalized(std::string_view text) const
    {
        std::string out = text.empty() ? std::string() : m_prepend + std::string(text);
        for (const auto &[from, to] : m_replacements) {
            std::string replaced;
            std::size_t at = 0;
            for (std::size_t next; (next = out.find(from, at)) != std::string::npos; at = next + from.size())
                replaced.append(out, at, next - at).append(to);
            out = replaced.append(out, at);
        }
        return out;
    }

    void encodeSegment(std::string_view text, bool first, std::vector<Id> &ids) const
    {
        if (m_model == Model::ByteLevel) {
            encodeByteLevel(text, ids);
            return;
        }
        std::string spaced(text);
        if (m_metaspace) {
            spaced.clear();
            for (const char c : text)
                spaced += c == ' ' ? std::string(kMark) : std::string(1, c);
            const bool prepend =
                m_metaspacePrepends == Prepend::Always || (m_metaspacePrepends == Prepend::First && first);
            if (prepend && !spaced.starts_with(kMark))
                spaced.insert(0, kMark);
        }
        std::string_view rest = spaced;
        while (!rest.empty()) {
            std::size_t end = m_metaspace && m_metaspaceSplits ? rest.find(kMark, 1) : std::string_view::npos;
            end = std::min(end, rest.size());
            if (m_model == Model::Unigram)
                encodeUnigram(rest.substr(0, end), ids);
            else
                encodeSpaced(rest.substr(0, end), ids);
            rest.remove_prefix(end);
        }
    }

    void encodeByteLevel(std::string_view text, std::vector<Id> &ids) const
    {
        std::u32string whole = codePoints(text);
        if (m_addPrefixSpace && !whole.starts_with(U' '))
            whole.insert(0, 1, U' ');
        std::vector<std::u32string_view> pieces = {whole};
        for (const SplitRule rule : m_rules) {
            std::vector<std::u32string_view> finer;
            for (const std::u32string_view piece : pieces) {
                const auto parts = splitText(rule, piece);
                finer.insert(finer.end(), parts.begin(), parts.end());
            }
            pieces = std::move(finer);
        }
        std::string bytes;
        std::string written;
        std::vector<Id> symbols;
        for (const std::u32string_view piece : pieces) {
            bytes.clear();
            for (const char32_t c : piece)
                appendUtf8(bytes, c);
            if (m_ignoreMerges) {
                written.clear();
                for (const char c : bytes)
                    appendUtf8(written, byteAlphabet().characterOf[static_cast<unsigned char>(c)]);
                if (const auto id = idOf(written)) {
                    ids.push_back(*id);
                    continue;
                }
            }
            symbols.clear();
            for (const char c : bytes)
                pushSymbol(m_byteIds[static_cast<unsigned char>(c)], symbols);
            appendMerged(symbols, ids);
        }
    }

    /// A symbol outside the vocabulary becomes the unknown token; where there is none it is dropped, as in the
    /// reference implementation.
    void pushSymbol(Id id, std::vector<Id> &symbols) const
    {
        if (id >= 0)
            symbols.push_back(id);
        else if (m_unknown && !(m_fuseUnknown && !symbols.empty() && symbols.back() == *m_unknown))
            symbols.push_back(*m_unknown);
    }

    void pushBytes(std::string_view character, std::vector<Id> &symbols) const
    {
        if (!m_byteFallback || !m_hasAllBytes) {
            pushSymbol(-1, symbols);
            return;
        }
        for (const char c : character)
            symbols.push_back(m_byteIds[static_cast<unsigned char>(c)]);
    }

    void encodeSpaced(std::string_view text, std::vector<Id> &ids) const
    {
        if (m_ignoreMerges)
            if (const auto id = idOf(text)) {
                ids.push_back(*id);
                return;
            }
        std::vector<Id> symbols;
        while (!text.empty()) {
            const std::string_view character = text.substr(0, readUtf8(text).length);
            if (const auto id = idOf(character))
                symbols.push_back(*id);
            else
                pushBytes(character, symbols);
            text.remove_prefix(character.size());
        }
        appendMerged(symbols, ids);
    }

    /// The best split by the sum of the pieces' scores (Viterbi).
    void encodeUnigram(std::string_view text, std::vector<Id> &ids) const
    {
        struct Best {
            double score = -std::numeric_limits<double>::infinity();
            std::size_t from = 0;
            Id id = -1;
            bool reached = false;
        };
        constexpr double unknownPenalty = 10.0;
        std::vector<Best> best(text.size() + 1);
        best[0] = Best{0, 0, -1, true};
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t character = readUtf8(text.substr(at)).length;
            const auto offer = [&](std::size_t end, double score, Id id) {
                if (!best[end].reached || best[at].score + score > best[end].score)
                    best[end] = Best{best[at].score + score, at, id, true};
            };
            bool single = false;
            for (std::size_t end = at + character;;) {
                if (const auto id = idOf(text.substr(at, end - at))) {
                    offer(end, m_scores[std::size_t(*id)], *id);
                    single = single || end == at + character;
                }
                if (end == text.size() || end - at >= m_longestPiece)
                    break;
                end += readUtf8(text.substr(end)).length;
            }
            if (!single)
                offer(at + character, m_worstScore - unknownPenalty, -1);
            at += character;
        }
        struct Piece {
            std::string_view text;
            Id id;
        };
        std::vector<Piece> pieces;
        for (std::size_t end = text.size(); end > 0; end = best[end].from)
            pieces.push_back({text.substr(best[end].from, end - best[end].from), best[end].id});
        std::vector<Id> symbols;
        for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
            if (piece->id >= 0)
                symbols.push_back(piece->id);
            else
                pushBytes(piece->text, symbols);
        }
        ids.insert(ids.end(), symbols.begin(), symbols.end());
    }

    /// Applies the merges to `symbols`, lowest rank first and leftmost among equals.
    void appendMerged(const std::vector<Id> &symbols, std::vector<Id> &ids) const
    {
        struct Node {
            Id id;
            std::int64_t before;
            std::int64_t after;
        };
        struct Candidate {
            std::int32_t rank;
            std::int64_t at;
            Id left;
            Id right;
            Id whole;
            bool operator>(const Candidate &other) const
            {
                return rank != other.rank ? rank > other.rank : at > other.at;
            }
        };
        const auto count = std::int64_t(symbols.size());
        std::vector<Node> nodes;
        nodes.reserve(symbols.size());
        for (std::int64_t i = 0; i < count; ++i)
            nodes.push_back({symbols[std::size_t(i)], i - 1, i + 1 < count ? i + 1 : -1});
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
        const auto consider = [&](std::int64_t at) {
            if (at < 0 || nodes[std::size_t(at)].after < 0)
                return;
            const Id left = nodes[std::size_t(at)].id;
            const Id right = nodes[std::size_t(nodes[std::size_t(at)].after)].id;
            if (const auto merge = m_merges.find(pairKey(left, right)); merge != m_merges.end())
                queue.push({merge->second.rank, at, left, right, merge->second.id});
        };
        for (std::int64_t i = 0; i + 1 < count; ++i)
            consider(i);
        while (!queue.empty()) {
            const Candidate next = queue.top();
            queue.pop();
            Node &left = nodes[std::size_t(next.at)];
            // Stale when an earlier merge took either side; a taken node has the id -1.
            if (left.id != next.left || left.after < 0 || nodes[std::size_t(left.after)].id != next.right)
                continue;
            Node &right = nodes[std::size_t(left.after)];
            left.id = next.whole;
            left.after = right.after;
            right.id = -1;
            if (left.after >= 0)
                nodes[std::size_t(left.after)].before = next.at;
            consider(left.before);
            consider(next.at);
        }
        for (std::int64_t at = count > 0 ? 0 : -1; at >= 0; at = nodes[std::size_t(at)].after)
            ids.push_back(nodes[std::size_t(at)].id);
    }

    std::string m_origin;
    Model m_model = Model::ByteLevel;
    std::vector<Token> m_tokens;
    IdMap m_ids; // of the model's own vocabulary, without added tokens
    std::unordered_map<std::uint64_t, Merge> m_merges;
    std::vector<double> m_scores;
    double m_worstScore = 0;
    std::size_t m_longestPiece = 0;
    std::array<Id, 256> m_byteIds = {};
    bool m_hasAllBytes = false;
    std::optional<Id> m_unknown;
    bool m_byteFallback = false;
    bool m_fuseUnknown = false;
    bool m_ignoreMerges = false;
    AddedTokenFinder m_rawTokens;
    AddedTokenFinder m_normalizedTokens;
    std::string m_prepend;
    std::vector<std::pair<std::string, std::string>> m_replacements;
    std::vector<SplitRule> m_rules;
    bool m_sawByteLevel = false;
    bool m_addPrefixSpace = false;
    bool m_metaspace = false;
    bool m_metaspaceSplits = false;
    Prepend m_metaspacePrepends = Prepend::Never;
    std::vector<std::int64_t> m_prefix;
    std::string m_encodeProblem;
};

} // namespace

std::unique_ptr<Tokenizer> tokenizerFromJson(std::string_view json, const std::string &origin)
{
    return std::make_unique<JsonTokenizer>(json, origin);
}

} // namespace ridgepoint
