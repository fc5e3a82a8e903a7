// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/catalog/json_fields.h"
#include "core/catalog/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

namespace ridgepoint
{

namespace fs = std::filesystem;

namespace
{

constexpr std::size_t maxCatalogueFileBytes = std::size_t(1) << 20;
constexpr std::size_t maxComparedName = 64;

bool isAlnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string lowered(std::string_view text)
{
    std::string low(text);
    for (char &c : low) {
        if (c >= 'A' && c <= 'Z')
            c = char(c - 'A' + 'a');
    }
    return low;
}

void checkId(const JsonFields &fields, const std::string &id)
{
    const bool sound =
        id.size() <= maxComparedName && isAlnum(id.front()) && std::all_of(id.begin(), id.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
        });
    if (!sound)
        fields.fail("id", fmt::format("must be made of lower-case letters, digits, '-' and '.', and is {}",
                                      quotedForSentence(id)));
}

struct HardwareFile {
    HardwareProfile profile;
    std::vector<std::string> aliases;
};

HardwareFile readHardware(std::string_view text, const std::string &origin)
{
    const nlohmann::json document = parseJsonObject(text, origin);
    const JsonFields fields(document, origin);
    fields.onlyKeys({"id", "name", "vendor", "kind", "memory_bandwidth", "peak_flops", "memory_bytes",
                     "last_level_cache_bytes", "compute_capability", "device_count", "aliases", "note", "sources"});
    HardwareFile file;
    HardwareProfile &profile = file.profile;
    profile.id = fields.text("id");
    checkId(fields, profile.id);
    profile.name = fields.text("name");
    profile.vendor = fields.text("vendor");
    const std::string kind = fields.text("kind");
    if (kind == "gpu")
        profile.kind = DeviceKind::Gpu;
    else if (kind == "cpu")
        profile.kind = DeviceKind::Cpu;
    else if (kind == "integrated")
        profile.kind = DeviceKind::Integrated;
    else
        fields.fail("kind", fmt::format("must be gpu, cpu or integrated, and is {}", quotedForSentence(kind)));

    // The lower ends tell a figure typed in GB/s or TFLOP/s from one in base units.
    profile.memoryBandwidth = fields.number("memory_bandwidth", 1e8, 1e15, "B/s");
    const JsonFields peaks = fields.object("peak_flops");
    peaks.onlyKeys({"fp32", "fp16", "bf16"});
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
        if (peaks.has(dtypeName(dtype)))
            profile.peakFlops[dtype] = peaks.number(dtypeName(dtype), 1e8, 1e18, "FLOP/s");
    }
    if (profile.peakFlops.empty())
        fields.fail("peak_flops", "must hold the rate of fp32, fp16 or bf16");
    if (fields.has("memory_bytes"))
        profile.memoryBytes = fields.number("memory_bytes", 1e7, 1e15, "B");
    if (fields.has("last_level_cache_bytes"))
        profile.lastLevelCacheBytes = fields.number("last_level_cache_bytes", 1e4, 1e12, "B");
    profile.computeCapability = fields.textOr("compute_capability", "");
    profile.deviceCount = int(fields.countOr("device_count", 1, 1, 65536));
    profile.note = fields.textOr("note", "");
    file.aliases = fields.texts("aliases");

    if (const nlohmann::json *sources = fields.find("sources")) {
        if (!sources->is_array())
            fields.fail("sources", "must be a list of {\"figure\", \"source\"}");
        for (std::size_t i = 0; i < sources->size(); ++i) {
            if (!(*sources)[i].is_object())
                fields.fail("sources", "must be a list of {\"figure\", \"source\"}");
            const JsonFields entry((*sources)[i], origin, fmt::format("sources[{}].", i));
            entry.onlyKeys({"figure", "source"});
            profile.sources.push_back({entry.text("figure"), entry.text("source")});
        }
    }
    return file;
}

ModelShape readModel(std::string_view text, const std::string &origin)
{
    const nlohmann::json document = parseJsonObject(text, origin);
    const JsonFields fields(document, origin);
    fields.onlyKeys({"id", "name", "source", "config"});
    const std::string id = fields.text("id");
    checkId(fields, id);
    const std::string name = fields.text("name");
    fields.textOr("source", "");
    ModelShape shape = modelShapeFromConfig(fields.object("config").raw().dump(), origin);
    shape.id = id;
    shape.name = name;
    return shape;
}

std::vector<fs::path> jsonFilesIn(const fs::path &folder, std::vector<std::string> &problems)
{
    std::vector<fs::path> files;
    std::error_code error;
    if (!fs::exists(folder, error))
        return files;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (it->path().extension() == ".json")
            files.push_back(it->path());
    }
    if (error)
        problems.push_back(
            fmt::format("The folder {} cannot be read: {}. Its files are left out.", folder.string(), error.message()));
    std::sort(files.begin(), files.end());
    return files;
}

/// Words of a device name in lower case. A '-' belongs to a word, so "A10-24Q" is no "A10".
std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words;
    std::string word;
    const auto flush = [&] {
        if (!word.empty() && word != "tm" && word != "r") // "(TM)", "(R)"
            words.push_back(word);
        word.clear();
    };
    for (const char c : lowered(name)) {
        if (isAlnum(c) || c == '-' || c == '.' || c == '_' || c == '+')
            word += c;
        else
            flush();
    }
    flush();
    return words;
}

/// Words that make another device of the same number: a laptop's chip, a bigger or cut-down sister, a slice of a card.
bool namesAVariant(const std::string &word)
{
    static constexpr std::array<std::string_view, 15> variants{"laptop", "mobile", "notebook", "max-q", "ti",
                                                               "super",  "d",      "mig",      "pro",   "max",
                                                               "ultra",  "nvl",    "pcie",     "sxm",   "ada"};
    return std::find(variants.begin(), variants.end(), word) != variants.end();
}

/// "80gb", "96g": gigabytes; nothing for any other word.
std::optional<double> memorySizeWord(const std::string &word)
{
    std::size_t digits = 0;
    while (digits < word.size() && digits < 5 && word[digits] >= '0' && word[digits] <= '9')
        ++digits;
    const std::string unit = word.substr(digits);
    if (digits == 0 || (unit != "g" && unit != "gb" && unit != "gib"))
        return std::nullopt;
    return std::stod(word.substr(0, digits));
}

/// True where `alias` stands in `device` as whole words and what is left over does not say that it is another device.
bool aliasFits(const std::vector<std::string> &device, const std::vector<std::string> &alias,
               const HardwareProfile &profile)
{
    const auto at = std::search(device.begin(), device.end(), alias.begin(), alias.end());
    if (alias.empty() || at == device.end())
        return false;
    std::vector<std::string> rest(device.begin(), at);
    rest.insert(rest.end(), at + std::ptrdiff_t(alias.size()), device.end());
    for (const std::string &word : rest) {
        if (namesAVariant(word))
            return false;
        const std::optional<double> gigabytes = memorySizeWord(word);
        if (gigabytes && profile.memoryBytes > 0 && std::abs(*gigabytes * 1e9 / profile.memoryBytes - 1) > 0.1)
            return false;
    }
    return true;
}

/// Edits (insert, delete, replace, swap neighbours) that turn one name into the other.
int editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = int(i + j);
                continue;
            }
            const int replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

/// Letters and digits only, lower case: how people mistype names is mostly in the punctuation.
std::string bare(std::string_view name)
{
    std::string text;
    for (const char c : lowered(name.substr(0, maxComparedName))) {
        if (isAlnum(c) || c == '_')
            text += c;
    }
    return text;
}

template <typename Entry>
const Entry &entryById(const std::vector<Entry> &entries, std::string_view id, std::string_view what,
                       std::string_view verb)
{
    for (const Entry &entry : entries) {
        if (entry.id == id)
            return entry;
    }
    std::vector<std::string> ids;
    for (const Entry &entry : entries)
        ids.push_back(entry.id);
    const std::vector<std::string> near = nearestNames(id, ids);
    const std::string hint = near.empty() ? std::string() : fmt::format(" Nearest: {}.", fmt::join(near, ", "));
    throw Error(ErrorKind::Usage, fmt::format("The catalogue has no {} {}.{} `ridgepoint {}` lists all of them.", what,
                                              quotedForSentence(id), hint, verb));
}

template <typename Entry>
void putById(std::vector<Entry> &entries, Entry entry)
{
    const auto at = std::lower_bound(entries.begin(), entries.end(), entry,
                                     [](const Entry &a, const Entry &b) { return a.id < b.id; });
    if (at != entries.end() && at->id == entry.id)
        *at = std::move(entry);
    else
        entries.insert(at, std::move(entry));
}

bool holdsCatalogue(const fs::path &folder)
{
    std::error_code ignored;
    return fs::is_directory(folder / "hardware", ignored) && fs::is_directory(folder / "models", ignored);
}

std::string environment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

/// Where the shipped files may lie, best first.
std::vector<fs::path> shippedCandidates()
{
    if (const std::string chosen = environment("RIDGEPOINT_RESOURCES"); !chosen.empty())
        return {fs::path(chosen)};
    std::vector<fs::path> candidates;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        candidates.push_back((program.parent_path() / ".." / "share" / "ridgepoint").lexically_normal());
        candidates.push_back(program.parent_path() / "resources");
    }
    candidates.emplace_back(RIDGEPOINT_INSTALLED_RESOURCES);
    candidates.emplace_back(RIDGEPOINT_SOURCE_RESOURCES);
    return candidates;
}

std::optional<fs::path> shippedFolder()
{
    for (const fs::path &candidate : shippedCandidates()) {
        if (holdsCatalogue(candidate))
            return candidate;
    }
    return std::nullopt;
}

std::optional<fs::path> userFolder()
{
    // The XDG rules: a relative XDG_DATA_HOME is to be ignored.
    if (const fs::path data = environment("XDG_DATA_HOME"); data.is_absolute())
        return data / "ridgepoint";
    if (const fs::path home = environment("HOME"); home.is_absolute())
        return home / ".local" / "share" / "ridgepoint";
    return std::nullopt;
}

} // namespace

Catalog Catalog::load(const std::vector<fs::path> &folders)
{
    Catalog catalog;
    for (const fs::path &folder : folders) {
        // Within one folder an id belongs to one file; over folders the later one replaces.
        std::map<std::string, std::string> hardwareFiles, modelFiles;
        const auto claim = [](std::map<std::string, std::string> &files, const std::string &id,
                              const std::string &origin) {
            const auto [at, isNew] = files.emplace(id, origin);
            if (!isNew)
                throw Error(ErrorKind::Failure, fmt::format("{}: the id \"{}\" is already that of {}. The file is left "
                                                            "out; give it an id of its own.",
                                                            origin, id, at->second));
        };
        for (const fs::path &file : jsonFilesIn(folder / "hardware", catalog.m_problems)) {
            try {
                HardwareFile read = readHardware(readWholeFile(file, maxCatalogueFileBytes), file.string());
                const std::string id = read.profile.id;
                claim(hardwareFiles, id, file.string());
                std::erase_if(catalog.m_aliases, [&](const auto &alias) { return alias.second == id; });
                catalog.m_aliases.emplace_back(read.profile.name, id);
                for (std::string &alias : read.aliases)
                    catalog.m_aliases.emplace_back(std::move(alias), id);
                putById(catalog.m_hardware, std::move(read.profile));
            } catch (const Error &error) {
                catalog.m_problems.emplace_back(error.what());
            }
        }
        for (const fs::path &file : jsonFilesIn(folder / "models", catalog.m_problems)) {
            try {
                ModelShape shape = readModel(readWholeFile(file, maxCatalogueFileBytes), file.string());
                claim(modelFiles, shape.id, file.string());
                putById(catalog.m_models, std::move(shape));
            } catch (const Error &error) {
                catalog.m_problems.emplace_back(error.what());
            }
        }
    }
    return catalog;
}

std::vector<fs::path> Catalog::defaultFolders()
{
    std::vector<fs::path> folders;
    if (const auto shipped = shippedFolder())
        folders.push_back(*shipped);
    if (const auto user = userFolder())
        folders.push_back(*user);
    return folders;
}

Catalog Catalog::loadDefault()
{
    if (!shippedFolder()) {
        std::vector<std::string> tried;
        for (const fs::path &candidate : shippedCandidates())
            tried.push_back(candidate.string());
        throw Error(ErrorKind::Failure,
                    fmt::format("The catalogue of devices and models is missing: no folders hardware and models in {}. "
                                "Install Ridgepoint again, or set RIDGEPOINT_RESOURCES to the folder that holds them.",
                                fmt::join(tried, ", ")));
    }
    return load(defaultFolders());
}

const HardwareProfile &Catalog::hardwareById(std::string_view id) const
{
    return entryById(m_hardware, id, "device", "hardware");
}

const ModelShape &Catalog::modelById(std::string_view id) const
{
    return entryById(m_models, id, "model", "models");
}

const HardwareProfile *Catalog::hardwareByDeviceName(std::string_view deviceName) const
{
    const std::vector<std::string> device = wordsOf(deviceName.substr(0, 256));
    if (device.empty())
        return nullptr;
    const HardwareProfile *best = nullptr;
    std::size_t bestLength = 0;
    for (const auto &[alias, id] : m_aliases) {
        const HardwareProfile &profile = hardwareById(id);
        const std::vector<std::string> words = wordsOf(alias);
        std::size_t length = 0;
        if (words == device)
            length = std::size_t(-1); // exact: no longer alias can win
        else if (profile.kind != DeviceKind::Cpu && aliasFits(device, words, profile))
            length = alias.size();
        // Equal length: the later folder's, as with ids.
        if (length > 0 && length >= bestLength) {
            best = &profile;
            bestLength = length;
        }
    }
    return best;
}

std::vector<std::string> nearestNames(std::string_view wanted, const std::vector<std::string> &known)
{
    const std::string target = bare(wanted);
    if (target.empty())
        return {};
    std::vector<std::pair<double, std::string>> ranked;
    for (const std::string &name : known) {
        const std::string candidate = bare(name);
        const int distance = editDistance(target, candidate);
        double rank = distance;
        // A name that was cut short or written too long is nearer than its edits say.
        const bool contained =
            target.size() >= 2 && candidate.size() >= 2 &&
            (candidate.find(target) != std::string::npos || target.find(candidate) != std::string::npos);
        if (contained)
            rank = 0.5 + 0.01 * distance;
        else if (distance > std::max<int>(1, int(std::max(target.size(), candidate.size())) / 3))
            continue;
        ranked.emplace_back(rank, name);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ranked.size() && i < 3; ++i)
        names.push_back(ranked[i].second);
    return names;
}

} // namespace ridgepoint
