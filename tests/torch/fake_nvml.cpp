// SPDX-License-Identifier: GPL-3.0-or-later
// A library in the place of the driver's: one GPU with known figures. FAKE_NVML_* variables choose what it lacks.
#include <cstdlib>
#include <cstring>

namespace {

int g_users = 0; // nvmlInit_v2() less nvmlShutdown()
int g_samples = 0;
int g_gpu = 0;
constexpr int kSuccess = 0, kUninitialized = 1, kInvalidArgument = 2, kNotSupported = 3, kNotFound = 6, kNoDriver = 9;

bool asked(const char *name)
{
    const char *const value = std::getenv(name);
    return value && *value;
}

int give(void *device, unsigned *to, unsigned value)
{
    if (g_users <= 0)
        return kUninitialized;
    if (device != &g_gpu)
        return kInvalidArgument;
    *to = value;
    return kSuccess;
}

} // namespace

extern "C" {

int fake_nvml_users() { return g_users; }
int fake_nvml_samples() { return g_samples; }

int nvmlInit_v2()
{
    if (asked("FAKE_NVML_NO_DRIVER"))
        return kNoDriver;
    ++g_users;
    return kSuccess;
}
int nvmlShutdown()
{
    --g_users;
    return kSuccess;
}
const char *nvmlErrorString(int code)
{
    return code == kNotFound ? "Not Found" : code == kNoDriver ? "Driver Not Loaded" : "Other";
}
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    if (std::strcmp(uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f") != 0 &&
        std::strcmp(uuid, "MIG-11111111-0405-0607-0809-0a0b0c0d0e0f") != 0)
        return kNotFound;
    *device = &g_gpu;
    return kSuccess;
}
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *clock)
{
    ++g_samples;
    return give(device, clock, which == 1 ? 1980 : which == 2 ? 3201 : 0);
}
int nvmlDeviceGetMaxClockInfo(void *device, int which, unsigned *clock)
{
    return give(device, clock, which == 1 ? 2000 : which == 2 ? 3300 : 0);
}
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    return sensor == 0 ? give(device, celsius, 41) : kInvalidArgument;
}
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    return asked("FAKE_NVML_NO_POWER") ? kNotSupported : give(device, milliwatts, 651500);
}
// Only the name of drivers before 535, as the oldest that are in use have it.
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    unsigned checked = 0;
    const int code = give(device, &checked, 0);
    *reasons = 0x4 | 0x20;
    return code;
}
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts) { return give(device, milliwatts, 700000); }
int nvmlDeviceGetEccMode(void *device, int *current, int *pending)
{
    unsigned checked = 0;
    *current = 1;
    *pending = 0;
    return give(device, &checked, 0);
}
int nvmlSystemGetDriverVersion(char *text, unsigned length)
{
    std::strncpy(text, "550.54.15", length);
    return kSuccess;
}

} // extern "C"
