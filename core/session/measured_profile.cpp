// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/measured_profile.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/session/json_values.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <system_error>

namespace ridgepoint {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kVersion = 1;
constexpr const char *kFormat = "ridgepoint-measured";
constexpr std::size_t kMaxFileBytes = std::size_t(16) << 20; // a few KB are usual

/// `name` as part of a file name: lower-case letters and digits, all else a single '-'.
std::string fileWord(const std::string &name)
{
    constexpr std::size_t longest = 60;
    std::string word;
    for (const char c : name) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            word += upper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!word.empty() && word.back() != '-')
            word += '-';
        if (word.size() >= longest)
            break;
    }
    while (!word.empty() && word.back() == '-')
        word.pop_back();
    return word.empty() ? "device" : word;
}

std::string whatOf(const fs::path &file)
{
    return fmt::format("The measured profile '{}'", file.string());
}

json parse(const fs::path &file)
{
    return detail::parseBounded(readWholeFile(file, kMaxFileBytes), whatOf(file));
}

bool isProfile(const json &value)
{
    return value.is_object() && value.contains("format") && value["format"] == kFormat;
}

MeasuredProfile read(const json &value, const fs::path &file)
{
    const std::string what = whatOf(file);
    const detail::Node node(value, what);
    if (!isProfile(value))
        node.fail(fmt::format("does not say \"format\": \"{}\"; save one with ridgepoint calibrate", kFormat));
    const auto version = node.at("version").integer(1, 1'000'000);
    if (version > kVersion)
        node.at("version").fail(fmt::format("is {}, which a newer version of this program wrote (this one reads {}); use that "
                                            "version, or calibrate again",
                                            version, kVersion));
    MeasuredProfile profile;
    profile.file = file;
    profile.calibration = detail::readCalibration(node.at("calibration"));
    MeasuredCeilings &ceilings = profile.calibration.ceilings;
    ceilings.deviceName = node.at("device_name").text();
    ceilings.deviceHash = node.textAt("device_hash");
    if (ceilings.deviceName.empty())
        node.at("device_name").fail("is empty; it must name the device that was measured");
    return profile;
}

} // namespace

const MeasuredProfile *MeasuredProfiles::of(const std::string &deviceName, const std::string &deviceHash, int threads) const
{
    for (const MeasuredProfile &profile : profiles) {
        const MeasuredCeilings &c = profile.calibration.ceilings;
        if (c.deviceName == deviceName && c.deviceHash == deviceHash &&
            (!deviceHash.empty() || threads == 0 || c.threads == threads))
            return &profile;
    }
    return nullptr;
}

fs::path measuredProfileFolder()
{
    // The base-directory specification ignores relative paths.
    if (const char *data = std::getenv("XDG_DATA_HOME"); data && *data == '/')
        return fs::path(data) / "ridgepoint" / "measured";
    if (const char *home = std::getenv("HOME"); home && *home == '/')
        return fs::path(home) / ".local" / "share" / "ridgepoint" / "measured";
    throw Error(ErrorKind::Failure, "Neither XDG_DATA_HOME nor HOME is set, so there is no place for measured profiles. Set "
                                    "XDG_DATA_HOME to a folder that you may write to.");
}

fs::path saveMeasuredProfile(const CalibrationResult &calibration, const fs::path &folder)
{
    const MeasuredCeilings &ceilings = calibration.ceilings;
    if (ceilings.deviceName.empty())
        throw Error(ErrorKind::Failure, "The calibration does not say which device it is of, so it cannot be kept as that "
                                        "device's profile; calibrate again with this version of the program.");
    const std::string device =
        !ceilings.deviceHash.empty() ? fileWord(ceilings.deviceHash) : fmt::format("{}-threads", ceilings.threads);
    const fs::path file = folder / fmt::format("{}-{}.json", fileWord(ceilings.deviceName), device);
    const json value{{"format", kFormat},
                     {"version", kVersion},
                     {"device_name", ceilings.deviceName},
                     {"device_hash", ceilings.deviceHash},
                     {"calibration", detail::toValue(calibration)}};
    writeFileAtomically(file, value.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    return file;
}

MeasuredProfile loadMeasuredProfile(const fs::path &file)
{
    return read(parse(file), file);
}

MeasuredProfiles loadMeasuredProfiles(const fs::path &folder)
{
    MeasuredProfiles all;
    std::error_code fault;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end; entry.increment(fault)) {
        if (entry->path().extension() == ".json")
            files.push_back(entry->path());
    }
    if (fault && fault != std::errc::no_such_file_or_directory)
        all.problems.push_back(fmt::format("The folder of measured profiles {} cannot be read: {}.", folder.string(),
                                           fault.message()));
    std::sort(files.begin(), files.end()); // the order of a folder is not the same everywhere
    for (const fs::path &file : files) {
        try {
            all.profiles.push_back(loadMeasuredProfile(file));
        } catch (const Error &error) {
            all.problems.push_back(fmt::format("{} The file is left out.", error.what()));
        }
    }
    std::stable_sort(all.profiles.begin(), all.profiles.end(), [](const MeasuredProfile &a, const MeasuredProfile &b) {
        return a.calibration.ceilings.dateUtc > b.calibration.ceilings.dateUtc; // ISO 8601 sorts as text
    });
    return all;
}

MeasuredCeilings loadCeilings(const fs::path &file)
{
    constexpr std::size_t sessionBytes = std::size_t(1) << 30;
    const std::string text = readWholeFile(file, sessionBytes);
    const std::string what = fmt::format("The file '{}'", file.string());
    if (const json value = detail::parseBounded(text, what); isProfile(value))
        return read(value, file).calibration.ceilings;
    const Session session = sessionFromJson(text, file.string());
    if (const auto ceilings = session.ceilings())
        return *ceilings;
    throw Error(ErrorKind::Failure, fmt::format("{} holds no calibration; run ridgepoint calibrate --out FILE and give that "
                                                "file.",
                                                file.string()));
}

} // namespace ridgepoint
