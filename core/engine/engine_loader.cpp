// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>

namespace ridgepoint {

namespace {

constexpr const char *kModuleName = "ridgepoint-engine.so";

/// Folder of the running program; empty where /proc is not there.
std::filesystem::path programFolder()
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::path() : program.parent_path();
}

bool isFile(const std::filesystem::path &path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

const char *overridePath()
{
    const char *value = std::getenv("RIDGEPOINT_ENGINE");
    return value && *value ? value : nullptr;
}

std::string lastLoadError()
{
    const char *text = dlerror();
    return text ? text : "no reason given";
}

/// True when `reason` of dlerror() begins with a library of CUDA or of a libtorch with CUDA.
bool lacksCuda(const std::string &reason)
{
    const std::string library = reason.substr(0, reason.find(':'));
    for (const char *const part : {"libcu", "cuda", "libnccl", "libnv", "libcaffe2_nvrtc"})
        if (library.find(part) != std::string::npos && library.find(kModuleName) == std::string::npos)
            return true;
    return false;
}

} // namespace

std::vector<std::filesystem::path> engineCandidates()
{
    // The user's own choice is final: falling back from it would hide a mistyped path.
    if (const char *chosen = overridePath())
        return {chosen};
    std::vector<std::filesystem::path> result;
    const std::filesystem::path folder = programFolder();
    if (!folder.empty()) {
        result.push_back(folder / kModuleName);
        result.push_back(folder / "engine" / kModuleName);
        result.push_back((folder / ".." / "lib" / "ridgepoint" / kModuleName).lexically_normal());
    }
    result.push_back(std::filesystem::path(RIDGEPOINT_ENGINE_INSTALL_FOLDER) / kModuleName);
    return result;
}

std::filesystem::path findEngineModule()
{
    for (const std::filesystem::path &candidate : engineCandidates())
        if (isFile(candidate))
            return candidate;
    return {};
}

std::unique_ptr<Engine> loadEngine()
{
    const std::filesystem::path found = findEngineModule();
    if (found.empty()) {
        if (const char *chosen = overridePath())
            throw Error(ErrorKind::Failure,
                        fmt::format("The engine module {} that RIDGEPOINT_ENGINE names is not a file: correct the "
                                    "variable, or unset it to use the engine that belongs to this program.",
                                    chosen));
        std::string places;
        for (const std::filesystem::path &candidate : engineCandidates())
            places += (places.empty() ? "" : ", ") + candidate.string();
        throw Error(ErrorKind::Failure,
                    fmt::format("The engine module {} was not found (looked for {}). Prediction, import and reports work "
                                "without it; to measure, install libtorch (Debian: libtorch-dev and "
                                "libopenblas0-pthread) and build with RIDGEPOINT_ENGINE=ON, or set the environment "
                                "variable RIDGEPOINT_ENGINE to the module's path.",
                                kModuleName, places));
    }

    // Now rather than lazily: a library that does not fit must be told here, not by an abort in the middle of a run.
    // Local: libtorch's many symbols must not meet those of the window's libraries.
    const std::filesystem::path path = std::filesystem::absolute(found);
    void *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        const std::string reason = lastLoadError();
        if (lacksCuda(reason))
            throw Error(ErrorKind::Failure,
                        fmt::format("The engine module {} is built for CUDA and could not be loaded: {}. A libtorch for the CPU "
                                    "alone does not bring that library: put the folders of the libtorch with CUDA that it was "
                                    "built against into LD_LIBRARY_PATH (of a Python torch: torch/lib and nvidia/*/lib), or "
                                    "build the engine again without CUDA.",
                                    path.string(), reason));
        throw Error(ErrorKind::Failure,
                    fmt::format("The engine module {} could not be loaded: {}. If a library is missing there, install "
                                "it (libtorch: Debian's libtorch-dev) or put its folder into LD_LIBRARY_PATH; "
                                "otherwise build the engine again on this machine.",
                                path.string(), reason));
    }

    const auto abi = reinterpret_cast<EngineAbiFunction>(dlsym(module, "ridgepoint_engine_abi"));
    const auto create = reinterpret_cast<EngineCreateFunction>(dlsym(module, "ridgepoint_engine_create"));
    if (!abi || !create) {
        dlclose(module);
        throw Error(ErrorKind::Failure,
                    fmt::format("{} is a library but no engine of this program: it does not export "
                                "ridgepoint_engine_abi and ridgepoint_engine_create. Build the target "
                                "ridgepoint-engine and use its {}.",
                                path.string(), kModuleName));
    }
    if (const int version = abi(); version != kEngineAbi) {
        dlclose(module);
        throw Error(ErrorKind::Failure,
                    fmt::format("The engine module {} has interface version {}, this program needs {}: they come from "
                                "different builds. Build or install both from the same source.",
                                path.string(), version, kEngineAbi));
    }
    Engine *engine = create();
    if (!engine)
        throw Error(ErrorKind::Failure,
                    fmt::format("The engine module {} loaded but could not start: too little memory is free. Close other "
                                "programs and try again.",
                                path.string()));
    return std::unique_ptr<Engine>(engine);
}

} // namespace ridgepoint
