// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <string>

/// A field of /proc/self/status in bytes ("VmHWM", "RssAnon"); 0 where there is none.
inline double statusBytes(const std::string &field)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind(field + ":", 0) == 0)
            return std::stod(line.substr(field.size() + 1)) * 1024;
    return 0;
}

/// Lets VmHWM begin again at what is held now.
inline void forgetPeakMemory()
{
    std::ofstream("/proc/self/clear_refs") << "5\n";
}
