// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host_memory.h"

#include "core/base/format.h"
#include "core/torch/decoder.h"
#include "core/torch/host.h"
#include "core/torch/parallel_torch.h"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace ridgepoint {

namespace {

constexpr std::size_t kHugePage = std::size_t(2) << 20;

} // namespace

std::shared_ptr<std::byte> allocateHost(std::size_t bytes, const std::string &what, bool present)
{
    // The margin is what the rest of the process and of the system may need while this run goes on.
    constexpr double kMargin = 128e6;
    const double available = host::freeMemoryBytes();
    if (!std::isnan(available) && double(bytes) + kMargin > available)
        throw OutOfMemory(fmt::format("{} would take {}, but only {} of memory is available (a margin of {} is kept "
                                      "free); choose a smaller batch, context or model.",
                                      what, format::bytes(double(bytes)), format::bytes(available),
                                      format::bytes(kMargin)));
    const std::size_t length = (std::max<std::size_t>(bytes, 1) + kHugePage - 1) / kHugePage * kHugePage;
    // One huge page more than needed, so that the start can be aligned to one.
    void *raw = mmap(nullptr, length + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        throw OutOfMemory(fmt::format("{} would take {}, and the system refused it ({}); choose a smaller batch, "
                                      "context or model.",
                                      what, format::bytes(double(bytes)), std::strerror(errno)));
    auto *start = reinterpret_cast<std::byte *>((reinterpret_cast<std::uintptr_t>(raw) + kHugePage - 1) / kHugePage *
                                                kHugePage);
    std::shared_ptr<std::byte> memory(start,
                                      [raw, length](std::byte *) { munmap(raw, length + kHugePage); });
#if defined(MADV_HUGEPAGE)
    madvise(start, length, MADV_HUGEPAGE); // a wish: without huge pages everything works, slower
#endif
    if (!present)
        return memory;
    // Present now: a page fault in a timed step would be counted as the model's time.
    constexpr std::size_t kTouch = std::size_t(32) << 20;
    parallelTasks(std::int64_t((bytes + kTouch - 1) / kTouch), [&](std::int64_t task, std::int64_t) {
        const std::size_t from = std::size_t(task) * kTouch;
        std::memset(start + from, 0, std::min(kTouch, bytes - from));
    });
    return memory;
}

} // namespace ridgepoint
