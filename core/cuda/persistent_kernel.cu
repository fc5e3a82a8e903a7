// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/persistent_kernel.h"

#include "core/cuda/device_parts.cuh"

#include <algorithm>

// For older cards the kernel is empty, and what it would call is not used.
#pragma nv_diag_suppress 177

namespace ridgepoint::cuda {

namespace {

constexpr int kComputeWarps = 8;
constexpr int kComputeThreads = kComputeWarps * kWarp;
constexpr int kLoadWarps = 3;         ///< one thread of each issues copies: a single one would be too slow for short rows
constexpr int kBlockThreads = kComputeThreads + (kLoadWarps + 1) * kWarp; ///< the last warp adds up and hands on
constexpr int kRows = 16;             ///< of weights that are multiplied together: the long side of the tensor cores' product
constexpr int kChunk = 32;            ///< columns that a warp multiplies at a time
constexpr int kStride = kComputeWarps * kChunk; ///< columns of a slice come in multiples of it
constexpr int kRowPad = 64;           ///< bytes behind a row in a slot: neighbouring rows lie in other banks
constexpr int kSlotBytes = kRows * (2 * kStride * 2 + kRowPad); ///< of the ring: what one wait makes available
constexpr int kMostSlots = 12;
constexpr int kPartJobs = 4;          ///< jobs whose sums can wait to be added up
constexpr int kCacheBytes = 16 * 1024; ///< keys or values in a slot
constexpr int kHeldSlots = 4;         ///< of keys or values that are read before their slots are given back
constexpr int kScores = 2048;         ///< positions that one block attends to
constexpr int kSplitFrom = 512;       ///< positions of a head that blocks share between them;
constexpr int kSplitFew = 136;        ///< where heads are few, so that their parts are few words to join
constexpr int kFewHeads = 16;
constexpr int kMostSplits = 4;
constexpr int kMaxDim = 256;
constexpr int kHold = 4;              ///< greatest number of four-element pieces of the residual stream that a thread keeps

// ---- words with a flag ----

// A word is one access of 64 bits, so that value and flag can't come apart.
__device__ inline void publish(uint2 *to, unsigned value, unsigned flag)
{
    asm volatile("{\n.reg .b64 word;\nmov.b64 word, {%1, %2};\nst.relaxed.gpu.global.b64 [%0], word;\n}" ::"l"(to), "r"(value), "r"(flag)
                 : "memory");
}
__device__ inline uint2 peek(const uint2 *from)
{
    uint2 v;
    asm volatile("{\n.reg .b64 word;\nld.relaxed.gpu.global.b64 word, [%2];\nmov.b64 {%0, %1}, word;\n}" : "=r"(v.x), "=r"(v.y) : "l"(from) : "memory");
    return v;
}
__device__ inline uint4 peekTwo(const uint2 *from)
{
    uint4 v;
    asm volatile("{\n.reg .b64 low, high;\nld.relaxed.gpu.global.v2.b64 {low, high}, [%4];\nmov.b64 {%0, %1}, low;\nmov.b64 {%2, %3}, high;\n}"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from)
                 : "memory");
    return v;
}
/// Waits for one of the words that this warp is about to read, in one lane: if all of them looked again and again, those that
/// write would have to wait for them.
__device__ inline void gate(const uint2 *from, unsigned flag)
{
    if (threadIdx.x % kWarp == 0)
        while (peek(from).y != flag) {
        }
    __syncwarp();
}
/// Two neighbouring words, `v` being what was read of them already.
__device__ inline uint2 awaitedTwo(const uint2 *from, uint4 v, unsigned flag)
{
    while (v.y != flag || v.w != flag)
        v = peekTwo(from);
    return make_uint2(v.x, v.z);
}
template <typename T>
__device__ inline float2 unpacked(unsigned bits)
{
    T both[2];
    memcpy(both, &bits, 4);
    return make_float2(toFloat(both[0]), toFloat(both[1]));
}

// ---- barriers and bulk copies ----

__device__ inline unsigned sharedAddress(const void *at) { return unsigned(__cvta_generic_to_shared(at)); }
/// Barriers go by their address in shared memory.
__device__ inline void barrierInit(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
__device__ inline void barrierArrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void barrierExpect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void barrierWait(unsigned barrier, unsigned parity)
{
    asm volatile("{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(
                     barrier),
                 "r"(parity)
                 : "memory");
}
__device__ inline void bulkCopy(unsigned to, const void *from, unsigned bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from),
                 "r"(bytes), "r"(barrier)
                 : "memory");
}
/// The computing warps.
__device__ inline void computeSync() { asm volatile("bar.sync 1, %0;" ::"n"(kComputeThreads) : "memory"); }

// ---- how a product is dealt out ----

/// A job is up to sixteen rows of weights, gated: up to eight gate rows with their up rows. Jobs are as many for each block,
/// dealt in turn so that the blocks together read memory from front to back, and as even as two results in a word allow. A slot
/// of the ring holds a slice of the columns of a job's rows. The loaders and the warps go through the same slots.
struct Product {
    int rows, columns, grains, slices, sliceColumns, dealt, jobs; ///< grains: pairs of results, which a word holds
    bool gated;
    __device__ void set(int rowsOfResult, int columnsOfWeight, bool isGated)
    {
        rows = rowsOfResult, columns = columnsOfWeight, gated = isGated;
        grains = (rows + 1) / 2;
        const int blocks = int(gridDim.x), grainsOfJob = gated ? kRows / 4 : kRows / 2;
        dealt = ((grains + blocks - 1) / blocks + grainsOfJob - 1) / grainsOfJob;
        const int rowsOfJob = (grains + blocks * dealt - 1) / (blocks * dealt) * (gated ? 4 : 2);
        sliceColumns = (kSlotBytes / rowsOfJob - kRowPad) / (2 * kStride) * kStride;
        slices = (columns + sliceColumns - 1) / sliceColumns;
        jobs = dealt == 1 && firstOf(0) == endOf(0) ? 0 : dealt; // a block of a very small product may have none
    }
    /// First result of a job of this block, and the one behind its last.
    __device__ int firstOf(int job) const { return shareOf(unsigned(job) * gridDim.x + blockIdx.x); }
    __device__ int endOf(int job) const { return min(rows, shareOf(unsigned(job) * gridDim.x + blockIdx.x + 1)); }
    __device__ int shareOf(unsigned turn) const { return 2 * int(unsigned(grains) * turn / (unsigned(dealt) * gridDim.x)); }
    __device__ int columnsOf(int slice) const { return min(sliceColumns, columns - slice * sliceColumns); }
};

struct Ring {
    unsigned char *memory;
    unsigned address; ///< of memory in shared memory
    unsigned full, empty; ///< first of the barriers
    int slots, slot;
    unsigned parity;
    __device__ unsigned char *at() const { return memory + slot * kSlotBytes; }
    __device__ unsigned place() const { return address + unsigned(slot * kSlotBytes); }
    __device__ unsigned fullNow() const { return full + unsigned(slot) * 8; }
    __device__ unsigned emptyNow() const { return empty + unsigned(slot) * 8; }
    __device__ void waitFull() const { barrierWait(fullNow(), parity); }
    __device__ void waitEmpty() const { barrierWait(emptyNow(), parity ^ 1); }
    __device__ void advance()
    {
        if (++slot == slots) {
            slot = 0;
            parity ^= 1;
        }
    }
};

/// What part of a layer's attention is this block's.
struct Attending {
    bool any;
    int head, kvHead, split, splits, first, end, known; ///< positions [first, end), those below `known` in the cache already
};
__host__ __device__ inline int mostSplits(int blocks, int heads)
{
    const int room = blocks / heads;
    return room < kMostSplits ? room : kMostSplits;
}
__device__ inline Attending attending(const PersistentArgs &a, std::int64_t window, int position)
{
    Attending t;
    const int begin = window > 0 ? max(0, position + 1 - int(window)) : 0;
    const int count = position + 1 - begin;
    const int from = a.heads > kFewHeads ? kSplitFrom : kSplitFew;
    t.splits = min(mostSplits(a.blocks, a.heads), (count + from - 1) / from);
    t.any = int(blockIdx.x) < a.heads * t.splits;
    t.head = int(blockIdx.x) / t.splits;
    t.split = int(blockIdx.x) % t.splits;
    t.kvHead = t.head / (a.heads / a.kvHeads);
    const int each = (count + t.splits - 1) / t.splits;
    t.first = begin + t.split * each;
    t.end = min(t.first + each, position + 1);
    t.known = min(t.end, position);
    return t;
}

/// Where the words of each kind lie. Each kind is written again a layer later, when every block has long read it: it could
/// not have written what came between.
struct Exchange {
    uint2 *qkv, *mixed, *weight, *added, *active, *down, *best;
    unsigned *step; ///< steps done
};
struct ExchangeSizes {
    std::int64_t qkv, mixed, weight, added, active, best;
    std::int64_t words() const { return qkv + mixed + weight + 2 * added + active + best + 2; }
};
ExchangeSizes exchangeSizes(const PersistentArgs &a)
{
    const auto even = [](std::int64_t n) { return (n + 1) / 2 * 2; };
    return {even(std::int64_t(a.heads + 2 * a.kvHeads) * a.headDim / 2), even(std::int64_t(a.heads) * kMostSplits * a.headDim / 2),
            even(std::int64_t(a.heads) * kMostSplits), even(a.hidden / 2), even(a.ffn / 2), 2 * std::int64_t(a.blocks)};
}

// ---- the loader ----

/// `loader` of kLoadWarps, one thread of each: rows in turn.
__device__ void loadProduct(Ring &ring, const void *weight, const Product p, int loader)
{
    const std::int64_t rowBytes = std::int64_t(p.columns) * 2;
    for (int job = 0; job < p.jobs; ++job) {
        const int first = p.firstOf(job), count = p.endOf(job) - first, all = p.gated ? 2 * count : count;
        const unsigned char *from = static_cast<const unsigned char *>(weight) + (first + loader) * rowBytes;
        const std::int64_t toUp = (p.rows - count) * rowBytes; // from where the gate's rows end
        const int own = (all - loader + kLoadWarps - 1) / kLoadWarps;
        for (int slice = 0; slice < p.slices; ++slice) {
            const int bytes = p.columnsOf(slice) * 2, pitch = bytes + kRowPad;
            const unsigned full = ring.fullNow();
            unsigned to = ring.place() + unsigned(loader * pitch);
            ring.waitEmpty();
            barrierExpect(full, unsigned(own * bytes));
            const unsigned char *at = from;
            for (int row = loader; row < all; row += kLoadWarps) {
                bulkCopy(to, row < count ? at : at + toUp, unsigned(bytes), full);
                to += unsigned(kLoadWarps * pitch);
                at += kLoadWarps * rowBytes;
            }
            from += p.sliceColumns * 2;
            ring.advance();
        }
    }
}

__device__ void loadCache(Ring &ring, const void *side, const Attending &t, const PersistentArgs &a, int loader)
{
    const int each = kCacheBytes / (a.headDim * 2);
    const unsigned char *from =
        static_cast<const unsigned char *>(side) + (std::int64_t(t.kvHead) * a.maxContext) * a.headDim * 2;
    int turn = 0;
    for (int first = t.first; first < t.known; first += each) {
        const unsigned bytes = turn++ % kLoadWarps == loader ? unsigned(min(each, t.known - first)) * unsigned(a.headDim) * 2 : 0;
        ring.waitEmpty();
        barrierExpect(ring.fullNow(), bytes);
        if (bytes > 0)
            bulkCopy(ring.place(), from + std::int64_t(first) * a.headDim * 2, bytes, ring.fullNow());
        ring.advance();
    }
}

// ---- the computing warps ----

struct Best {
    float value;
    int index;
};
__device__ inline Best better(Best a, Best b) { return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a; }

struct Shared {
    unsigned char *normed; ///< input of the products behind a norm, of the dtype
    unsigned char *plain;  ///< of the others; scores of the attention meanwhile
    float *outs;           ///< [kComputeWarps][headDim] of the attention
    float *sums;           ///< [kComputeWarps]
    float (*parts)[kComputeWarps][kRows]; ///< [kPartJobs]: sums of a job's rows over the columns of a warp
    unsigned partDone;                    ///< [kPartJobs] barriers
    volatile unsigned *addedUp;           ///< jobs whose sums are no longer needed
};

/// weight x input, as far as sums over the columns of each warp: they share those of each slot. `jobs`: before this product.
template <typename T>
__device__ void multiply(Ring &ring, const Shared &shared, const unsigned char *in, const Product p, unsigned &jobs)
{
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, r = lane / 4, c = lane % 4;
    const int own = (warp * kChunk + c * kVec) * 2; // bytes
    in += own;
    for (int job = 0; job < p.jobs; ++job, ++jobs) {
        const int count = p.endOf(job) - p.firstOf(job);
        // Rows that are not there read one that is; nobody looks at their sums.
        const int low = min(r, count - 1), high = p.gated ? count + low : min(r + 8, count - 1);
        const unsigned char *x = in;
        float sum[2][4] = {};
        for (int slice = 0; slice < p.slices; ++slice) {
            const int columns = p.columnsOf(slice), pitch = columns * 2 + kRowPad;
            const unsigned char *w0 = ring.at() + low * pitch + own, *w1 = ring.at() + high * pitch + own;
            const int whole = columns / kStride;
            const auto chunk = [&](int i) {
                const uint4 a = *reinterpret_cast<const uint4 *>(w0 + i * kStride * 2), b = *reinterpret_cast<const uint4 *>(w1 + i * kStride * 2);
                const uint4 v = *reinterpret_cast<const uint4 *>(x + i * kStride * 2);
                multiplyAdd<T>(sum[0], a.x, b.x, a.y, b.y, v.x, v.y);
                multiplyAdd<T>(sum[1], a.z, b.z, a.w, b.w, v.z, v.w);
            };
            ring.waitFull();
            if (whole == 2) {
                chunk(0);
                chunk(1);
            } else {
#pragma unroll 2
                for (int i = 0; i < whole; ++i)
                    chunk(i);
            }
            if (whole * kStride < columns) {
                uint4 a = make_uint4(0, 0, 0, 0), b = a, v = a;
                if (whole * kStride * 2 + own < columns * 2) {
                    a = *reinterpret_cast<const uint4 *>(w0 + whole * kStride * 2);
                    b = *reinterpret_cast<const uint4 *>(w1 + whole * kStride * 2);
                    v = *reinterpret_cast<const uint4 *>(x + whole * kStride * 2);
                }
                multiplyAdd<T>(sum[0], a.x, b.x, a.y, b.y, v.x, v.y);
                multiplyAdd<T>(sum[1], a.z, b.z, a.w, b.w, v.z, v.w);
            }
            __syncwarp();
            if (lane == 0)
                barrierArrive(ring.emptyNow());
            ring.advance();
            x += p.sliceColumns * 2;
        }
        while (jobs - *shared.addedUp >= kPartJobs) {
        }
        if (c == 0) {
            shared.parts[jobs % kPartJobs][warp][r] = sum[0][0] + sum[1][0];
            shared.parts[jobs % kPartJobs][warp][r + 8] = sum[0][2] + sum[1][2];
        }
        __syncwarp();
        if (lane == 0)
            barrierArrive(shared.partDone + jobs % kPartJobs * 8);
    }
}

/// The last warp's side of a product: finish(first result of a job, results, sum) for each job, where lanes 0 to 15 have the sum
/// of a row each; gated, lanes 8 to 15 those of the up rows.
template <typename Finish>
__device__ void addUp(const Shared &shared, const Product p, unsigned &jobs, Finish &&finish)
{
    const int lane = threadIdx.x % kWarp;
    for (int job = 0; job < p.jobs; ++job) {
        const int first = p.firstOf(job), count = p.endOf(job) - first;
        barrierWait(shared.partDone + jobs % kPartJobs * 8, jobs / kPartJobs & 1);
        float sum = 0;
#pragma unroll
        for (int w = 0; w < kComputeWarps / 2; ++w)
            sum += shared.parts[jobs % kPartJobs][2 * w + lane / kRows][lane % kRows];
        sum += __shfl_down_sync(kAllLanes, sum, kRows);
        ++jobs;
        if (lane == 0)
            *shared.addedUp = jobs;
        finish(first, count, sum);
    }
}

/// Sum over the computing warps, in every thread of theirs.
__device__ inline float computeSum(float x, float *sums)
{
    x = warpSum(x);
    if (threadIdx.x % kWarp == 0)
        sums[threadIdx.x / kWarp] = x;
    computeSync();
    x = sums[threadIdx.x % kComputeWarps];
#pragma unroll
    for (int step = kComputeWarps / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(kAllLanes, x, step);
    return x;
}

/// The attention of one head over one part of the context.
template <typename T>
__device__ void attend(Ring &ring, const Shared &shared, const PersistentArgs &a, const PersistentLayer &layer, const Exchange &x,
                       const Attending &t, int position, unsigned flag)
{
    __shared__ float query[kMaxDim], newKey[kMaxDim], newValue[kMaxDim];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, dim = a.headDim, half = dim / 2;
    const bool owns = t.end == position + 1; // the new position is this block's
    if (warp < 3) { // query, key and value; a lane has two neighbouring elements and those that they are rotated with
        constexpr int kTurns = kMaxDim / 4 / kWarp;
        const int head = warp == 0 ? t.head : a.heads + (warp - 1) * a.kvHeads + t.kvHead;
        const float *norm = warp == 0 ? layer.qNorm : warp == 1 ? layer.kNorm : nullptr;
        const uint2 *words = x.qkv + head * half;
        float2 low[kTurns], high[kTurns], lowNorm[kTurns], highNorm[kTurns], cosine[kTurns], sine[kTurns];
        float squares = 0;
#pragma unroll
        for (int i = 0; i < kTurns; ++i) {
            const int w = lane + i * kWarp;
            if (w >= half / 2)
                continue;
            cosine[i] = __ldg(reinterpret_cast<const float2 *>(a.cosine + std::int64_t(position) * half) + w);
            sine[i] = __ldg(reinterpret_cast<const float2 *>(a.sine + std::int64_t(position) * half) + w);
            if (norm) {
                lowNorm[i] = __ldg(reinterpret_cast<const float2 *>(norm) + w);
                highNorm[i] = __ldg(reinterpret_cast<const float2 *>(norm) + w + half / 2);
            }
            float2 lowBias = make_float2(0, 0), highBias = lowBias;
            if (layer.qkvBias) {
                lowBias = __ldg(reinterpret_cast<const float2 *>(layer.qkvBias) + head * half + w);
                highBias = __ldg(reinterpret_cast<const float2 *>(layer.qkvBias) + head * half + w + half / 2);
            }
            uint2 lowWord = peek(words + w), highWord = peek(words + w + half / 2);
            while (lowWord.y != flag || highWord.y != flag) {
                lowWord = peek(words + w);
                highWord = peek(words + w + half / 2);
            }
            low[i] = unpacked<T>(lowWord.x);
            high[i] = unpacked<T>(highWord.x);
            low[i].x += lowBias.x, low[i].y += lowBias.y, high[i].x += highBias.x, high[i].y += highBias.y;
            squares += low[i].x * low[i].x + low[i].y * low[i].y + high[i].x * high[i].x + high[i].y * high[i].y;
        }
        const float scale = norm ? rsqrtf(warpSum(squares) / float(dim) + a.eps) : 1.0f;
        const bool writes = owns && t.head % (a.heads / a.kvHeads) == 0;
        const std::int64_t place = (std::int64_t(t.kvHead) * a.maxContext + position) * dim;
#pragma unroll
        for (int i = 0; i < kTurns; ++i) {
            const int w = lane + i * kWarp;
            if (w >= half / 2)
                continue;
            float2 l = low[i], h = high[i];
            if (norm) {
                l.x *= scale * lowNorm[i].x, l.y *= scale * lowNorm[i].y;
                h.x *= scale * highNorm[i].x, h.y *= scale * highNorm[i].y;
            }
            if (warp < 2) {
                const float2 c = cosine[i], s = sine[i], before = l;
                l.x = l.x * c.x - h.x * s.x, l.y = l.y * c.y - h.y * s.y;
                h.x = h.x * c.x + before.x * s.x, h.y = h.y * c.y + before.y * s.y;
            }
            if (warp == 0) {
                const float factor = a.scale * 1.4426950408889634f; // powers of two below
                l.x *= factor, l.y *= factor, h.x *= factor, h.y *= factor;
                reinterpret_cast<float2 *>(query)[w] = l;
                reinterpret_cast<float2 *>(query)[w + half / 2] = h;
                continue;
            }
            const unsigned lowBits = pair<T>(l.x, l.y), highBits = pair<T>(h.x, h.y);
            float2 *kept = reinterpret_cast<float2 *>(warp == 1 ? newKey : newValue);
            kept[w] = unpacked<T>(lowBits);
            kept[w + half / 2] = unpacked<T>(highBits);
            if (writes) {
                unsigned *side = reinterpret_cast<unsigned *>(static_cast<T *>(warp == 1 ? layer.keys : layer.values) + place);
                side[w] = lowBits;
                side[w + half / 2] = highBits;
            }
        }
    }
    computeSync();

    const int lanes = dim / kVec, sub = lane % lanes, within = lane / lanes, together = kWarp / lanes; // positions at once
    const int each = kCacheBytes / (dim * 2);
    float *scores = reinterpret_cast<float *>(shared.plain);
    // All warps read each slot; one thread gives back many at a time.
    int held = 0;
    const auto giveBack = [&] { // behind a barrier
        if (int(threadIdx.x) < held) {
            const int slot = ring.slot - 1 - int(threadIdx.x);
            for (int w = 0; w < kComputeWarps; ++w)
                barrierArrive(ring.empty + unsigned(slot < 0 ? slot + ring.slots : slot) * 8);
        }
        held = 0;
    };
    const auto give = [&] {
        ring.advance();
        if (++held < kHeldSlots)
            return;
        computeSync();
        giveBack();
    };
    float q[kVec];
#pragma unroll
    for (int i = 0; i < kVec; ++i)
        q[i] = query[sub * kVec + i];
    // What a lane has of a score; then the whole, for several at once.
    const auto dot = [&](const float (&k)[kVec]) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            sum += q[i] * k[i];
        return sum;
    };
    constexpr int kAtOnce = 4;
    const int stride = kComputeWarps * together;
    for (int first = t.first; first < t.known; first += each) {
        const int n = min(each, t.known - first);
        ring.waitFull();
        const T *keys = reinterpret_cast<const T *>(ring.at()) + sub * kVec;
        for (int base = warp * together; base < n; base += kAtOnce * stride) {
            float score[kAtOnce];
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) {
                float k[kVec];
                load(keys + min(base + within + j * stride, n - 1) * dim, k);
                score[j] = dot(k);
            }
            for (int step = lanes / 2; step > 0; step /= 2)
#pragma unroll
                for (int j = 0; j < kAtOnce; ++j)
                    score[j] += __shfl_xor_sync(kAllLanes, score[j], step);
            if (sub == 0)
#pragma unroll
                for (int j = 0; j < kAtOnce; ++j)
                    if (base + within + j * stride < n)
                        scores[first - t.first + base + within + j * stride] = score[j];
        }
        give();
    }
    if (owns && warp == kComputeWarps - 1) {
        float k[kVec];
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            k[i] = newKey[sub * kVec + i];
        float score = dot(k);
        for (int step = lanes / 2; step > 0; step /= 2)
            score += __shfl_xor_sync(kAllLanes, score, step);
        if (lane == 0)
            scores[position - t.first] = score;
    }
    computeSync();
    giveBack();

    const int count = t.end - t.first;
    float most = -INFINITY;
    for (int i = lane; i < count; i += kWarp)
        most = fmaxf(most, scores[i]);
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        most = fmaxf(most, __shfl_xor_sync(kAllLanes, most, step));
    float out[kVec] = {}, total = 0;
    for (int first = t.first; first < t.known; first += each) {
        const int n = min(each, t.known - first);
        ring.waitFull();
        const T *values = reinterpret_cast<const T *>(ring.at()) + sub * kVec;
        for (int base = warp * together + within; base < n; base += kAtOnce * stride) {
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) {
                const int at = base + j * stride;
                const float weight = at < n ? exp2f(scores[first - t.first + min(at, n - 1)] - most) : 0.0f;
                float v[kVec];
                load(values + min(at, n - 1) * dim, v);
                total += weight;
#pragma unroll
                for (int i = 0; i < kVec; ++i)
                    out[i] += weight * v[i];
            }
        }
        give();
    }
    if (owns && warp == 0 && within == 0) {
        const float weight = exp2f(scores[position - t.first] - most);
        total += weight;
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            out[i] += weight * newValue[sub * kVec + i];
    }
    for (int step = lanes; step < kWarp; step *= 2) {
        total += __shfl_xor_sync(kAllLanes, total, step);
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            out[i] += __shfl_xor_sync(kAllLanes, out[i], step);
    }
    float *outs = shared.outs;
    if (within == 0) {
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            outs[warp * dim + sub * kVec + i] = out[i];
        if (sub == 0)
            shared.sums[warp] = total;
    }
    computeSync();
    giveBack();
    if (int(threadIdx.x) < half) {
        float low = 0, high = 0, sum = 0;
#pragma unroll
        for (int w = 0; w < kComputeWarps; ++w) {
            const float2 both = *reinterpret_cast<const float2 *>(outs + w * dim + 2 * threadIdx.x);
            low += both.x;
            high += both.y;
            sum += shared.sums[w];
        }
        const int item = t.head * t.splits + t.split;
        publish(x.mixed + item * half + threadIdx.x, pair<T>(low / sum, high / sum), flag);
        if (threadIdx.x == 0 && t.splits > 1)
            publish(x.weight + item, __float_as_uint(most + log2f(sum)), flag);
    }
}

/// Words -> input of a product, as they are.
template <int kAtOnce>
__device__ void takeWords(unsigned char *in, const uint2 *words, int count, unsigned flag)
{
    if (int(threadIdx.x / kWarp * kWarp) < count / 2)
        gate(words + 2 * (threadIdx.x / kWarp * kWarp), flag);
    for (int base = threadIdx.x; base < count / 2; base += kAtOnce * kComputeThreads) {
        uint4 seen[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i)
            if (base + i * kComputeThreads < count / 2)
                seen[i] = peekTwo(words + 2 * (base + i * kComputeThreads));
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            const int at = base + i * kComputeThreads;
            if (at < count / 2)
                reinterpret_cast<uint2 *>(in)[at] = awaitedTwo(words + 2 * at, seen[i], flag);
        }
    }
}

/// The parts of the attention -> input of the output product.
template <typename T>
__device__ void takeMixed(unsigned char *in, const PersistentArgs &a, const Exchange &x, int splits, unsigned flag)
{
    const int half = a.headDim / 2, count = a.heads * half;
    if (splits == 1) {
        takeWords<2>(in, x.mixed, count, flag);
        return;
    }
    if (int(threadIdx.x / kWarp * kWarp) < count / 2)
        gate(x.mixed + 2 * (threadIdx.x / kWarp * kWarp) / half * splits * half, flag);
    for (int at = threadIdx.x; at < count / 2; at += kComputeThreads) {
        const int head = 2 * at / half, within = 2 * at % half;
        uint4 seen[kMostSplits];
        uint2 weights[kMostSplits];
#pragma unroll
        for (int s = 0; s < kMostSplits; ++s)
            if (s < splits) {
                seen[s] = peekTwo(x.mixed + (head * splits + s) * half + within);
                weights[s] = peek(x.weight + head * splits + s);
            }
        float most = -INFINITY, log[kMostSplits];
#pragma unroll
        for (int s = 0; s < kMostSplits; ++s)
            if (s < splits) {
                while (weights[s].y != flag)
                    weights[s] = peek(x.weight + head * splits + s);
                log[s] = __uint_as_float(weights[s].x);
                most = fmaxf(most, log[s]);
            }
        float4 sum = make_float4(0, 0, 0, 0);
        float total = 0;
#pragma unroll
        for (int s = 0; s < kMostSplits; ++s)
            if (s < splits) {
                const float weight = exp2f(log[s] - most);
                const uint2 both = awaitedTwo(x.mixed + (head * splits + s) * half + within, seen[s], flag);
                const float2 low = unpacked<T>(both.x), high = unpacked<T>(both.y);
                sum.x += weight * low.x, sum.y += weight * low.y, sum.z += weight * high.x, sum.w += weight * high.y;
                total += weight;
            }
        reinterpret_cast<uint2 *>(in)[at] =
            make_uint2(pair<T>(sum.x / total, sum.y / total), pair<T>(sum.z / total, sum.w / total));
    }
}

/// Adds the words to the residual stream, which every block keeps a copy of, four elements a thread and piece; its norm ->
/// input of a product. `words` null: nothing to add.
template <typename T, int kPieces>
__device__ void takeAdded(const Shared &shared, float (&residual)[kPieces][4], const uint2 *words, const float *norm, int hidden,
                          float eps, unsigned flag)
{
    float4 weight[kPieces];
    uint4 seen[kPieces];
#pragma unroll
    for (int i = 0; i < kPieces; ++i)
        if (int(threadIdx.x) + i * kComputeThreads < hidden / 4)
            weight[i] = __ldg(reinterpret_cast<const float4 *>(norm) + threadIdx.x + i * kComputeThreads);
    if (words) {
        if (int(threadIdx.x / kWarp * kWarp) < hidden / 4)
            gate(words + 2 * (threadIdx.x / kWarp * kWarp), flag);
#pragma unroll
        for (int i = 0; i < kPieces; ++i)
            if (int(threadIdx.x) + i * kComputeThreads < hidden / 4)
                seen[i] = peekTwo(words + 2 * (threadIdx.x + i * kComputeThreads));
    }
    float squares = 0;
#pragma unroll
    for (int i = 0; i < kPieces; ++i) {
        const int at = threadIdx.x + i * kComputeThreads;
        if (at < hidden / 4) {
            if (words) {
                const uint2 both = awaitedTwo(words + 2 * at, seen[i], flag);
                const float2 low = unpacked<T>(both.x), high = unpacked<T>(both.y);
                residual[i][0] += low.x, residual[i][1] += low.y, residual[i][2] += high.x, residual[i][3] += high.y;
            }
#pragma unroll
            for (int e = 0; e < 4; ++e)
                squares += residual[i][e] * residual[i][e];
        }
    }
    const float scale = rsqrtf(computeSum(squares, shared.sums) / float(hidden) + eps);
#pragma unroll
    for (int i = 0; i < kPieces; ++i) {
        const int at = threadIdx.x + i * kComputeThreads;
        if (at < hidden / 4)
            reinterpret_cast<uint2 *>(shared.normed)[at] =
                make_uint2(pair<T>(residual[i][0] * scale * weight[i].x, residual[i][1] * scale * weight[i].y),
                           pair<T>(residual[i][2] * scale * weight[i].z, residual[i][3] * scale * weight[i].w));
    }
    computeSync();
}

/// The last warp: adds up what the others multiplied, and hands it on.
template <typename T>
__device__ void addUpAll(const Shared &shared, const PersistentArgs &a, const Exchange &x, const PersistentLayer *layers,
                         const Product *products, unsigned step)
{
    const int lane = threadIdx.x % kWarp;
    unsigned flag = step * unsigned(a.layerCount + 1), jobs = 0;
    // Two neighbouring results -> a word.
    const auto handOn = [&](uint2 *words, const float *bias) {
        return [=](int first, int count, float sum) {
            if (bias && lane < count)
                sum += bias[first + lane];
            const float next = __shfl_down_sync(kAllLanes, sum, 1);
            if (lane < count && lane % 2 == 0)
                publish(words + (first + lane) / 2, pair<T>(sum, next), flag);
        };
    };
    for (int l = 0; l < a.layerCount; ++l) {
        const PersistentLayer &layer = layers[l];
        ++flag;
        addUp(shared, products[0], jobs, handOn(x.qkv, nullptr));
        addUp(shared, products[1], jobs, handOn(x.added, layer.oBias));
        addUp(shared, products[2], jobs, [&](int first, int count, float sum) {
            const int row = lane % 8;
            if (layer.gateUpBias && row < count && lane < kRows)
                sum += layer.gateUpBias[(lane < 8 ? 0 : a.ffn) + first + row];
            const float up = __shfl_down_sync(kAllLanes, sum, 8);
            const float own = activated(sum, a.gelu) * up;
            const float next = __shfl_down_sync(kAllLanes, own, 1);
            if (lane < count && lane % 2 == 0)
                publish(x.active + (first + lane) / 2, pair<T>(own, next), flag);
        });
        addUp(shared, products[3], jobs, handOn(x.down, layer.downBias));
    }
    ++flag;
    Best best{-INFINITY, 0};
    addUp(shared, products[4], jobs, [&](int first, int count, float sum) {
        if (lane >= count)
            return;
        const T kept = fromFloat<T>(sum);
        static_cast<T *>(a.logits)[first + lane] = kept;
        best = better(best, {toFloat(kept), first + lane});
    });
    const auto ofWarp = [](Best b) {
#pragma unroll
        for (int step = kWarp / 2; step > 0; step /= 2)
            b = better(b, {__shfl_xor_sync(kAllLanes, b.value, step), __shfl_xor_sync(kAllLanes, b.index, step)});
        return b;
    };
    best = ofWarp(best);
    if (lane == 0) {
        publish(x.best + 2 * blockIdx.x, __float_as_uint(best.value), flag);
        publish(x.best + 2 * blockIdx.x + 1, unsigned(best.index), flag);
    }
    if (blockIdx.x != 0)
        return;
    for (int i = lane; i < int(gridDim.x); i += kWarp) {
        const uint2 both = awaitedTwo(x.best + 2 * i, peekTwo(x.best + 2 * i), flag);
        best = better(best, {__uint_as_float(both.x), int(both.y)});
    }
    best = ofWarp(best);
    if (lane == 0) {
        const std::int64_t position = *a.position;
        a.tokens[position + 1] = best.index;
        *a.position = position + 1;
        *x.step = step + 1;
    }
}

template <typename T, int kPieces>
__global__ void __launch_bounds__(kBlockThreads, 1) persistentKernel(PersistentArgs a, Exchange x, int slots, int normedBytes, int plainBytes)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char dynamic[];
    __shared__ std::uint64_t barriers[2 * kMostSlots + kPartJobs];
    __shared__ float sums[kComputeWarps], parts[kPartJobs][kComputeWarps][kRows];
    __shared__ unsigned addedUp;
    __shared__ Product products[5]; // q/k/v, output, gate and up, down, head
    unsigned char *behind = dynamic + slots * kSlotBytes;
    unsigned full = sharedAddress(barriers), memory = sharedAddress(dynamic);
    // Kept: the compiler would otherwise derive them anew at each use, which takes longer than the use.
    asm volatile("" : "+r"(full), "+r"(memory));
    Ring ring{dynamic, memory, full, full + kMostSlots * 8, slots, 0, 0};
    const Shared shared{behind, behind + normedBytes, reinterpret_cast<float *>(behind + normedBytes + plainBytes), sums, parts, full + 2 * kMostSlots * 8,
                        &addedUp};
    PersistentLayer *layers = reinterpret_cast<PersistentLayer *>(shared.outs + kComputeWarps * a.headDim);
    const int queries = a.heads * a.headDim;
    if (int(threadIdx.x) < slots) {
        barrierInit(full + threadIdx.x * 8, kLoadWarps);
        barrierInit(full + (kMostSlots + threadIdx.x) * 8, kComputeWarps);
    }
    if (threadIdx.x < kPartJobs)
        barrierInit(full + (2 * kMostSlots + threadIdx.x) * 8, kComputeWarps);
    if (threadIdx.x == 0)
        addedUp = 0;
    if (threadIdx.x % kWarp == 0 && threadIdx.x / kWarp < 5) {
        const int which = threadIdx.x / kWarp;
        products[which].set(which == 0   ? queries + 2 * a.kvHeads * a.headDim
                            : which == 2 ? a.ffn
                            : which == 4 ? a.vocab
                                         : a.hidden,
                            which == 1 ? queries : which == 3 ? a.ffn : a.hidden, which == 2);
    }
    for (int i = threadIdx.x; i < a.layerCount * int(sizeof(PersistentLayer) / 8); i += kBlockThreads)
        reinterpret_cast<std::uint64_t *>(layers)[i] = reinterpret_cast<const std::uint64_t *>(a.layers)[i];
    const int position = int(*a.position);
    const unsigned step = *x.step;
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();

    const int lane = threadIdx.x % kWarp;
    if (threadIdx.x >= kComputeThreads + kLoadWarps * kWarp) {
        addUpAll<T>(shared, a, x, layers, products, step);
        return;
    }
    if (threadIdx.x >= kComputeThreads) {
        if (lane != 0)
            return;
        const int loader = threadIdx.x / kWarp - kComputeWarps;
        for (int l = 0; l < a.layerCount; ++l) {
            const PersistentLayer &layer = layers[l];
            loadProduct(ring, layer.qkv, products[0], loader);
            const Attending t = attending(a, layer.window, position);
            if (t.any) {
                loadCache(ring, layer.keys, t, a, loader);
                loadCache(ring, layer.values, t, a, loader);
            }
            loadProduct(ring, layer.o, products[1], loader);
            loadProduct(ring, layer.gateUp, products[2], loader);
            loadProduct(ring, layer.down, products[3], loader);
        }
        loadProduct(ring, a.head, products[4], loader);
        return;
    }

    float residual[kPieces][4] = {};
    const T *row = static_cast<const T *>(a.embedding) + a.tokens[position] * a.hidden;
#pragma unroll
    for (int i = 0; i < kPieces; ++i) {
        const int at = threadIdx.x + i * kComputeThreads;
        if (at < a.hidden / 4) {
            const uint2 both = __ldg(reinterpret_cast<const uint2 *>(row) + at);
            const float2 low = unpacked<T>(both.x), high = unpacked<T>(both.y);
            residual[i][0] = low.x, residual[i][1] = low.y, residual[i][2] = high.x, residual[i][3] = high.y;
        }
    }
    unsigned flag = step * unsigned(a.layerCount + 1);
    unsigned jobs = 0;
    const uint2 *added = nullptr;
    for (int l = 0; l < a.layerCount; ++l) {
        const PersistentLayer &layer = layers[l];
        takeAdded<T, kPieces>(shared, residual, added, layer.inputNorm, a.hidden, a.eps, flag);
        ++flag;
        multiply<T>(ring, shared, shared.normed, products[0], jobs);
        const Attending t = attending(a, layer.window, position);
        if (t.any)
            attend<T>(ring, shared, a, layer, x, t, position, flag);
        takeMixed<T>(shared.plain, a, x, t.splits, flag);
        computeSync();
        multiply<T>(ring, shared, shared.plain, products[1], jobs);
        takeAdded<T, kPieces>(shared, residual, x.added, layer.postNorm, a.hidden, a.eps, flag);
        multiply<T>(ring, shared, shared.normed, products[2], jobs);
        takeWords<6>(shared.plain, x.active, a.ffn / 2, flag);
        computeSync();
        multiply<T>(ring, shared, shared.plain, products[3], jobs);
        added = x.down;
    }
    takeAdded<T, kPieces>(shared, residual, added, a.finalNorm, a.hidden, a.eps, flag);
    multiply<T>(ring, shared, shared.normed, products[4], jobs);
#endif // elsewhere it is not launched
}

constexpr std::int64_t kFixedShared = 3 * kMaxDim * 4 + kPartJobs * kComputeWarps * kRows * 4 + 1024 + 1024; ///< static; the system's own

struct Layout {
    int slots;
    std::int64_t normedBytes, plainBytes, bytes;
};
Layout layout(const PersistentArgs &a, std::int64_t sharedLimit)
{
    const auto aligned = [](std::int64_t bytes) { return (bytes + 127) / 128 * 128; };
    Layout l;
    l.normedBytes = aligned(a.hidden * 2);
    l.plainBytes = aligned(std::max<std::int64_t>({a.ffn * std::int64_t(2), std::int64_t(a.heads) * a.headDim * 2, kScores * 4}));
    const std::int64_t rest = l.normedBytes + l.plainBytes + kComputeWarps * std::int64_t(a.headDim) * 4 +
                              a.layerCount * std::int64_t(sizeof(PersistentLayer));
    l.slots = int(std::clamp<std::int64_t>((sharedLimit - rest - kFixedShared) / kSlotBytes, 0, kMostSlots));
    l.bytes = l.slots * std::int64_t(kSlotBytes) + rest;
    return l;
}

template <typename T, int kPieces>
cudaError_t launch(const PersistentArgs &a, std::int64_t sharedLimit, cudaStream_t stream)
{
    const Layout l = layout(a, sharedLimit);
    const ExchangeSizes sizes = exchangeSizes(a);
    Exchange x;
    x.qkv = static_cast<uint2 *>(a.exchange);
    x.mixed = x.qkv + sizes.qkv;
    x.weight = x.mixed + sizes.mixed;
    x.added = x.weight + sizes.weight;
    x.active = x.added + sizes.added;
    x.down = x.active + sizes.active;
    x.best = x.down + sizes.added;
    x.step = reinterpret_cast<unsigned *>(x.best + sizes.best);
    const auto kernel = persistentKernel<T, kPieces>;
    const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(l.bytes));
    if (status != cudaSuccess)
        return status;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(unsigned(a.blocks));
    config.blockDim = dim3(kBlockThreads);
    config.dynamicSmemBytes = std::size_t(l.bytes);
    config.stream = stream;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative; // all blocks at once, or none
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, a, x, l.slots, int(l.normedBytes), int(l.plainBytes));
}

template <typename T>
cudaError_t launchOf(const PersistentArgs &a, std::int64_t sharedLimit, cudaStream_t stream)
{
    const int pieces = (a.hidden / 4 + kComputeThreads - 1) / kComputeThreads;
    if (pieces == 1)
        return launch<T, 1>(a, sharedLimit, stream);
    if (pieces == 2)
        return launch<T, 2>(a, sharedLimit, stream);
    return launch<T, kHold>(a, sharedLimit, stream);
}

} // namespace

bool persistentSupports(DType dtype, const PersistentArgs &a, int computeCapability, std::int64_t sharedLimit)
{
    if (dtype == DType::F32 || computeCapability < 90 || a.blocks < 1 || a.heads < 1 || a.kvHeads < 1 || a.heads % a.kvHeads != 0 ||
        a.heads > a.blocks || a.layerCount < 1)
        return false;
    const bool dimFits = a.headDim >= kVec && a.headDim <= kMaxDim && (a.headDim & (a.headDim - 1)) == 0;
    if (!dimFits || a.hidden % kVec != 0 || a.hidden > kHold * 4 * kComputeThreads || a.ffn % kVec != 0)
        return false;
    // What shareOf() multiplies.
    if (std::int64_t(a.vocab) * a.blocks * (a.vocab / (a.blocks * kRows) + 2) >= std::int64_t(1) << 32)
        return false;
    if (a.maxContext > kScores * mostSplits(a.blocks, a.heads))
        return false;
    return layout(a, sharedLimit).slots > kHeldSlots;
}

std::int64_t persistentExchangeBytes(const PersistentArgs &args) { return exchangeSizes(args).words() * 8; }

cudaError_t persistentStep(DType dtype, const PersistentArgs &args, std::int64_t sharedLimit, cudaStream_t stream)
{
    if (!persistentSupports(dtype, args, 90, sharedLimit))
        return cudaErrorInvalidValue;
    return dtype == DType::F16 ? launchOf<__half>(args, sharedLimit, stream)
                               : launchOf<__nv_bfloat16>(args, sharedLimit, stream);
}

} // namespace ridgepoint::cuda
