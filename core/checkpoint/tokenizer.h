// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// The vocabulary of a checkpoint folder: tokenizer.json (byte-level BPE; BPE with byte fallback and Unigram, the two
/// forms into which SentencePiece vocabularies are converted), or SentencePiece from tokenizer.model where the program
/// was built with it. Safe to use from several threads at once.
class Tokenizer {
public:
    /// Null when the folder has neither file. Throws Error (Failure) naming the file when one is there but unusable.
    static std::unique_ptr<Tokenizer> open(const std::filesystem::path &folder);
    virtual ~Tokenizer() = default;

    virtual std::string kind() const = 0;  ///< "byte-level BPE", "BPE with byte fallback", "Unigram", "SentencePiece"
    virtual std::int64_t size() const = 0; ///< the largest id plus one
    /// Bytes of one token; special tokens give their literal text. "" for an id outside the vocabulary.
    virtual std::string bytesOf(std::int64_t id) const = 0;
    virtual bool isSpecial(std::int64_t id) const = 0;
    /// The ids of `text` (ill-formed UTF-8 is read as U+FFFD), without promptPrefix(). Text is taken to be in
    /// composed form (NFC) already. Throws Error (Failure) where tokenizer.json prepares text in a way that is not
    /// known here; decoding then still works.
    virtual std::vector<std::int64_t> encode(std::string_view text) const = 0;
    /// Ids that the model was trained to see before any text (begin of sequence); empty for most byte-level ones.
    virtual std::vector<std::int64_t> promptPrefix() const { return {}; }
    /// True where a text's first token carries a space that is not in the text (SentencePiece); decode() drops the
    /// space at the front of the whole, StreamDecoder keeps it since it goes on after a prompt.
    virtual bool addsLeadingSpace() const { return false; }

    /// The text of a whole sequence, special tokens included; bytes that are not UTF-8 as U+FFFD.
    std::string decode(const std::vector<std::int64_t> &ids) const;
};

/// Turns a stream of ids into text as tokens arrive: holds back bytes that do not yet form a whole UTF-8 character.
class StreamDecoder {
public:
    explicit StreamDecoder(const Tokenizer &tokenizer) : m_tokenizer(&tokenizer) {}
    std::string push(std::int64_t id); ///< text that became complete
    std::string flush();               ///< what is left, invalid bytes as U+FFFD

private:
    const Tokenizer *m_tokenizer;
    std::string m_pending;
};

} // namespace ridgepoint
