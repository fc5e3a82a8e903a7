// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

/// The machine the program runs on, from /proc and /sys. Absent or NaN where they do not tell.
namespace ridgepoint::host {

std::string cpuName();         ///< "AMD EPYC 9654"
std::string osName();          ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-amd64"
std::string commandLine();     ///< of this process, arguments with spaces quoted
double memoryBytes();          ///< the machine's, or the container's limit where that is smaller
double freeMemoryBytes();      ///< available without swapping, within the container's limit
double residentBytes();        ///< of this process
double lastLevelCacheBytes();  ///< all last-level caches of the CPUs that this process may use, together
bool resetResidentPeak();      ///< false where the kernel does not allow it
double residentPeakBytes();    ///< since the last reset
std::string utcNow();          ///< ISO 8601: "2025-01-31T12:00:00Z"

/// "model name" of a /proc/cpuinfo text; empty: none.
std::string parseCpuName(const std::string &cpuinfo);
/// Bytes of a "Name:   123 kB" line of /proc/meminfo or /proc/self/status.
std::optional<double> parseKilobytes(const std::string &text, const std::string &name);
/// "32M", "512K" of sysfs in bytes.
std::optional<double> parseCacheSize(const std::string &text);

} // namespace ridgepoint::host
