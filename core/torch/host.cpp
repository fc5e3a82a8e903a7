// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace ridgepoint::host {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The text of a small file of /proc or /sys; empty where it is not there.
std::string slurp(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return file ? text.str() : std::string();
}

std::string trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\n\r");
    if (first == std::string_view::npos)
        return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1));
}

std::optional<double> parseNumber(std::string_view text)
{
    const std::string clean = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(clean.data(), clean.data() + clean.size(), value);
    if (error != std::errc() || end != clean.data() + clean.size())
        return std::nullopt;
    return value;
}

/// Limit and use of one memory control group; the page cache that can be dropped at once does not count as used.
struct GroupMemory {
    double limit = std::numeric_limits<double>::infinity();
    double used = 0;
};

std::optional<double> statEntry(const std::string &stat, const std::string &name)
{
    std::istringstream lines(stat);
    std::string key;
    double value = 0;
    while (lines >> key >> value)
        if (key == name)
            return value;
    return std::nullopt;
}

/// The groups of this process that limit its memory, of version 2 and version 1, ancestors included.
std::vector<GroupMemory> groups()
{
    std::vector<GroupMemory> result;
    std::istringstream lines(slurp("/proc/self/cgroup"));
    std::string line;
    while (std::getline(lines, line)) {
        // "0::/path" (version 2) or "4:memory:/path" (version 1)
        const auto first = line.find(':');
        const auto second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool unified = controllers.empty();
        if (!unified && controllers != "memory")
            continue;
        const std::filesystem::path root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
        std::filesystem::path below = std::filesystem::path(line.substr(second + 1)).relative_path();
        for (;;) {
            const std::filesystem::path folder = root / below;
            const auto limit =
                parseNumber(slurp(folder / (unified ? "memory.max" : "memory.limit_in_bytes")));
            if (limit) { // "max" is no number: no limit here
                GroupMemory group;
                group.limit = *limit;
                const auto used =
                    parseNumber(slurp(folder / (unified ? "memory.current" : "memory.usage_in_bytes")));
                const auto cache = statEntry(slurp(folder / "memory.stat"),
                                             unified ? "inactive_file" : "total_inactive_file");
                group.used = std::max(0.0, used.value_or(0) - cache.value_or(0));
                result.push_back(group);
            }
            if (below.empty())
                break;
            below = below.parent_path();
        }
    }
    return result;
}

std::string quotedArgument(const std::string &argument)
{
    const bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), [](unsigned char c) {
        return std::isalnum(c) || std::string_view("-_./:,=+@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain)
        return argument;
    std::string result = "'";
    for (const char c : argument)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

} // namespace

std::string parseCpuName(const std::string &cpuinfo)
{
    std::istringstream lines(cpuinfo);
    std::string line;
    while (std::getline(lines, line)) {
        const auto colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        const std::string key = trimmed(std::string_view(line).substr(0, colon));
        if (key == "model name" || key == "Model" || key == "cpu model")
            return trimmed(std::string_view(line).substr(colon + 1));
    }
    return {};
}

std::optional<double> parseKilobytes(const std::string &text, const std::string &name)
{
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        if (line.rfind(name + ":", 0) != 0)
            continue;
        std::string value = trimmed(std::string_view(line).substr(name.size() + 1));
        if (value.size() < 3 || value.substr(value.size() - 2) != "kB")
            return std::nullopt;
        const auto number = parseNumber(std::string_view(value).substr(0, value.size() - 2));
        return number ? std::optional<double>(*number * 1024) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> parseCacheSize(const std::string &text)
{
    std::string value = trimmed(text);
    if (value.empty())
        return std::nullopt;
    double unit = 1;
    switch (value.back()) {
    case 'K':
        unit = 1024;
        break;
    case 'M':
        unit = 1024.0 * 1024;
        break;
    case 'G':
        unit = 1024.0 * 1024 * 1024;
        break;
    default:
        break;
    }
    if (unit > 1)
        value.pop_back();
    const auto number = parseNumber(value);
    return number && *number > 0 ? std::optional<double>(*number * unit) : std::nullopt;
}

std::string cpuName()
{
    const std::string name = parseCpuName(slurp("/proc/cpuinfo"));
    if (!name.empty())
        return name;
    utsname system{};
    return uname(&system) == 0 ? fmt::format("{} CPU", system.machine) : "CPU";
}

std::string osName()
{
    std::string distribution;
    std::istringstream lines(slurp("/etc/os-release"));
    std::string line;
    while (std::getline(lines, line)) {
        if (line.rfind("PRETTY_NAME=", 0) == 0) {
            distribution = line.substr(12);
            distribution.erase(std::remove(distribution.begin(), distribution.end(), '"'), distribution.end());
        }
    }
    utsname system{};
    if (uname(&system) != 0)
        return distribution;
    const std::string kernel = fmt::format("{} {}", system.sysname, system.release);
    return distribution.empty() ? kernel : distribution + ", " + kernel;
}

std::string commandLine()
{
    const std::string bytes = slurp("/proc/self/cmdline");
    std::string result;
    std::size_t start = 0;
    while (start < bytes.size()) {
        const std::size_t end = std::min(bytes.find('\0', start), bytes.size());
        std::string argument = bytes.substr(start, end - start);
        if (start == 0)
            argument = argument.substr(argument.rfind('/') + 1); // where the program lies is nobody's business but the host's
        result += (result.empty() ? "" : " ") + quotedArgument(argument);
        start = end + 1;
    }
    return result;
}

double memoryBytes()
{
    double result = parseKilobytes(slurp("/proc/meminfo"), "MemTotal").value_or(kUnknown);
    for (const GroupMemory &group : groups())
        if (!(result <= group.limit)) // true for an unknown total as well
            result = group.limit;
    return result;
}

double freeMemoryBytes()
{
    double result = parseKilobytes(slurp("/proc/meminfo"), "MemAvailable").value_or(kUnknown);
    for (const GroupMemory &group : groups())
        if (const double rest = std::max(0.0, group.limit - group.used); !(result <= rest))
            result = rest;
    return result;
}

double residentBytes()
{
    std::istringstream fields(slurp("/proc/self/statm"));
    double size = 0, resident = 0;
    if (!(fields >> size >> resident))
        return kUnknown;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double lastLevelCacheBytes()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    // Several CPUs share one cache: its list of CPUs names it.
    std::set<std::string> seen;
    double total = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (known && !CPU_ISSET(cpu, &allowed))
            continue;
        const std::filesystem::path folder = fmt::format("/sys/devices/system/cpu/cpu{}/cache", cpu);
        if (std::error_code error; !std::filesystem::is_directory(folder, error)) {
            if (!known)
                break;
            continue;
        }
        double level = 0, bytes = 0;
        std::string sharing;
        for (int index = 0; index < 16; ++index) {
            const std::filesystem::path cache = folder / fmt::format("index{}", index);
            const std::string type = trimmed(slurp(cache / "type"));
            const auto cacheLevel = parseNumber(slurp(cache / "level"));
            const auto size = parseCacheSize(slurp(cache / "size"));
            if (type.empty() || type == "Instruction" || !cacheLevel || !size || *cacheLevel < level)
                continue;
            level = *cacheLevel;
            bytes = *size;
            sharing = trimmed(slurp(cache / "shared_cpu_list"));
        }
        if (level > 0 && seen.insert(sharing.empty() ? fmt::format("cpu{}", cpu) : sharing).second)
            total += bytes;
    }
    return total > 0 ? total : kUnknown;
}

bool resetResidentPeak()
{
    std::ofstream file("/proc/self/clear_refs");
    file << "5" << std::flush;
    return static_cast<bool>(file);
}

double residentPeakBytes()
{
    return parseKilobytes(slurp("/proc/self/status"), "VmHWM").value_or(kUnknown);
}

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

} // namespace ridgepoint::host
