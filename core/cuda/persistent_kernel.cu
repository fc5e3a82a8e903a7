// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/persistent_kernel.h"

#include "core/cuda/bulk_copies.cuh"
#include "core/cuda/device_parts.cuh"

#include <algorithm>

// For older cards the kernel is empty, and what it would call is not used.
#pragma nv_diag_suppress 177

namespace ridgepoint::cuda {

namespace {

constexpr int kComputeWarps = 8;
constexpr int kComputeThreads = kComputeWarps * kWarp;
constexpr int kLoadWarps = 2;         ///< one thread of each issues copies, for slots in turn
constexpr int kBlockThreads = kComputeThreads + kLoadWarps * kWarp;
constexpr int kRows = 4;              ///< of weights that are multiplied together, each in kSegments parts: so the long side of
constexpr int kSegments = 4;          ///< the tensor cores' product is full and a copy is long
constexpr int kChunkBytes = 64;       ///< of each part that a warp multiplies at a time
constexpr int kMostSliceBytes = 4096; ///< of a row that a slot of the ring holds
constexpr int kLooks = 4;             ///< words that a block looks at while it waits for many
constexpr int kMostSlots = 16;
constexpr int kUnderWay = 6;          ///< slots that are asked for at a time: memory is busy, and what blocks hand on need not queue behind more.
constexpr int kQuiet = 2;             ///< likewise while the block waits for others. Both are multiples of kLoadWarps: a loader waits for its own slots
constexpr int kLeastSlots = 8;        ///< more than are under way
static_assert(kUnderWay % kLoadWarps == 0 && kQuiet % kLoadWarps == 0 && kLeastSlots > kUnderWay);
constexpr int kRun = 4;               ///< jobs of a block that lie together
constexpr int kMostGroups = 2;        ///< of kRows rows in a slot, where rows are short
constexpr int kScores = 2048;         ///< positions that one block attends to
constexpr int kSplitBytes = 34 * 1024; ///< of keys from which on blocks share a head between them
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
/// Two neighbouring words, the first one's place even.
__device__ inline void publishTwo(uint2 *to, unsigned first, unsigned second, unsigned flag)
{
    asm volatile("{\n.reg .b64 low, high;\nmov.b64 low, {%1, %3};\nmov.b64 high, {%2, %3};\nst.relaxed.gpu.global.v2.b64 [%0], {low, high};\n}" ::"l"(to),
                 "r"(first), "r"(second), "r"(flag)
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
/// The computing warps.
__device__ inline void computeSync() { asm volatile("bar.sync 1, %0;" ::"n"(kComputeThreads) : "memory"); }
/// Before the computing warps read many words: the first one's lanes wait for one each, those with `late` below 0 for none, and the
/// others for that warp. If all looked again and again, those that write would have to wait for them.
__device__ inline void gate(const uint2 *words, int late, unsigned flag)
{
    if (threadIdx.x < kWarp && late >= 0)
        while (peek(words + late).y != flag) {
        }
    computeSync();
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

// ---- how a product is dealt out ----

/// A job is kRows rows of weights or twice as many, gated: half of them gate rows, the others their up rows. Jobs are dealt to
/// the blocks in turn, kRun at a time, so that blocks read memory from front to back together, and their results share few lines
/// of the cache with those of others; what is left over goes round from product to product. A slot of the ring holds a job's rows, or a slice of them. The loaders and the warps go
/// through the same slots.
struct Product {
    int rows, columns, results, groups, slices, sliceBytes, total, runs, whole, rest; ///< results: of a job; runs: of kRun jobs for each block; whole, rest: what is left over the blocks
    bool gated;
    __host__ __device__ void set(int rowsOfResult, int columnsOfWeight, bool isGated, int bytes, int blocks)
    {
        rows = rowsOfResult, columns = columnsOfWeight, gated = isGated;
        sliceBytes = bytes;
        slices = (columns * 2 + sliceBytes - 1) / sliceBytes;
        groups = columns * 2 * kMostGroups <= sliceBytes ? kMostGroups : 1;
        results = groups * (gated ? kRows / 2 : kRows);
        total = (rows + results - 1) / results;
        runs = total / (blocks * kRun);
        whole = (total - runs * blocks * kRun) / blocks, rest = total % blocks;
    }
    /// First of the jobs left over that are those of the block whose turn it is.
    __device__ int startOf(int turn) const { return runs * int(gridDim.x) * kRun + turn * whole + min(turn, rest); }
    /// A word that comes late, of the blocks' last jobs: another for each of kLooks lanes.
    __device__ int lateWord() const
    {
        const int lane = int(threadIdx.x) % kWarp;
        if (lane >= kLooks)
            return -1;
        const int turn = (lane + 1) * int(gridDim.x) / kLooks;
        return (min(rows, startOf(turn) * results) - 1) / 2;
    }
    __device__ int bytesOf(int slice) const { return min(sliceBytes, columns * 2 - slice * sliceBytes); }
};
/// Long rows are cut where shared memory wants it, those a little shorter than that are one slice.
__host__ __device__ inline int sliceBytesOf(const PersistentArgs &a)
{
    const int row = a.hidden * 2;
    return row <= kMostSliceBytes && row >= kMostSliceBytes / 4 * 3 && row % (kSegments * kChunkBytes) == 0 ? row : kMostSliceBytes;
}
/// Products in their order: q/k/v, output, gate and up, down, head.
constexpr int kProducts = 5;
__host__ __device__ inline Product productOf(const PersistentArgs &a, int which)
{
    const int queries = a.heads * a.headDim;
    Product p;
    p.set(which == 0 ? queries + 2 * a.kvHeads * a.headDim : which == 2 ? a.ffn : which == 4 ? a.vocab : a.hidden,
          which == 1 ? queries : which == 3 ? a.ffn : a.hidden, which == 2,
          sliceBytesOf(a), a.blocks);
    return p;
}
/// This block's jobs of the products in that order.
struct Deal {
    int start; ///< block that has the next product's first job
    int turn, left, count; ///< of the present one: this block's turn, its first job of those left over, how many it has in all
    __device__ void next(const Product &p)
    {
        const int blocks = int(gridDim.x);
        turn = int(blockIdx.x) - start;
        if (turn < 0)
            turn += blocks;
        count = p.runs * kRun + p.whole + (turn < p.rest ? 1 : 0);
        left = p.startOf(turn);
        start += p.rest;
        if (start >= blocks)
            start -= blocks;
    }
    /// First result of a job.
    __device__ int resultOf(const Product &p, int job) const
    {
        const int run = job / kRun;
        return (run < p.runs ? (run * int(gridDim.x) + turn) * kRun + job % kRun : left + job - p.runs * kRun) * p.results;
    }
};

struct Ring {
    unsigned char *memory;
    unsigned address; ///< of memory in shared memory
    unsigned full, empty; ///< first of the barriers
    volatile unsigned *waiting; ///< the block waits for words
    volatile unsigned *issued; ///< [kLoadWarps]: slots that each loader has come to, counted through
    int slots, slotBytes, slot;
    unsigned parity, count; ///< count: of slots before this one
    __device__ unsigned char *at() const { return memory + slot * slotBytes; }
    __device__ unsigned place() const { return address + unsigned(slot * slotBytes); }
    __device__ unsigned fullNow() const { return full + unsigned(slot) * 8; }
    __device__ unsigned emptyNow() const { return empty + unsigned(slot) * 8; }
    /// A warp may be more than a round ahead of the loader, where the barrier's parity alone would deceive it.
    __device__ void waitFull() const
    {
        while (issued[count % kLoadWarps] <= count) {
        }
        barrierWait(fullNow(), parity);
    }
    __device__ void waitEmpty() const { barrierWait(emptyNow(), parity ^ 1); }
    /// Until all but the newest slots before this one have arrived. For the one who issues them.
    __device__ void waitArrived() const
    {
        const int underWay = *waiting ? kQuiet : kUnderWay;
        if (count < kUnderWay)
            return;
        const int before = slot - underWay;
        barrierWait(full + unsigned(before < 0 ? before + slots : before) * 8, before < 0 ? parity ^ 1 : parity);
    }
    __device__ void advance(int by = 1)
    {
        count += unsigned(by);
        for (slot += by; slot >= slots; slot -= slots)
            parity ^= 1;
    }
};

/// What part of a layer's attention is this block's.
struct Attending {
    bool any, firstOfGroup; ///< firstOfGroup: of the heads that share keys and values
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
    const int from = kSplitBytes / (2 * a.headDim);
    t.splits = min(mostSplits(a.blocks, a.heads), (count + from - 1) / from);
    t.any = int(blockIdx.x) < a.heads * t.splits;
    t.head = int(blockIdx.x) / t.splits;
    t.split = int(blockIdx.x) % t.splits;
    t.kvHead = t.head / (a.heads / a.kvHeads);
    t.firstOfGroup = t.head % (a.heads / a.kvHeads) == 0;
    const int each = (count + t.splits - 1) / t.splits;
    t.first = begin + t.split * each;
    t.end = min(t.first + each, position + 1);
    t.known = min(t.end, position);
    return t;
}

/// Where the words of each kind lie, in two sets that the layers use in turn. So a word is written again two layers later, when
/// every block has long read it: each has a job within a layer (persistentSupports()), and has handed on none since.
struct Exchange {
    uint2 *qkv, *mixed, *weight, *added, *active, *down;
    uint2 *best;
    unsigned *step; ///< steps done
    std::int64_t set; ///< words of a set
    __device__ Exchange of(int layer) const
    {
        Exchange x = *this;
        const std::int64_t by = layer % 2 * set;
        x.qkv += by, x.mixed += by, x.weight += by, x.added += by, x.active += by, x.down += by;
        return x;
    }
};
struct ExchangeSizes {
    std::int64_t qkv, mixed, weight, added, active, best;
    std::int64_t set() const { return qkv + mixed + weight + 2 * added + active; }
    std::int64_t words() const { return 2 * set() + best + 2; }
};
ExchangeSizes exchangeSizes(const PersistentArgs &a)
{
    const auto even = [](std::int64_t n) { return (n + 1) / 2 * 2; };
    return {even(std::int64_t(a.heads + 2 * a.kvHeads) * a.headDim / 2), even(std::int64_t(a.heads) * kMostSplits * a.headDim / 2),
            even(std::int64_t(a.heads) * kMostSplits), even(a.hidden / 2), even(a.ffn / 2), 2 * std::int64_t(a.blocks)};
}

// ---- the loader ----

/// One thread of each of kLoadWarps, which take slots in turn. The number of slots is a multiple of theirs: so a slot is always the same
/// loader's, and what has left it is known in order.
__device__ inline bool takes(const Ring &ring, int loader) { return int(ring.count % kLoadWarps) == loader; }
__device__ inline void begin(const Ring &ring, int loader, unsigned bytes)
{
    ring.waitEmpty();
    ring.waitArrived();
    barrierExpect(ring.fullNow(), bytes);
    ring.issued[loader] = ring.count + 1;
}
__device__ void loadProduct(Ring &ring, const void *weight, const Product p, const Deal deal, int loader)
{
    const std::int64_t rowBytes = std::int64_t(p.columns) * 2;
#pragma unroll 1
    for (int job = 0; job < deal.count; ++job) {
        const int first = deal.resultOf(p, job), count = min(p.results, p.rows - first);
        const unsigned char *from = static_cast<const unsigned char *>(weight) + first * rowBytes;
        const std::int64_t toUp = p.rows * rowBytes;
#pragma unroll 1
        for (int slice = 0; slice < p.slices; ++slice, ring.advance()) {
            if (!takes(ring, loader))
                continue;
            const unsigned full = ring.fullNow(), to = ring.place();
            const unsigned bytes = unsigned(p.bytesOf(slice)), all = unsigned(count) * bytes;
            begin(ring, loader, p.gated ? 2 * all : all);
            if (p.slices == 1) { // rows as they lie
                bulkCopyOnce(to, from, all, full);
                if (p.gated)
                    bulkCopyOnce(to + all, from + toUp, all, full);
                continue;
            }
            const unsigned char *at = from + slice * p.sliceBytes;
#pragma unroll 1
            for (int row = 0; row < count; ++row) {
                bulkCopyOnce(to + row * bytes, at + row * rowBytes, bytes, full);
                if (p.gated)
                    bulkCopyOnce(to + all + row * bytes, at + toUp + row * rowBytes, bytes, full);
            }
        }
    }
}

__device__ void loadCache(Ring &ring, const void *side, const Attending &t, const PersistentArgs &a, int loader)
{
    const int each = ring.slotBytes / (a.headDim * 2);
    const unsigned char *from =
        static_cast<const unsigned char *>(side) + (std::int64_t(t.kvHead) * a.maxContext) * a.headDim * 2;
#pragma unroll 1
    for (int first = t.first; first < t.known; first += each, ring.advance()) {
        if (!takes(ring, loader))
            continue;
        const unsigned bytes = unsigned(min(each, t.known - first)) * unsigned(a.headDim) * 2;
        begin(ring, loader, bytes);
        bulkCopy(ring.place(), from + std::int64_t(first) * a.headDim * 2, bytes, ring.fullNow());
    }
}

// ---- the computing warps ----

struct Best {
    float value;
    int index;
};
__device__ inline Best better(Best a, Best b) { return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a; }

struct Shared {
    unsigned char *in;      ///< input of a product, of the dtype; scores of the attention meanwhile. Between its uses all warps have met
    float *outs;            ///< [kComputeWarps][headDim] of the attention
    float *sums, *greatest; ///< [kComputeWarps]
};

/// weight x input: finish(first result of a group, sum) for each group of rows, where lane (g, c) = (lane / 4, lane % 4) has the sum
/// of row g % 4; gated, rows 2 and 3 are the up rows. A job is one warp's, so warps wait for each other at the end only.
///
/// The lane brings the tensor cores two of the four parts of row g % 4, and as the input's column g its part g / 2. Of the product of
/// all parts with all others the matching ones are kept. Where rows are multiples of 128 bytes neighbouring ones lie in the same banks:
/// then odd rows take each pair of chunks the other way about, and odd columns of the input with them.
template <typename T, typename Finish>
__device__ void multiply(Ring &ring, const unsigned char *in, const Product p, const Deal deal, Finish &&finish)
{
    const int thread = int(threadIdx.x);
    const int warp = thread / kWarp, lane = thread % kWarp, g = lane / 4, c = lane % 4;
    const int row = g % kRows, part = g / kRows, odd = g & 1;
    const int rowInSlot = !p.gated ? row : row < 2 ? row : 2 * p.groups + row - 2;
    const int rowsOfGroup = p.gated ? 2 : kRows;
    const auto chunk = [&](float (&first)[4], float (&second)[4], const uint4 &a, const uint4 &b, const uint4 &x) {
        multiplyAdd<T>(first, a.x, b.x, a.y, b.y, x.x, x.y);
        multiplyAdd<T>(second, a.z, b.z, a.w, b.w, x.z, x.w);
    };
    const auto vector = [](const unsigned char *at) { return *reinterpret_cast<const uint4 *>(at); };
    // A group's rows in a slice of so many bytes.
    const auto slice = [&](float (&sum)[4][4], const unsigned char *rows, const unsigned char *x, int bytes) {
        const int chunks = (bytes + kSegments * kChunkBytes - 1) / (kSegments * kChunkBytes), of = chunks * kChunkBytes;
        const unsigned char *low = rows + rowInSlot * bytes + part * of + c * kVec * 2, *high = low + 2 * of;
        x += g / 2 * of + c * kVec * 2;
        if (bytes % (kSegments * kChunkBytes) == 0) {
            const int now = odd * kChunkBytes, then = kChunkBytes - now;
#pragma unroll 2
            for (int i = 0; i < chunks / 2; ++i, low += 2 * kChunkBytes, high += 2 * kChunkBytes, x += 2 * kChunkBytes) {
                chunk(sum[0], sum[1], vector(low + now), vector(high + now), vector(x + now));
                chunk(sum[2], sum[3], vector(low + then), vector(high + then), vector(x + then));
            }
            if (chunks % 2 != 0)
                chunk(sum[0], sum[1], vector(low), vector(high), vector(x));
            return;
        }
        // What is behind the row's end is multiplied by zero, and something that is there is read in its place.
        const int lowAt = part * of + c * kVec * 2, xAt = g / 2 * of + c * kVec * 2;
#pragma unroll 1
        for (int i = 0; i < of; i += kChunkBytes)
            chunk(sum[0], sum[1], vector(lowAt + i < bytes ? low + i : low - lowAt), vector(lowAt + 2 * of + i < bytes ? high + i : low - lowAt),
                  xAt + i < bytes ? vector(x + i) : make_uint4(0, 0, 0, 0));
    };
    const auto added = [&](const float (&sum)[4][4]) {
        float own[4];
#pragma unroll
        for (int e = 0; e < 4; ++e)
            own[e] = sum[0][e] + sum[1][e] + (sum[2][e] + sum[3][e]);
        float of = c < 2 ? (odd ? own[1] : own[0]) : (odd ? own[3] : own[2]);
        of = (c & 1) == part ? of : 0;
        of += __shfl_xor_sync(kAllLanes, of, 1);
        of += __shfl_xor_sync(kAllLanes, of, 2);
        return of + __shfl_xor_sync(kAllLanes, of, 16);
    };
    Ring at = ring;
    at.advance(warp * p.slices);
#pragma unroll 1
    for (int job = warp; job < deal.count; job += kComputeWarps) {
        const int first = deal.resultOf(p, job);
#pragma unroll 1
        for (int group = 0; group < p.groups; ++group) { // with more than one there is one slice
            float sum[4][4] = {};
#pragma unroll 1
            for (int i = 0; i < p.slices; ++i) {
                const int bytes = p.bytesOf(i);
                at.waitFull();
                slice(sum, at.at() + group * rowsOfGroup * bytes, in + i * p.sliceBytes, bytes);
                if (group < p.groups - 1)
                    continue;
                __syncwarp();
                if (lane == 0)
                    barrierArrive(at.emptyNow(), kComputeWarps);
                at.advance();
            }
            finish(first + group * rowsOfGroup, added(sum));
        }
        at.advance((kComputeWarps - 1) * p.slices);
    }
    ring.advance(deal.count * p.slices);
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

/// 2^x, to 2^-22 of it.
__device__ inline float power(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// Eight neighbouring elements of a head as the q/k/v product has them, with their biases; not yet waited for.
struct HeadWords {
    const uint2 *words = nullptr;
    uint4 low = {}, high = {};
    __device__ void ask(const uint2 *at) { words = at, low = peekTwo(words), high = peekTwo(words + 2); }
    template <typename T>
    __device__ void take(float (&to)[kVec], const float *bias, unsigned flag)
    {
        const uint2 first = awaitedTwo(words, low, flag), second = awaitedTwo(words + 2, high, flag);
        const unsigned bits[4] = {first.x, first.y, second.x, second.y};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float2 both = unpacked<T>(bits[i]);
            to[2 * i] = both.x, to[2 * i + 1] = both.y;
        }
        if (bias)
#pragma unroll
            for (int i = 0; i < kVec; ++i)
                to[i] += __ldg(bias + i);
    }
};

/// The attention of one head over one part of the context. A lane has eight elements of a position, so a warp has several positions
/// at once; each warp goes through its positions by itself, and what the warps have is joined at the end.
template <typename T>
__device__ void attend(Ring &ring, const Shared &shared, const PersistentArgs &a, const PersistentLayer &layer, const Exchange &x,
                       const Attending &t, int position, unsigned flag)
{
    const int thread = int(threadIdx.x);
    const int warp = thread / kWarp, lane = thread % kWarp, dim = a.headDim, half = dim / 2;
    // Powers of two all, and divisions are slow.
    const int lanesLog = __ffs(dim) - __ffs(kVec), lanes = 1 << lanesLog, sub = lane & (lanes - 1), within = lane >> lanesLog;
    const int together = kWarp >> lanesLog; // positions at once
    const bool news = t.end == position + 1 && warp == kComputeWarps - 1; // the new position is this block's, and this warp's
    const int keyHead = a.heads + t.kvHead, valueHead = keyHead + a.kvHeads;
    HeadWords query, key, value;
    gate(x.qkv + t.head * half, lane < kLooks ? lane * half / kLooks : -1, flag);
    query.ask(x.qkv + t.head * half + sub * 4);
    if (news) {
        key.ask(x.qkv + keyHead * half + sub * 4);
        value.ask(x.qkv + valueHead * half + sub * 4);
    }
    float cosine[kVec], sine[kVec], q[kVec], k[kVec], v[kVec] = {};
    const std::int64_t turn = std::int64_t(position) * half + (sub & (lanes / 2 - 1)) * kVec;
    load(a.cosine + turn, cosine);
    load(a.sine + turn, sine);
    // Normed, and rotated with the element half a head away.
    const auto turned = [&](float (&h)[kVec], const float *norm) {
        if (norm) {
            float squares = 0, weight[kVec];
            load(norm + sub * kVec, weight);
#pragma unroll
            for (int i = 0; i < kVec; ++i)
                squares += h[i] * h[i];
            for (int step = lanes / 2; step > 0; step /= 2)
                squares += __shfl_xor_sync(kAllLanes, squares, step);
            const float scale = rsqrtf(squares / float(dim) + a.eps);
#pragma unroll
            for (int i = 0; i < kVec; ++i)
                h[i] *= scale * weight[i];
        }
#pragma unroll
        for (int i = 0; i < kVec; ++i) {
            const float other = __shfl_xor_sync(kAllLanes, h[i], lanes / 2);
            h[i] = h[i] * cosine[i] + (sub < lanes / 2 ? -other : other) * sine[i];
        }
    };
    const auto biasOf = [&](int head) { return layer.qkvBias ? layer.qkvBias + head * dim + sub * kVec : nullptr; };
    query.take<T>(q, biasOf(t.head), flag);
    turned(q, layer.qNorm);
#pragma unroll
    for (int i = 0; i < kVec; ++i)
        q[i] *= a.scale * 1.4426950408889634f; // powers of two below
    const auto dot = [&](const float (&k)[kVec]) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            sum += q[i] * k[i];
        return sum;
    };
    float most = -INFINITY, newScore = 0;
    if (news) {
        key.take<T>(k, biasOf(keyHead), flag);
        turned(k, layer.kNorm);
        value.take<T>(v, biasOf(valueHead), flag);
        if (within == 0 && t.firstOfGroup) {
            const std::int64_t place = (std::int64_t(t.kvHead) * a.maxContext + position) * dim + sub * kVec;
            store<T>(k, static_cast<T *>(layer.keys) + place);
            store<T>(v, static_cast<T *>(layer.values) + place);
        }
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            k[i] = rounded<T>(k[i]), v[i] = rounded<T>(v[i]);
        newScore = dot(k);
        for (int step = lanes / 2; step > 0; step /= 2)
            newScore += __shfl_xor_sync(kAllLanes, newScore, step);
        most = newScore;
    }

    constexpr int kAtOnce = 4; // positions of a lane in a slot: its bytes over what all lanes of the computing warps load at once
    static_assert(kRows * kMostSliceBytes <= kAtOnce * kComputeThreads * kVec * 2);
    const int each = (ring.slotBytes / 2 / kVec) >> lanesLog, stride = kComputeWarps * together, own = warp * together + within;
    float *scores = reinterpret_cast<float *>(shared.in);
    const auto give = [&] {
        __syncwarp();
        if (lane == 0)
            barrierArrive(ring.emptyNow(), 1);
        ring.advance();
    };
#pragma unroll 1
    for (int first = t.first; first < t.known; first += each) {
        const int n = min(each, t.known - first);
        ring.waitFull();
        const T *keys = reinterpret_cast<const T *>(ring.at()) + sub * kVec;
        if (warp * together < n) {
            float score[kAtOnce];
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) {
                load(keys + min(own + j * stride, n - 1) * dim, k);
                score[j] = dot(k);
            }
            for (int step = lanes / 2; step > 0; step /= 2)
#pragma unroll
                for (int j = 0; j < kAtOnce; ++j)
                    score[j] += __shfl_xor_sync(kAllLanes, score[j], step);
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j)
                if (own + j * stride < n) {
                    most = fmaxf(most, score[j]);
                    if (sub == 0)
                        scores[first - t.first + own + j * stride] = score[j];
                }
        }
        give();
    }
    for (int step = lanes; step < kWarp; step *= 2)
        most = fmaxf(most, __shfl_xor_sync(kAllLanes, most, step));
    float out[kVec] = {}, total = 0;
    if (news && within == 0) {
        total = power(newScore - most);
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            out[i] = total * v[i];
    }
#pragma unroll 1
    for (int first = t.first; first < t.known; first += each) {
        const int n = min(each, t.known - first);
        ring.waitFull();
        const T *values = reinterpret_cast<const T *>(ring.at()) + sub * kVec;
        if (warp * together < n) {
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) {
                const int at = own + j * stride;
                const float weight = at < n ? power(scores[first - t.first + min(at, n - 1)] - most) : 0.0f;
                load(values + min(at, n - 1) * dim, k);
                total += weight;
#pragma unroll
                for (int i = 0; i < kVec; ++i)
                    out[i] += weight * k[i];
            }
        }
        give();
    }
    for (int step = lanes; step < kWarp; step *= 2) {
        total += __shfl_xor_sync(kAllLanes, total, step);
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            out[i] += __shfl_xor_sync(kAllLanes, out[i], step);
    }
    float *outs = shared.outs;
    if (within == 0) {
        store<float>(out, outs + warp * dim + sub * kVec);
        if (sub == 0)
            shared.sums[warp] = total, shared.greatest[warp] = most;
    }
    computeSync();
    if (thread < half) {
        float greatest = -INFINITY, low = 0, high = 0, sum = 0;
#pragma unroll
        for (int w = 0; w < kComputeWarps; ++w)
            greatest = fmaxf(greatest, shared.greatest[w]);
#pragma unroll
        for (int w = 0; w < kComputeWarps; ++w) {
            const float2 both = *reinterpret_cast<const float2 *>(outs + w * dim + 2 * thread);
            const float weight = power(shared.greatest[w] - greatest); // 0 for a warp without a position
            low += weight * both.x;
            high += weight * both.y;
            sum += weight * shared.sums[w];
        }
        const int item = t.head * t.splits + t.split;
        publish(x.mixed + item * half + thread, pair<T>(low / sum, high / sum), flag);
        if (thread == 0 && t.splits > 1)
            publish(x.weight + item, __float_as_uint(greatest + log2f(sum)), flag);
    }
}

// Arrays that are filled under a condition are set to zero where they are declared: otherwise the compiler keeps their registers
// through the loop over the layers, more than there are.

/// Words -> input of a product, as they are. `late`: one of those that come last.
template <int kAtOnce>
__device__ void takeWords(unsigned char *in, const uint2 *words, int count, int late, unsigned flag)
{
    const int thread = int(threadIdx.x);
    gate(words, late, flag);
#pragma unroll 1
    for (int base = thread; base < count / 2; base += kAtOnce * kComputeThreads) {
        uint4 seen[kAtOnce] = {};
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
    const int thread = int(threadIdx.x);
    const int half = a.headDim / 2, count = a.heads * half;
    if (splits == 1) {
        takeWords<2>(in, x.mixed, count, thread % kWarp < kLooks ? (thread % kWarp + 1) * (count / kLooks) - 1 : -1, flag);
        return;
    }
    gate(x.mixed, thread % kWarp < kLooks ? (thread % kWarp + 1) * (splits * count / kLooks) - 1 : -1, flag);
#pragma unroll 1
    for (int at = thread; at < count / 2; at += kComputeThreads) {
        const int head = 2 * at / half, within = 2 * at % half;
        uint4 seen[kMostSplits] = {};
        uint2 weights[kMostSplits] = {};
#pragma unroll
        for (int s = 0; s < kMostSplits; ++s)
            if (s < splits) {
                seen[s] = peekTwo(x.mixed + (head * splits + s) * half + within);
                weights[s] = peek(x.weight + head * splits + s);
            }
        float most = -INFINITY, log[kMostSplits] = {};
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
__device__ void takeAdded(const Shared &shared, float (&residual)[kPieces][4], const uint2 *words, int late, const float *norm, int hidden,
                          float eps, unsigned flag)
{
    const int thread = int(threadIdx.x);
    float4 weight[kPieces] = {};
    uint4 seen[kPieces] = {};
#pragma unroll
    for (int i = 0; i < kPieces; ++i)
        if (thread + i * kComputeThreads < hidden / 4)
            weight[i] = __ldg(reinterpret_cast<const float4 *>(norm) + thread + i * kComputeThreads);
    if (words) {
        gate(words, late, flag);
#pragma unroll
        for (int i = 0; i < kPieces; ++i)
            if (thread + i * kComputeThreads < hidden / 4)
                seen[i] = peekTwo(words + 2 * (thread + i * kComputeThreads));
    }
    float squares = 0;
#pragma unroll
    for (int i = 0; i < kPieces; ++i) {
        const int at = thread + i * kComputeThreads;
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
        const int at = thread + i * kComputeThreads;
        if (at < hidden / 4)
            reinterpret_cast<uint2 *>(shared.in)[at] =
                make_uint2(pair<T>(residual[i][0] * scale * weight[i].x, residual[i][1] * scale * weight[i].y),
                           pair<T>(residual[i][2] * scale * weight[i].z, residual[i][3] * scale * weight[i].w));
    }
    computeSync();
}

template <typename T, int kPieces>
__global__ void __launch_bounds__(kBlockThreads, 1) persistentKernel(PersistentArgs a, Exchange exchange, int slots, int inBytes)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char dynamic[];
    __shared__ std::uint64_t barriers[2 * kMostSlots];
    __shared__ float sums[kComputeWarps], greatest[kComputeWarps];
    __shared__ Best bests[kComputeWarps];
    __shared__ unsigned issued[kLoadWarps];
    __shared__ unsigned waits;
    __shared__ Product products[kProducts];
    unsigned char *behind = dynamic + slots * kRows * sliceBytesOf(a);
    unsigned full = sharedAddress(barriers), memory = sharedAddress(dynamic);
    // Kept: the compiler would otherwise derive them anew at each use, which takes longer than the use.
    asm volatile("" : "+r"(full), "+r"(memory));
    Ring ring{dynamic, memory, full, full + kMostSlots * 8, &waits, issued, slots, kRows * sliceBytesOf(a), 0, 0, 0};
    const Shared shared{behind, reinterpret_cast<float *>(behind + inBytes), sums, greatest};
    PersistentLayer *layers = reinterpret_cast<PersistentLayer *>(shared.outs + kComputeWarps * a.headDim);
    if (int(threadIdx.x) < slots) {
        barrierInit(full + threadIdx.x * 8, 1);
        barrierInit(full + (kMostSlots + threadIdx.x) * 8, kComputeWarps);
    }
    if (threadIdx.x == 0)
        waits = 0;
    if (threadIdx.x < kLoadWarps)
        issued[threadIdx.x] = 0;
    if (threadIdx.x % kWarp == 0 && threadIdx.x / kWarp < kProducts) {
        const int which = threadIdx.x / kWarp;
        products[which] = productOf(a, which);
    }
    for (int i = threadIdx.x; i < a.layerCount * int(sizeof(PersistentLayer) / 8); i += kBlockThreads)
        reinterpret_cast<std::uint64_t *>(layers)[i] = reinterpret_cast<const std::uint64_t *>(a.layers)[i];
    const int position = int(*a.position);
    const unsigned step = *exchange.step;
    barriersAreSet();
    __syncthreads();

    const int lane = threadIdx.x % kWarp;
    if (threadIdx.x >= kComputeThreads) {
        if (lane != 0)
            return;
        const int loader = int(threadIdx.x) / kWarp - kComputeWarps;
        Deal deal{};
        const auto each = [&](const void *weight, int which) {
            deal.next(products[which]);
            loadProduct(ring, weight, products[which], deal, loader);
        };
#pragma unroll 1
        for (int l = 0; l < a.layerCount; ++l) {
            const PersistentLayer &layer = layers[l];
            each(layer.qkv, 0);
            const Attending t = attending(a, layer.window, position);
            if (t.any) {
                loadCache(ring, layer.keys, t, a, loader);
                loadCache(ring, layer.values, t, a, loader);
            }
            each(layer.o, 1);
            each(layer.gateUp, 2);
            each(layer.down, 3);
        }
        each(a.head, 4);
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
    int ticks = 0;
    const auto tick = [&] {
        if (a.clock && blockIdx.x == 0 && threadIdx.x == 0)
            a.clock[ticks++] = clock64();
    };
    tick();
    const uint2 *added = nullptr;
    std::int64_t window = layers[0].window;
    Attending t = attending(a, window, position);
    Deal deal{};
    const auto each = [&](int which, const unsigned char *in, auto &&finish) {
        deal.next(products[which]);
        if (threadIdx.x == 0)
            *ring.waiting = 0;
        multiply<T>(ring, in, products[which], deal, finish);
        if (threadIdx.x == 0)
            *ring.waiting = 1;
    };
    const int resultRow = lane / 4 % kRows;
    // Four results -> two words.
    const auto handOn = [&](uint2 *words, const float *bias) {
        return [=](int first, float sum) {
            if (bias)
                sum += bias[first + resultRow];
            const unsigned word = pair<T>(sum, __shfl_down_sync(kAllLanes, sum, 4)), next = __shfl_down_sync(kAllLanes, word, 8);
            if (lane == 0)
                publishTwo(words + first / 2, word, next, flag);
        };
    };
#pragma unroll 1
    for (int l = 0; l < a.layerCount; ++l) {
        const PersistentLayer &layer = layers[l];
        const Exchange x = exchange.of(l);
        takeAdded<T, kPieces>(shared, residual, added, products[3].lateWord(), layer.inputNorm, a.hidden, a.eps, flag);
        tick();
        ++flag;
        each(0, shared.in, handOn(x.qkv, nullptr));
        tick();
        if (layer.window != window)
            t = attending(a, window = layer.window, position);
        if (t.any)
            attend<T>(ring, shared, a, layer, x, t, position, flag);
        takeMixed<T>(shared.in, a, x, t.splits, flag);
        computeSync();
        tick();
        each(1, shared.in, handOn(x.added, layer.oBias));
        takeAdded<T, kPieces>(shared, residual, x.added, products[1].lateWord(), layer.postNorm, a.hidden, a.eps, flag);
        tick();
        each(2, shared.in, [&](int first, float sum) {
            if (layer.gateUpBias)
                sum += layer.gateUpBias[(resultRow < 2 ? 0 : a.ffn) + first + resultRow % 2];
            const float up = __shfl_down_sync(kAllLanes, sum, 8);
            const float own = activated(sum, a.gelu) * up;
            const float next = __shfl_down_sync(kAllLanes, own, 4);
            if (lane == 0)
                publish(x.active + first / 2, pair<T>(own, next), flag);
        });
        takeWords<6>(shared.in, x.active, a.ffn / 2, products[2].lateWord(), flag);
        computeSync();
        tick();
        each(3, shared.in, handOn(x.down, layer.downBias));
        added = x.down;
    }
    takeAdded<T, kPieces>(shared, residual, added, products[3].lateWord(), a.finalNorm, a.hidden, a.eps, flag);
    tick();
    ++flag;
    Best best{-INFINITY, 0};
    each(4, shared.in, [&](int first, float sum) {
        if (lane % 4 != 0 || lane >= 16 || first + resultRow >= a.vocab)
            return;
        const T kept = fromFloat<T>(sum);
        static_cast<T *>(a.logits)[first + resultRow] = kept;
        best = better(best, {toFloat(kept), first + resultRow});
    });
    tick();
    const auto ofWarp = [](Best b) {
#pragma unroll
        for (int step = kWarp / 2; step > 0; step /= 2)
            b = better(b, {__shfl_xor_sync(kAllLanes, b.value, step), __shfl_xor_sync(kAllLanes, b.index, step)});
        return b;
    };
    best = ofWarp(best);
    if (lane == 0)
        bests[threadIdx.x / kWarp] = best;
    computeSync();
    if (threadIdx.x >= kWarp)
        return;
    best = ofWarp(bests[lane % kComputeWarps]);
    uint2 *bestWords = exchange.best;
    if (lane == 0) {
        publish(bestWords + 2 * blockIdx.x, __float_as_uint(best.value), flag);
        publish(bestWords + 2 * blockIdx.x + 1, unsigned(best.index), flag);
    }
    if (blockIdx.x != 0)
        return;
    for (int i = lane; i < int(gridDim.x); i += kWarp) {
        const uint2 both = awaitedTwo(bestWords + 2 * i, peekTwo(bestWords + 2 * i), flag);
        best = better(best, {__uint_as_float(both.x), int(both.y)});
    }
    best = ofWarp(best);
    if (lane == 0) {
        a.tokens[position + 1] = best.index;
        *a.position = position + 1;
        *exchange.step = step + 1;
    }
#endif // elsewhere it is not launched
}

constexpr std::int64_t kFixedShared = 1024 + 1024; ///< static; the system's own

struct Layout {
    int slots;
    std::int64_t inBytes, bytes;
};
Layout layout(const PersistentArgs &a, std::int64_t sharedLimit)
{
    const auto aligned = [](std::int64_t bytes) { return (bytes + 127) / 128 * 128; };
    Layout l;
    l.inBytes = aligned(std::max<std::int64_t>({a.hidden * std::int64_t(2), a.ffn * std::int64_t(2), std::int64_t(a.heads) * a.headDim * 2, kScores * 4}));
    const std::int64_t rest = l.inBytes + kComputeWarps * std::int64_t(a.headDim) * 4 +
                              a.layerCount * std::int64_t(sizeof(PersistentLayer));
    const int slotBytes = kRows * sliceBytesOf(a);
    l.slots = int(std::clamp<std::int64_t>((sharedLimit - rest - kFixedShared) / slotBytes, 0, kMostSlots)) / kLoadWarps * kLoadWarps;
    l.bytes = l.slots * std::int64_t(slotBytes) + rest;
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
    x.best = x.qkv + 2 * sizes.set();
    x.set = sizes.set();
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
    return cudaLaunchKernelEx(&config, kernel, a, x, l.slots, int(l.inBytes));
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

namespace {
/// No more blocks than a layer has jobs: each must have one (Exchange).
int blocksFor(const PersistentArgs &a)
{
    int jobs = 0;
    for (int which = 0; which < kProducts - 1; ++which)
        jobs += productOf(a, which).total;
    return std::min(a.blocks, jobs);
}
} // namespace

bool persistentSupports(DType dtype, const PersistentArgs &a, int computeCapability, std::int64_t sharedLimit)
{
    if (dtype == DType::F32 || computeCapability < 90 || a.blocks < 1 || a.heads < 1 || a.kvHeads < 1 || a.heads % a.kvHeads != 0 ||
        a.layerCount < 1)
        return false;
    const bool dimFits = a.headDim >= 2 * kVec && a.headDim <= kMaxDim && (a.headDim & (a.headDim - 1)) == 0;
    if (!dimFits || a.hidden % kVec != 0 || a.hidden > kHold * 4 * kComputeThreads || a.ffn % kVec != 0)
        return false;
    const int blocks = blocksFor(a);
    if (a.heads > blocks || a.maxContext > kScores * mostSplits(blocks, a.heads))
        return false;
    return layout(a, sharedLimit).slots >= kLeastSlots;
}

std::int64_t persistentExchangeBytes(const PersistentArgs &args) { return exchangeSizes(args).words() * 8; }

cudaError_t persistentStep(DType dtype, const PersistentArgs &args, std::int64_t sharedLimit, cudaStream_t stream)
{
    if (!persistentSupports(dtype, args, 90, sharedLimit))
        return cudaErrorInvalidValue;
    PersistentArgs served = args;
    served.blocks = blocksFor(args);
    return dtype == DType::F16 ? launchOf<__half>(served, sharedLimit, stream)
                               : launchOf<__nv_bfloat16>(served, sharedLimit, stream);
}

} // namespace ridgepoint::cuda
