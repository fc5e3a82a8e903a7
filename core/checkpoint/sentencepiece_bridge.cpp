// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/sentencepiece_bridge.h"

#include <sentencepiece_processor.h>

#include <exception>
#include <memory>
#include <vector>

namespace {

using Processor = sentencepiece::SentencePieceProcessor;

const Processor &processorOf(void *handle)
{
    return *static_cast<Processor *>(handle);
}

// The library throws at some models that are none (a piece that begins with a zero byte), which its status was to tell.
const ridgepoint::SentencePieceBridge kBridge{
    [](const char *model, std::size_t bytes) -> void * {
        try {
            auto processor = std::make_unique<Processor>();
            if (!processor->LoadFromSerializedProto(absl::string_view(model, bytes)).ok())
                return nullptr;
            return processor.release();
        } catch (...) {
            return nullptr;
        }
    },
    [](void *handle) { delete static_cast<Processor *>(handle); },
    [](void *handle) { return processorOf(handle).GetPieceSize(); },
    [](void *handle, int id, std::size_t *bytes) {
        const std::string &piece = processorOf(handle).IdToPiece(id);
        *bytes = piece.size();
        return piece.data();
    },
    [](void *handle, int id) { return processorOf(handle).IsByte(id); },
    [](void *handle, int id) { return processorOf(handle).IsControl(id) || processorOf(handle).IsUnknown(id); },
    [](void *handle) { return processorOf(handle).bos_id(); },
    [](void *handle, const char *text, std::size_t bytes, void *context, void (*take)(void *, int),
       void (*why)(void *, const char *)) {
        std::vector<int> ids;
        try {
            const auto status = processorOf(handle).Encode(absl::string_view(text, bytes), &ids);
            if (!status.ok()) {
                why(context, status.ToString().c_str());
                return false;
            }
        } catch (const std::exception &fault) {
            why(context, fault.what());
            return false;
        }
        for (const int id : ids)
            take(context, id);
        return true;
    },
};

} // namespace

extern "C" __attribute__((visibility("default"))) const ridgepoint::SentencePieceBridge *ridgepoint_sentencepiece()
{
    return &kBridge;
}
