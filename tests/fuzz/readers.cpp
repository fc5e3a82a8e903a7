// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

#include "core/base/error.h"
#include "core/catalog/catalog.h"
#include "core/catalog/model_config.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/tokenizer.h"
#include "core/session/compare.h"
#include "core/session/import.h"
#include "core/session/journal.h"
#include "core/session/line.h"
#include "core/session/tables.h"

#include <cstdlib>
#include <fstream>
#include <span>
#include <unistd.h>
#include <vector>

using namespace ridgepoint;

namespace fuzz {

namespace {

std::string_view textOf(const std::uint8_t *data, std::size_t size)
{
    return {reinterpret_cast<const char *>(data), size};
}

/// A folder of this process that goes with it.
class Folder {
public:
    Folder() : m_path(std::filesystem::temp_directory_path() / ("ridgepoint-fuzz-" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(m_path / "hardware");
        std::filesystem::create_directories(m_path / "models");
    }
    ~Folder()
    {
        std::error_code fault;
        std::filesystem::remove_all(m_path, fault);
    }
    std::filesystem::path write(const char *name, std::string_view text) const
    {
        const std::filesystem::path path = m_path / name;
        std::ofstream(path, std::ios::binary | std::ios::trunc).write(text.data(), static_cast<std::streamsize>(text.size()));
        return path;
    }
    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

const Folder &folder()
{
    static const Folder own;
    return own;
}

template <typename Read>
void expectError(Read read)
{
    try {
        read();
    } catch (const Error &) {
    }
}

} // namespace

void session(const std::uint8_t *data, std::size_t size)
{
    expectError([&] {
        const Session opened = sessionFromJson(textOf(data, size), "fuzz");
        const std::string text = toJson(opened);
        if (toJson(sessionFromJson(text, "fuzz")) != text)
            std::abort(); // what was read does not survive being saved
        sweepCsv(opened.runs);
        compareSessions({opened, opened});
    });
}

void journal(const std::uint8_t *data, std::size_t size)
{
    const auto path = folder().write("fuzz.journal", textOf(data, size));
    expectError([&] { Journal::recover(path); });
}

void import(const std::uint8_t *data, std::size_t size)
{
    static const Catalog known = Catalog::loadDefault();
    recogniseImport(textOf(data, size));
    expectError([&] {
        Session made = newSession();
        made.runs = importResults(textOf(data, size), "fuzz", {}, known).runs;
        for (const RunRecord &run : made.runs) {
            sweepRows(run);
            importTable(run);
        }
        const std::string text = toJson(made);
        try {
            if (toJson(sessionFromJson(text, "fuzz")) != text)
                std::abort();
        } catch (const Error &) {
            std::abort(); // an imported session must open again
        }
    });
}

void line(const std::uint8_t *data, std::size_t size)
{
    expectError([&] { importLine(textOf(data, size), "fuzz"); });
}

void config(const std::uint8_t *data, std::size_t size)
{
    expectError([&] { countParameters(modelShapeFromConfig(textOf(data, size), "fuzz")); });
}

void safetensors(const std::uint8_t *data, std::size_t size)
{
    const std::vector<std::uint8_t> copy(data, data + size); // of its own size, so that a read beyond the end is seen
    expectError([&] { parseSafetensors(std::as_bytes(std::span(copy)), "fuzz"); });
}

void tokenizer(const std::uint8_t *data, std::size_t size)
{
    folder().write("tokenizer.json", textOf(data, size));
    expectError([&] {
        const auto opened = Tokenizer::open(folder().path());
        if (opened)
            opened->decode(opened->encode("Hello, world! 12 a\xc3\xa9\xe4\xbd\xa0 <s>"));
    });
}

void catalog(const std::uint8_t *data, std::size_t size)
{
    folder().write("hardware/fuzz.json", textOf(data, size));
    folder().write("models/fuzz.json", textOf(data, size));
    expectError([&] { Catalog::load({folder().path()}); });
}

} // namespace fuzz
