// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tokenizer_parts.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"

#include <fmt/format.h>

#ifdef RIDGEPOINT_HAVE_SENTENCEPIECE
#include "core/checkpoint/sentencepiece_bridge.h"

#include <dlfcn.h>
#include <vector>

// ASan refuses RTLD_DEEPBIND; GCC and Clang say differently that it is there.
#if defined(__SANITIZE_ADDRESS__)
#define RIDGEPOINT_WITH_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RIDGEPOINT_WITH_ASAN
#endif
#endif
#endif

namespace ridgepoint {

#ifdef RIDGEPOINT_HAVE_SENTENCEPIECE

namespace {

constexpr const char *kBridgeName = "ridgepoint-sentencepiece.so";

/// Loads the bridge from beside the code that asks for it (the engine module or the program), or from where the engine lies.
const SentencePieceBridge &bridge(const std::string &model)
{
    static const SentencePieceBridge *loaded = nullptr;
    if (loaded)
        return *loaded;
    std::vector<std::filesystem::path> places;
    if (Dl_info here{}; dladdr(reinterpret_cast<void *>(&bridge), &here) && here.dli_fname) {
        std::error_code error;
        const auto self = std::filesystem::canonical(here.dli_fname, error);
        if (!error)
            for (const char *below : {"", "engine", "../lib/ridgepoint"})
                places.push_back((self.parent_path() / below / kBridgeName).lexically_normal());
    }
    places.emplace_back(std::filesystem::path(RIDGEPOINT_BRIDGE_BUILD_FOLDER) / kBridgeName);
    places.emplace_back(std::filesystem::path(RIDGEPOINT_BRIDGE_INSTALL_FOLDER) / kBridgeName);
    std::string reason = "it was not found beside the engine";
    for (const auto &place : places) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(place, error))
            continue;
        int flags = RTLD_NOW | RTLD_LOCAL;
#if defined(RTLD_DEEPBIND) && !defined(RIDGEPOINT_WITH_ASAN)
        flags |= RTLD_DEEPBIND; // its own protobuf, even where the program itself is linked to libtorch
#endif
        if (void *module = dlopen(place.c_str(), flags)) {
            if (const auto get =
                    reinterpret_cast<SentencePieceBridgeFunction>(dlsym(module, "ridgepoint_sentencepiece"))) {
                loaded = get();
                return *loaded;
            }
        }
        const char *text = dlerror();
        reason = text ? text : "it exports no ridgepoint_sentencepiece";
    }
    throw Error(ErrorKind::Failure,
                fmt::format("{} needs {}, which could not be loaded: {}. Put a tokenizer.json beside the model, or "
                            "install the program again.",
                            model, kBridgeName, reason));
}

class SentencePieceTokenizer : public Tokenizer {
public:
    explicit SentencePieceTokenizer(const std::filesystem::path &file)
        : m_origin(file.string()), m_bridge(bridge(m_origin)), m_processor(nullptr, m_bridge.close)
    {
        constexpr std::size_t limit = std::size_t(256) << 20;
        const std::string model = readWholeFile(file, limit);
        m_processor.reset(m_bridge.open(model.data(), model.size()));
        if (!m_processor || size() <= 0)
            throw Error(ErrorKind::Failure,
                        fmt::format("{} is not a SentencePiece model: download the file again.", m_origin));
        const std::vector<std::int64_t> ids = encode("a");
        m_addsSpace = !ids.empty() && bytesOf(ids.front()).starts_with(' ');
    }

    std::string kind() const override { return "SentencePiece"; }
    std::int64_t size() const override { return m_bridge.size(m_processor.get()); }
    std::string bytesOf(std::int64_t id) const override
    {
        if (id < 0 || id >= size())
            return {};
        std::size_t bytes = 0;
        const char *text = m_bridge.piece(m_processor.get(), int(id), &bytes);
        const std::string piece(text, bytes);
        if (m_bridge.isByte(m_processor.get(), int(id)))
            if (const auto byte = byteOfPiece(piece))
                return std::string(1, char(*byte));
        return withSpaces(piece);
    }
    bool isSpecial(std::int64_t id) const override
    {
        return id >= 0 && id < size() && m_bridge.isSpecial(m_processor.get(), int(id));
    }
    std::vector<std::int64_t> encode(std::string_view text) const override
    {
        struct Result {
            std::vector<std::int64_t> ids;
            std::string reason;
        } result;
        const bool done = m_bridge.encode(
            m_processor.get(), text.data(), text.size(), &result,
            [](void *to, int id) { static_cast<Result *>(to)->ids.push_back(id); },
            [](void *to, const char *reason) { static_cast<Result *>(to)->reason = reason; });
        if (!done)
            throw Error(ErrorKind::Failure,
                        fmt::format("{} cannot encode the text: {}. Check the file or use another text.", m_origin,
                                    result.reason));
        return result.ids;
    }
    std::vector<std::int64_t> promptPrefix() const override
    {
        const int begin = m_bridge.begin(m_processor.get());
        return begin < 0 ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{begin};
    }
    bool addsLeadingSpace() const override { return m_addsSpace; }

private:
    std::string m_origin;
    const SentencePieceBridge &m_bridge;
    std::unique_ptr<void, void (*)(void *)> m_processor;
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
