// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bandwidth.h"

#include "core/analytic/decode_model.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <thread>

#include <sys/mman.h>

namespace ridgepoint {

namespace {

using Clock = std::chrono::steady_clock;

/// Slices are multiples of this: one turn of four streams.
constexpr std::size_t kTurn = 4 * 256;

/// How one thread walks its slice. Which of these comes nearest to the memory's rate differs between processors (and, on a
/// shared host, from hour to hour), so all are tried.
enum class Walk {
    Plain,   ///< one stream, left to the processor's own prefetching
    Ahead,   ///< one stream, fetched a page ahead: the processor's own prefetching stops at each page
    FourWay, ///< four streams side by side, each fetched a little ahead
};
constexpr Walk kWalks[] = {Walk::Plain, Walk::Ahead, Walk::FourWay};

// Adds up all words between `data` and `data + bytes` in `Streams` streams, `Fetch` bytes ahead (0: not), with vectors as
// wide as one load of the instruction set. A macro and not a template over the width: the compiler splits vectors that are
// wider than the translation unit's own target before it inlines a template into a function of a wider target.
#define RIDGEPOINT_ADD_UP(name, target, vectorBytes)                                                                   \
    template <int Streams, int Fetch>                                                                                  \
    target std::uint64_t name(const std::byte *data, std::size_t bytes)                                                \
    {                                                                                                                  \
        using Vector = std::uint64_t __attribute__((vector_size(vectorBytes)));                                        \
        constexpr int perTurn = 256 / vectorBytes;                                                                     \
        const std::size_t part = bytes / Streams;                                                                      \
        Vector sums[Streams][2] = {};                                                                                  \
        for (std::size_t at = 0; at < part; at += 256) {                                                               \
            _Pragma("GCC unroll 4") for (int s = 0; s < Streams; ++s)                                                  \
            {                                                                                                          \
                const std::byte *from = data + std::size_t(s) * part + at;                                             \
                if constexpr (Fetch > 0) {                                                                             \
                    for (int line = 0; line < 4; ++line)                                                               \
                        __builtin_prefetch(from + Fetch + 64 * line, 0, 0);                                            \
                }                                                                                                      \
                const auto *vector = reinterpret_cast<const Vector *>(from);                                           \
                _Pragma("GCC unroll 16") for (int v = 0; v < perTurn; ++v) sums[s][v % 2] += vector[v];                \
            }                                                                                                          \
        }                                                                                                              \
        std::uint64_t result = 0;                                                                                      \
        for (int s = 0; s < Streams; ++s)                                                                              \
            for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(std::uint64_t); ++lane)                          \
                result += sums[s][0][lane] + sums[s][1][lane];                                                         \
        return result;                                                                                                 \
    }

RIDGEPOINT_ADD_UP(addUpPlain, , 16)
#if defined(__x86_64__)
RIDGEPOINT_ADD_UP(addUpAvx2, [[gnu::target("avx2")]], 32)
RIDGEPOINT_ADD_UP(addUpAvx512, [[gnu::target("avx512f")]], 64)
#endif
#undef RIDGEPOINT_ADD_UP

using AddUp = std::uint64_t (*)(const std::byte *, std::size_t);

/// The loop of a walk with the widest loads that the CPU has.
AddUp addUpFor(Walk walk)
{
    constexpr int kPage = 4096, kNear = 512;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return walk == Walk::Plain   ? addUpAvx512<1, 0>
               : walk == Walk::Ahead ? addUpAvx512<1, kPage>
                                     : addUpAvx512<4, kNear>;
    if (__builtin_cpu_supports("avx2"))
        return walk == Walk::Plain   ? addUpAvx2<1, 0>
               : walk == Walk::Ahead ? addUpAvx2<1, kPage>
                                     : addUpAvx2<4, kNear>;
#endif
    return walk == Walk::Plain   ? addUpPlain<1, 0>
           : walk == Walk::Ahead ? addUpPlain<1, kPage>
                                 : addUpPlain<4, kNear>;
}

/// Memory straight from the system: no page of it is there before a thread touches it.
class Buffer {
public:
    explicit Buffer(std::size_t bytes) : m_bytes(bytes)
    {
        void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return;
        m_data = static_cast<std::byte *>(memory);
        madvise(memory, bytes, MADV_HUGEPAGE); // address translation is not what is measured
    }
    ~Buffer()
    {
        if (m_data)
            munmap(m_data, m_bytes);
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    std::byte *data() const { return m_data; }

private:
    std::byte *m_data = nullptr;
    std::size_t m_bytes;
};

/// xorshift64*: memory compressors and zero pages must find nothing to save.
void fillRandom(std::byte *data, std::size_t bytes, std::uint64_t seed)
{
    std::uint64_t state = seed * 0x9E3779B97F4A7C15ULL + 1;
    for (std::size_t at = 0; at + sizeof state <= bytes; at += sizeof state) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        const std::uint64_t word = state * 0x2545F4914F6CDD1DULL;
        std::memcpy(data + at, &word, sizeof word);
    }
}

/// Runs `work(data, bytes)` over equal slices on `threads` threads, pass after pass; seconds of each pass from the first
/// thread's start to the last one's end. `fill`: each thread first fills its slice with random words.
template <typename Work>
std::vector<double> timePasses(std::byte *data, std::size_t slice, int threads, bool fill, PassBudget budget,
                               const std::stop_token &stop, const Work &work)
{
    struct Span {
        Clock::time_point from, to;
    };
    std::vector<Span> spans(static_cast<std::size_t>(threads));
    std::vector<double> seconds;
    bool over = false;
    std::barrier start(threads), end(threads);
    Clock::time_point began;

    const auto body = [&](int index) {
        std::byte *own = data + static_cast<std::size_t>(index) * slice;
        if (fill)
            fillRandom(own, slice, static_cast<std::uint64_t>(index) + 1);
        for (;;) {
            start.arrive_and_wait();
            if (over)
                return;
            Span &span = spans[static_cast<std::size_t>(index)];
            span.from = Clock::now();
            work(own, slice);
            span.to = Clock::now();
            end.arrive_and_wait();
            if (index != 0)
                continue;
            // The others wait at `start` until the first thread has written its line of the book.
            Clock::time_point first = spans.front().from, last = spans.front().to;
            for (const Span &other : spans) {
                first = std::min(first, other.from);
                last = std::max(last, other.to);
            }
            if (seconds.empty())
                began = first;
            seconds.push_back(std::chrono::duration<double>(last - first).count());
            const int passes = static_cast<int>(seconds.size());
            over = stop.stop_requested() ||
                   (passes >= 3 && (passes >= budget.passes ||
                                    std::chrono::duration<double>(last - began).count() >= budget.seconds));
        }
    };
    std::vector<std::jthread> workers;
    for (int index = 1; index < threads; ++index)
        workers.emplace_back(body, index);
    body(0);
    return seconds;
}

/// Bytes of one thread's slice.
std::size_t sliceOf(std::size_t bytes, int threads)
{
    return bytes / static_cast<std::size_t>(threads) / kTurn * kTurn;
}

} // namespace

std::vector<double> measureHostReads(std::size_t bytes, int threads, PassBudget budget, std::stop_token stop)
{
    const std::size_t slice = sliceOf(bytes, threads);
    const Buffer buffer(std::max(bytes, std::size_t(1)));
    if (!buffer.data() || slice == 0)
        return {};
    std::atomic<std::uint64_t> total = 0; // keeps the sums from being optimised away
    std::vector<double> best;
    budget.seconds /= std::size(kWalks);
    budget.passes = std::max(3, budget.passes / int(std::size(kWalks)));
    for (const Walk walk : kWalks) {
        const AddUp add = addUpFor(walk);
        std::vector<double> rates = timePasses(buffer.data(), slice, threads, walk == kWalks[0], budget,
                                               stop, [&](std::byte *data, std::size_t size) { total += add(data, size); });
        for (double &rate : rates)
            rate = static_cast<double>(slice) * threads / rate;
        if (!rates.empty() && (best.empty() || median(rates) > median(best)))
            best = std::move(rates);
        if (stop.stop_requested())
            break;
    }
    return best;
}

std::vector<double> measureHostCopies(std::size_t bytes, int threads, PassBudget budget, std::stop_token stop)
{
    const std::size_t slice = sliceOf(bytes, threads);
    const Buffer buffer(std::max(bytes, std::size_t(1)));
    if (!buffer.data() || slice == 0)
        return {};
    std::vector<double> rates =
        timePasses(buffer.data(), slice, threads, true, budget, stop, [](std::byte *data, std::size_t size) {
            std::memcpy(data + size / 2, data, size / 2);
        });
    for (double &rate : rates)
        rate = static_cast<double>(slice / 2 * 2) * threads / rate;
    return rates;
}

} // namespace ridgepoint
