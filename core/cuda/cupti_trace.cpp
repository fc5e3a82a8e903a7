// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/cupti_trace.h"

#ifdef RIDGEPOINT_CUPTI_KERNEL

#include <cuda_runtime_api.h>
#include <cupti.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace ridgepoint {

namespace {

using KernelRecord = RIDGEPOINT_CUPTI_KERNEL;
using MemcpyRecord = RIDGEPOINT_CUPTI_MEMCPY;
using MemsetRecord = RIDGEPOINT_CUPTI_MEMSET;

/// Of the toolkit that a version of the interface came with (cupti_version.h has the table).
constexpr int majorOf(std::uint32_t version)
{
    return version >= 10000 ? static_cast<int>(version / 10000) : version >= 19 ? 12 : version >= 13 ? 11 : 10;
}
constexpr int kBuiltFor = majorOf(CUPTI_API_VERSION);

std::string versionText(std::uint32_t version)
{
    if (version >= 10000)
        return fmt::format("CUPTI {}.{}", version / 10000, version / 100 % 100);
    return fmt::format("CUPTI interface {} (CUDA {})", version, majorOf(version));
}

/// What CUPTI's threads hand over. Lives as long as the process: buffers can come back late.
class Buffers {
public:
    static Buffers &instance()
    {
        static Buffers *const only = new Buffers;
        return *only;
    }

    struct Buffer {
        std::uint8_t *memory;
        std::size_t valid;
    };
    static constexpr std::size_t kBytes = 4 << 20;
    static constexpr std::size_t kAlign = 8;

    static void CUPTIAPI requested(std::uint8_t **buffer, std::size_t *size, std::size_t *records)
    {
        *records = 0;
        *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(kAlign, kBytes));
        *size = *buffer ? kBytes : 0;
    }
    static void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t, std::size_t valid)
    {
        Buffers &self = instance();
        const std::lock_guard lock(self.m_mutex);
        self.m_full.push_back({buffer, valid});
    }

    std::vector<Buffer> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_full, {});
    }

private:
    std::mutex m_mutex;
    std::vector<Buffer> m_full;
};

struct Functions {
    decltype(&::cuptiGetVersion) getVersion = nullptr;
    decltype(&::cuptiGetResultString) resultString = nullptr;
    decltype(&::cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityDisable) disable = nullptr;
    decltype(&::cuptiActivityFlushAll) flushAll = nullptr;
    decltype(&::cuptiActivityGetNextRecord) nextRecord = nullptr;
    decltype(&::cuptiActivityGetNumDroppedRecords) dropped = nullptr;
    decltype(&::cuptiActivityPushExternalCorrelationId) push = nullptr;
    decltype(&::cuptiActivityPopExternalCorrelationId) pop = nullptr;
};

std::filesystem::path folderOf(const void *symbol)
{
    Dl_info info{};
    if (!dladdr(symbol, &info) || !info.dli_fname)
        return {};
    std::error_code fault;
    const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, fault);
    return fault ? std::filesystem::path(info.dli_fname).parent_path() : file.parent_path();
}

/// Where CUPTI may lie, the loader's own path first: beside the CUDA runtime that is loaded, in the packages beside it, in a
/// toolkit.
std::vector<std::string> candidates()
{
    std::vector<std::string> names;
    for (const int major : {kBuiltFor, kBuiltFor == 13 ? 12 : 13})
        names.push_back(fmt::format("libcupti.so.{}", major));
    names.emplace_back("libcupti.so");
    std::vector<std::filesystem::path> folders;
    if (const auto runtime = folderOf(reinterpret_cast<const void *>(&cudaGetDeviceCount)); !runtime.empty()) {
        folders.push_back(runtime);
        folders.push_back(runtime / "../../cuda_cupti/lib"); // a wheel's folder of each library
        folders.push_back(runtime / "../extras/CUPTI/lib64");
        folders.push_back(runtime / "../../../extras/CUPTI/lib64"); // targets/ARCH/lib
    }
    // Wheels lie beside torch: site-packages/torch/lib and site-packages/nvidia/...
    if (void *const torch = dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD)) {
        if (link_map *map = nullptr; dlinfo(torch, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name) {
            std::error_code fault;
            const auto lib = std::filesystem::weakly_canonical(map->l_name, fault).parent_path();
            folders.push_back(lib);
            folders.push_back(lib / "../../nvidia/cuda_cupti/lib");
            folders.push_back(lib / fmt::format("../../nvidia/cu{}/lib", kBuiltFor));
        }
        dlclose(torch);
    }
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char *const home = std::getenv(variable); home && *home) {
            folders.push_back(std::filesystem::path(home) / "extras/CUPTI/lib64");
            folders.push_back(std::filesystem::path(home) / "lib64");
        }
    }
    folders.emplace_back("/usr/local/cuda/extras/CUPTI/lib64");
    folders.emplace_back("/usr/local/cuda/lib64");

    std::vector<std::string> result = names;
    for (const auto &folder : folders) {
        for (const std::string &name : names) {
            std::error_code fault;
            if (std::filesystem::exists(folder / name, fault))
                result.push_back((folder / name).lexically_normal().string());
        }
    }
    return result;
}

class Library {
public:
    /// The library, loaded once and kept; null with the reason.
    static const Library *open(std::string &why)
    {
        static std::string problem;
        static const std::unique_ptr<Library> only = load(problem);
        why = problem;
        return only.get();
    }

    Functions call;
    std::uint32_t version = 0;

    std::string words(CUptiResult status) const
    {
        const char *text = nullptr;
        if (call.resultString && call.resultString(status, &text) == CUPTI_SUCCESS && text)
            return text;
        return fmt::format("error {}", static_cast<int>(status));
    }

private:
    static std::unique_ptr<Library> load(std::string &problem)
    {
        std::string other; // one of another major version was found
        for (const std::string &path : candidates()) {
            void *const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (!handle)
                continue;
            auto library = std::make_unique<Library>();
            if (!library->resolve(handle)) {
                other = fmt::format("{} lacks functions that the tracer needs", path);
            } else if (majorOf(library->version) != kBuiltFor) {
                other = fmt::format("the library found is {} and this engine was built for that of CUDA {}, whose records have "
                                    "another layout",
                                    versionText(library->version), kBuiltFor);
            } else {
                return library; // never closed: its threads may be at work
            }
            dlclose(handle);
        }
        problem = other.empty() ? fmt::format("There is no trace: CUPTI (libcupti.so.{}) was not found. It comes with the CUDA "
                                              "toolkit and with PyTorch's packages; put its folder on LD_LIBRARY_PATH.",
                                              kBuiltFor)
                                : fmt::format("There is no trace: {}. Put the folder of libcupti.so.{} on LD_LIBRARY_PATH.", other,
                                              kBuiltFor);
        return nullptr;
    }

    bool resolve(void *handle)
    {
        bool all = true;
        const auto find = [&](auto &function, const char *name) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
            all = all && function;
        };
        find(call.getVersion, "cuptiGetVersion");
        find(call.resultString, "cuptiGetResultString");
        find(call.registerCallbacks, "cuptiActivityRegisterCallbacks");
        find(call.enable, "cuptiActivityEnable");
        find(call.disable, "cuptiActivityDisable");
        find(call.flushAll, "cuptiActivityFlushAll");
        find(call.nextRecord, "cuptiActivityGetNextRecord");
        find(call.dropped, "cuptiActivityGetNumDroppedRecords");
        find(call.push, "cuptiActivityPushExternalCorrelationId");
        find(call.pop, "cuptiActivityPopExternalCorrelationId");
        return all && call.getVersion(&version) == CUPTI_SUCCESS;
    }
};

std::string demangled(const char *name)
{
    if (!name)
        return "(a kernel without a name)";
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? text.get() : name;
}

class CuptiTracer final : public StepTracer, private PartMarks {
public:
    explicit CuptiTracer(const Library &library) : m_library(library) {}
    ~CuptiTracer() override { stop(); }

    std::string name() const override { return versionText(m_library.version); }
    PartMarks *marks() override { return this; }
    bool needsMarks() const override { return false; }

    void start(bool marked) override
    {
        stop();
        check(m_library.call.registerCallbacks(&Buffers::requested, &Buffers::completed), "take its records");
        enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        enable(CUPTI_ACTIVITY_KIND_MEMCPY);
        enable(CUPTI_ACTIVITY_KIND_MEMSET);
        if (marked) {
            // A mark is tied to the call that launches a kernel, and the kernel to that call: all three are needed.
            enable(CUPTI_ACTIVITY_KIND_RUNTIME);
            enable(CUPTI_ACTIVITY_KIND_DRIVER);
            enable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
        }
        std::size_t before = 0;
        m_library.call.dropped(nullptr, 0, &before); // counts from here on
        m_marked = marked;
        m_marks.clear();
    }

    std::vector<TracedKernel> take() override
    {
        check(m_library.call.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "hand over its records");
        std::vector<Found> found;
        std::unordered_map<std::uint32_t, std::uint64_t> markOf;
        bool whole = true;
        for (const Buffers::Buffer &buffer : Buffers::instance().take()) {
            CUpti_Activity *record = nullptr;
            CUptiResult status = CUPTI_SUCCESS;
            while (buffer.memory && buffer.valid > 0 &&
                   (status = m_library.call.nextRecord(buffer.memory, buffer.valid, &record)) == CUPTI_SUCCESS)
                read(*record, found, markOf);
            whole = whole && (status == CUPTI_SUCCESS || status == CUPTI_ERROR_MAX_LIMIT_REACHED);
            std::free(buffer.memory);
        }
        std::size_t dropped = 0;
        if (m_library.call.dropped(nullptr, 0, &dropped) == CUPTI_SUCCESS && dropped > 0)
            whole = false;
        const std::vector<Mark> marks = std::exchange(m_marks, {});
        if (!whole)
            throw Error(ErrorKind::Failure, "CUPTI lost records of the step.");

        std::stable_sort(found.begin(), found.end(), [](const Found &a, const Found &b) { return a.start < b.start; });
        std::vector<TracedKernel> kernels;
        for (const Found &f : found) {
            TracedKernel kernel;
            kernel.name = f.name;
            kernel.startSeconds = static_cast<double>(f.start - found.front().start) * 1e-9;
            kernel.seconds = static_cast<double>(f.end - f.start) * 1e-9;
            kernel.stream = static_cast<int>(f.stream);
            const auto mark = markOf.find(f.correlation);
            if (mark != markOf.end() && mark->second >= 1 && mark->second <= marks.size()) {
                kernel.part = marks[mark->second - 1].part;
                kernel.layer = marks[mark->second - 1].layer;
            }
            kernels.push_back(std::move(kernel));
        }
        return kernels;
    }

    void stop() override
    {
        end();
        for (const CUpti_ActivityKind kind : m_enabled)
            m_library.call.disable(kind);
        if (!m_enabled.empty())
            m_library.call.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        m_enabled.clear();
        for (const Buffers::Buffer &buffer : Buffers::instance().take())
            std::free(buffer.memory);
        m_marked = false;
    }

private:
    struct Mark {
        StepPart part;
        int layer;
    };
    struct Found {
        std::string name;
        std::uint64_t start, end;
        std::uint32_t stream, correlation;
    };

    void check(CUptiResult status, const char *what) const
    {
        if (status == CUPTI_SUCCESS)
            return;
        std::string text = fmt::format("CUPTI could not {}: {}", what, m_library.words(status));
        if (status == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
            text += ", the driver keeps its counters for administrators";
        if (status == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
            text += ", another profiler is at work in this process";
        throw Error(ErrorKind::Failure, text + ".");
    }

    void enable(CUpti_ActivityKind kind)
    {
        check(m_library.call.enable(kind), "be switched on");
        m_enabled.push_back(kind);
    }

    void begin(StepPart part, int layer, const char *) override
    {
        if (!m_marked)
            return;
        end();
        m_marks.push_back({part, layer});
        m_open = m_library.call.push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, m_marks.size()) == CUPTI_SUCCESS;
    }
    void end() override
    {
        if (m_open)
            m_library.call.pop(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, nullptr);
        m_open = false;
    }

    static void read(const CUpti_Activity &record, std::vector<Found> &found,
                     std::unordered_map<std::uint32_t, std::uint64_t> &markOf)
    {
        const auto add = [&](std::string name, const auto &r) {
            if (r.end >= r.start && r.start > 0)
                found.push_back({std::move(name), r.start, r.end, r.streamId, r.correlationId});
        };
        switch (record.kind) {
        case CUPTI_ACTIVITY_KIND_KERNEL:
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto &kernel = reinterpret_cast<const KernelRecord &>(record);
            add(shortKernelName(demangled(kernel.name)), kernel);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            add("memcpy", reinterpret_cast<const MemcpyRecord &>(record));
            break;
        case CUPTI_ACTIVITY_KIND_MEMSET:
            add("memset", reinterpret_cast<const MemsetRecord &>(record));
            break;
        case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
            const auto &tie = reinterpret_cast<const CUpti_ActivityExternalCorrelation &>(record);
            if (tie.externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0)
                markOf[tie.correlationId] = tie.externalId;
            break;
        }
        default:
            break;
        }
    }

    const Library &m_library;
    std::vector<CUpti_ActivityKind> m_enabled;
    std::vector<Mark> m_marks;
    bool m_marked = false, m_open = false;
};

} // namespace

std::unique_ptr<StepTracer> openCuptiTracer(std::string &why)
{
    const Library *const library = Library::open(why);
    return library ? std::make_unique<CuptiTracer>(*library) : nullptr;
}

} // namespace ridgepoint

#else

namespace ridgepoint {

std::unique_ptr<StepTracer> openCuptiTracer(std::string &why)
{
    why = "There is no trace: this engine was built without the headers of CUPTI, which come with the CUDA toolkit.";
    return nullptr;
}

} // namespace ridgepoint

#endif
