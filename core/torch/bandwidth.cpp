// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bandwidth.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

#include <sys/mman.h>

namespace ridgepoint {

namespace {

using Clock = std::chrono::steady_clock;

/// Slices are multiples of this: a turn of the widest read loop.
constexpr std::size_t kTurn = 512;

// Adds up all words between `data` and `data + bytes`, with vectors as wide as one load of the instruction set. Eight sums
// hide the latency of the addition. A macro and not a template: the compiler splits vectors that are wider than the
// translation unit's own target before it inlines a template into a function of a wider target.
#define RIDGEPOINT_ADD_UP(name, vectorBytes)                                                                           \
    std::uint64_t name(const std::byte *data, std::size_t bytes)                                                       \
    {                                                                                                                  \
        using Vector = std::uint64_t __attribute__((vector_size(vectorBytes)));                                        \
        Vector a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};                                                                 \
        const auto *vector = reinterpret_cast<const Vector *>(data);                                                   \
        const auto *const last = reinterpret_cast<const Vector *>(data + bytes);                                       \
        for (; vector != last; vector += 8) {                                                                          \
            a += vector[0];                                                                                            \
            b += vector[1];                                                                                            \
            c += vector[2];                                                                                            \
            d += vector[3];                                                                                            \
            e += vector[4];                                                                                            \
            f += vector[5];                                                                                            \
            g += vector[6];                                                                                            \
            h += vector[7];                                                                                            \
        }                                                                                                              \
        const Vector sum = a + b + c + d + e + f + g + h;                                                              \
        std::uint64_t result = 0;                                                                                      \
        for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(std::uint64_t); ++lane)                              \
            result += sum[lane];                                                                                       \
        return result;                                                                                                 \
    }

RIDGEPOINT_ADD_UP(addUpPlain, 16)
#if defined(__x86_64__)
[[gnu::target("avx2")]] RIDGEPOINT_ADD_UP(addUpAvx2, 32)
[[gnu::target("avx512f")]] RIDGEPOINT_ADD_UP(addUpAvx512, 64)
#endif
#undef RIDGEPOINT_ADD_UP

using AddUp = std::uint64_t (*)(const std::byte *, std::size_t);

AddUp widestAddUp()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return addUpAvx512;
    if (__builtin_cpu_supports("avx2"))
        return addUpAvx2;
#endif
    return addUpPlain;
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
/// thread's start to the last one's end.
template <typename Work>
std::vector<double> timePasses(std::byte *data, std::size_t slice, int threads, PassBudget budget,
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
    const AddUp add = widestAddUp();
    std::atomic<std::uint64_t> total = 0; // keeps the sums from being optimised away
    std::vector<double> rates = timePasses(buffer.data(), slice, threads, budget, stop,
                                           [&](std::byte *data, std::size_t size) { total += add(data, size); });
    for (double &rate : rates)
        rate = static_cast<double>(slice) * threads / rate;
    return rates;
}

std::vector<double> measureHostCopies(std::size_t bytes, int threads, PassBudget budget, std::stop_token stop)
{
    const std::size_t slice = sliceOf(bytes, threads);
    const Buffer buffer(std::max(bytes, std::size_t(1)));
    if (!buffer.data() || slice == 0)
        return {};
    std::vector<double> rates =
        timePasses(buffer.data(), slice, threads, budget, stop, [](std::byte *data, std::size_t size) {
            std::memcpy(data + size / 2, data, size / 2);
        });
    for (double &rate : rates)
        rate = static_cast<double>(slice / 2 * 2) * threads / rate;
    return rates;
}

} // namespace ridgepoint
