// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace ridgepoint {

/// SentencePiece behind a table of C functions, in a module of its own. Debian's libsentencepiece exports a copy of protobuf
/// whose symbols take the place of those that libtorch's protobuf needs wherever both are linked into one module, and the
/// program then dies while it loads. Loaded by itself, locally, neither sees the other.
struct SentencePieceBridge {
    /// Null when the bytes are no model.
    void *(*open)(const char *model, std::size_t bytes);
    void (*close)(void *processor);
    int (*size)(void *processor);
    /// The text of a piece; lives as long as the processor.
    const char *(*piece)(void *processor, int id, std::size_t *bytes);
    bool (*isByte)(void *processor, int id);
    bool (*isSpecial)(void *processor, int id);
    int (*begin)(void *processor); ///< id of the begin of a sequence; negative: none
    /// Calls `take` with each id; false after telling `why` that the text cannot be encoded.
    bool (*encode)(void *processor, const char *text, std::size_t bytes, void *context,
                   void (*take)(void *context, int id), void (*why)(void *context, const char *reason));
};

/// The module exports: const ridgepoint::SentencePieceBridge *ridgepoint_sentencepiece();
using SentencePieceBridgeFunction = const SentencePieceBridge *(*)();

} // namespace ridgepoint
