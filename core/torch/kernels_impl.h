// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels, written once with GCC's vector types and compiled once for each instruction set by the kernels_*.cpp
// beside it, which define RP_KERNELS_NAME, RP_KERNELS_FACTORY, RP_VECTOR_BYTES and RP_SUPPORTED and, where the set has
// it, RP_DOT_BF16. No pragma once: each of those files includes it exactly once.
//
// Everything here lives in an anonymous namespace and uses no inline function of the standard library: a function that
// the linker might share between files must not be compiled for an instruction set that the processor may lack.
#include "core/torch/kernels.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(RP_DOT_BF16)
#include <immintrin.h>
#endif

#define RP_INLINE inline __attribute__((always_inline))

namespace ridgepoint::kernels {
namespace {

constexpr int kLanes = RP_VECTOR_BYTES / 4;
typedef float Vf __attribute__((vector_size(RP_VECTOR_BYTES)));
typedef uint32_t Vu __attribute__((vector_size(RP_VECTOR_BYTES)));
typedef int32_t Vi __attribute__((vector_size(RP_VECTOR_BYTES)));
typedef uint16_t Vh __attribute__((vector_size(RP_VECTOR_BYTES / 2)));

template <typename V, typename P>
RP_INLINE V load(const P *p)
{
    V v;
    memcpy(&v, p, sizeof(V));
    return v;
}
template <typename V, typename P>
RP_INLINE void store(P *p, V v)
{
    memcpy(p, &v, sizeof(V));
}
RP_INLINE Vf splat(float x) { return x - Vf{}; }
RP_INLINE Vu splatU(uint32_t x) { return x - Vu{}; }

// ---- stored number <-> fp32 ----

RP_INLINE Vf loadFloat(const float *p) { return load<Vf>(p); }
RP_INLINE Vf loadFloat(const Bf16 *p) { return (Vf)(__builtin_convertvector(load<Vh>(p), Vu) << 16); }
RP_INLINE float toFloat1(float x) { return x; }
RP_INLINE float toFloat1(Bf16 x)
{
    const uint32_t bits = uint32_t(x.bits) << 16;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
RP_INLINE void storeFloat(float *p, Vf v) { store(p, v); }
/// Round to nearest, ties to even; a NaN stays one.
RP_INLINE void storeFloat(Bf16 *p, Vf v)
{
    const Vu bits = (Vu)v;
    const Vu rounded = (bits + splatU(0x7fff) + ((bits >> 16) & splatU(1))) >> 16;
    const Vu quiet = (bits >> 16) | splatU(0x40);
    const Vu isNan = (Vu)(v != v);
    store(p, __builtin_convertvector((isNan & quiet) | (~isNan & rounded), Vh));
}
RP_INLINE void storeFloat1(float *p, float x) { *p = x; }
RP_INLINE void storeFloat1(Bf16 *p, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    p->bits = uint16_t(x != x ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// ---- sums across lanes ----

/// One step of the transposed sum: lanes whose index has bit W take v's pair sums, the others u's.
template <int W, int... I>
RP_INLINE Vf foldPair(Vf u, Vf v, __attribute__((unused)) const int (*)[sizeof...(I)])
{
    // Lane l: own = (l & W) ? v[l] : u[l]; other = the lane W away of the same vector.
#if __has_builtin(__builtin_shufflevector)
    const Vf own = __builtin_shufflevector(u, v, ((I & W) ? I + kLanes : I)...);
    const Vf other = __builtin_shufflevector(u, v, ((I & W) ? (I ^ W) + kLanes : (I ^ W))...);
#else // gcc 11, which Ubuntu 22.04 has
    const Vf own = __builtin_shuffle(u, v, Vi{((I & W) ? I + kLanes : I)...});
    const Vf other = __builtin_shuffle(u, v, Vi{((I & W) ? (I ^ W) + kLanes : (I ^ W))...});
#endif
    return own + other;
}
#if RP_VECTOR_BYTES == 64
#define RP_LANES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#elif RP_VECTOR_BYTES == 32
#define RP_LANES 0, 1, 2, 3, 4, 5, 6, 7
#else
#define RP_LANES 0, 1, 2, 3
#endif
template <int W>
RP_INLINE Vf fold(Vf u, Vf v)
{
    return foldPair<W, RP_LANES>(u, v, nullptr);
}
/// Sums kLanes vectors at once: lane i of the result is the sum of the lanes of a[i].
template <int W>
RP_INLINE void foldAll(Vf *a)
{
#pragma GCC unroll 16
    for (int i = 0; i < W; ++i)
        a[i] = fold<W>(a[i], a[i + W]);
    if constexpr (W > 1)
        foldAll<W / 2>(a);
}
template <int W>
RP_INLINE Vf sumEverywhere(Vf v)
{
    v = fold<W>(v, v);
    if constexpr (W > 1)
        return sumEverywhere<W / 2>(v);
    else
        return v;
}
RP_INLINE float sumLanes(Vf v) { return sumEverywhere<kLanes / 2>(v)[0]; }
RP_INLINE Vf maxVector(Vf a, Vf b) { return a > b ? a : b; }

// ---- products ----

/// How the elements of one vector load enter a dot product. Both sides are loaded alike, so the order of the elements
/// inside a load does not matter: bf16 pairs are split into their even and odd members, which costs one operation each.
template <typename T>
struct Dot;
template <>
struct Dot<float> {
    static constexpr int kStep = kLanes;
    using Operand = Vf;
    static RP_INLINE Operand get(const float *p) { return load<Vf>(p); }
    static RP_INLINE void add(Vf &acc, const Operand &a, const Operand &b) { acc += a * b; }
};
#if defined(RP_DOT_BF16)
template <>
struct Dot<Bf16> {
    static constexpr int kStep = 2 * kLanes;
    using Operand = __m512bh;
    static RP_INLINE Operand get(const Bf16 *p) { return load<__m512bh>(p); }
    static RP_INLINE void add(Vf &acc, const Operand &a, const Operand &b)
    {
        acc = (Vf)_mm512_dpbf16_ps((__m512)acc, a, b);
    }
};
#else
template <>
struct Dot<Bf16> {
    static constexpr int kStep = 2 * kLanes;
    struct Operand {
        Vf even, odd;
    };
    static RP_INLINE Operand get(const Bf16 *p)
    {
        const Vu pair = load<Vu>(p);
        return {(Vf)(pair << 16), (Vf)(pair & splatU(0xffff0000u))};
    }
    static RP_INLINE void add(Vf &acc, const Operand &a, const Operand &b)
    {
        acc += a.even * b.even;
        acc += a.odd * b.odd;
    }
};
#endif

// A register tile of kTileRows rows of w by kTileTokens rows of x: their product is the lane count, so that all its sums
// are folded into one vector.
#if RP_VECTOR_BYTES == 64
constexpr int kTileRows = 4, kTileTokens = 4;
#elif RP_VECTOR_BYTES == 32
constexpr int kTileRows = 4, kTileTokens = 2;
#else
constexpr int kTileRows = 2, kTileTokens = 2;
#endif

/// R rows of w, `apart` rows from one another, by C rows of x. In each iteration the line at `next` is fetched and, `apart`
/// rows from it, those after it: P lines in all.
template <typename T, int R, int C, int P>
RP_INLINE void tile(const GemmArgs<T> &a, int64_t n, int64_t apart, int64_t m, const char *next)
{
    constexpr int S = Dot<T>::kStep;
    Vf acc[R * C] = {};
    const int64_t stride = apart * a.ldw;
    const T *w = a.w + n * a.ldw;
    const T *x = a.x + m * a.ldx;
    const int64_t whole = a.k - a.k % S;
    for (int64_t k = 0; k < whole; k += S) {
        if constexpr (P > 0) {
#pragma GCC unroll 4
            for (int p = 0; p < P; ++p) {
                // One pass over w: the line need not be kept. Else the token tiles that follow want it.
                const char *line = next + p * stride * int64_t(sizeof(T));
                P == R ? __builtin_prefetch(line, 0, 0) : __builtin_prefetch(line, 0, 2);
            }
            next += 64;
        }
        typename Dot<T>::Operand wv[R];
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r)
            wv[r] = Dot<T>::get(w + r * stride + k);
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) {
            const typename Dot<T>::Operand xv = Dot<T>::get(x + c * a.ldx + k);
#pragma GCC unroll 8
            for (int r = 0; r < R; ++r)
                Dot<T>::add(acc[c * R + r], wv[r], xv);
        }
    }
    float sums[kLanes];
    if constexpr (R > 1) {
        Vf all[kLanes] = {};
#pragma GCC unroll 16
        for (int i = 0; i < R * C; ++i)
            all[i] = acc[i];
        foldAll<kLanes / 2>(all);
        store(sums, all[0]);
    } else {
#pragma GCC unroll 16
        for (int i = 0; i < R * C; ++i)
            sums[i] = sumLanes(acc[i]);
    }
    for (int64_t k = whole; k < a.k; ++k)
        for (int c = 0; c < C; ++c)
            for (int r = 0; r < R; ++r)
                sums[c * R + r] += toFloat1(w[r * stride + k]) * toFloat1(x[c * a.ldx + k]);
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
        float *y = a.y + (m + c) * a.ldy + n;
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) {
            float value = sums[c * R + r];
            if (a.bias)
                value += a.bias[n + r * apart];
            y[r * apart] = a.accumulate ? y[r * apart] + value : value;
        }
    }
}

template <typename T, int R, int P>
RP_INLINE void tileOf(const GemmArgs<T> &a, int64_t n, int64_t apart, int64_t m, const char *next)
{
    const int64_t tokens = a.m - m;
    if (tokens >= kTileTokens)
        return tile<T, R, kTileTokens, P>(a, n, apart, m, next);
    if constexpr (kTileTokens > 3)
        if (tokens == 3)
            return tile<T, R, 3, P>(a, n, apart, m, next);
    if constexpr (kTileTokens > 2)
        if (tokens == 2)
            return tile<T, R, 2, P>(a, n, apart, m, next);
    tile<T, R, 1, P>(a, n, apart, m, next);
}

/// Bytes of x below which every token is taken for a tile of weight rows before the next tile is touched: x then stays in
/// the second-level cache and weights are streamed without a pause. Beyond it a tile of tokens meets all weight rows of
/// the share instead (the caller keeps a share within that cache).
constexpr int64_t kTokensStayCached = 384 * 1024;
/// How far ahead a row is fetched where w is passed over once.
constexpr int64_t kFetchAhead = 512;

template <typename T>
void gemm(const GemmArgs<T> &a)
{
    // A tile's rows come from equal parts of w, so that as many streams are read side by side: measured, that comes nearest
    // to the memory's rate. The processor's own prefetching stops at every page, so lines are fetched by hand.
    const int64_t apart = a.n / kTileRows;
    const int64_t tiles = (a.m + kTileTokens - 1) / kTileTokens;
    if (a.m * a.k * int64_t(sizeof(T)) <= kTokensStayCached) {
        for (int64_t n = 0; n < apart; ++n) {
            const char *row = (const char *)(a.w + n * a.ldw), *nextRow = (const char *)(a.w + (n + 1) * a.ldw);
            const int64_t stride = apart * a.ldw * int64_t(sizeof(T));
            if (tiles == 1) {
                tileOf<T, kTileRows, kTileRows>(a, n, apart, 0, row + kFetchAhead);
                continue;
            }
            // The next rows are fetched while the tokens pass over these, some by each of the first tiles.
            constexpr int half = kTileRows / 2;
            for (int64_t t = 0; t < tiles; ++t) {
                if (tiles < kTileRows && t < 2)
                    tileOf<T, kTileRows, half>(a, n, apart, t * kTileTokens, nextRow + t * half * stride);
                else if (tiles >= kTileRows && t < kTileRows)
                    tileOf<T, kTileRows, 1>(a, n, apart, t * kTileTokens, nextRow + t * stride);
                else
                    tileOf<T, kTileRows, 0>(a, n, apart, t * kTileTokens, nullptr);
            }
        }
    } else {
        for (int64_t t = 0; t < tiles; ++t)
            for (int64_t n = 0; n < apart; ++n)
                tileOf<T, kTileRows, 0>(a, n, apart, t * kTileTokens, nullptr);
    }
    for (int64_t n = apart * kTileRows; n < a.n; ++n)
        for (int64_t m = 0; m < a.m; m += kTileTokens)
            tileOf<T, 1, 0>(a, n, 1, m, nullptr);
}

// ---- exponential ----

/// exp(x), relative error below 2e-7 over [-87, 88]; clamped beyond.
RP_INLINE Vf exponential(Vf x)
{
    const Vf lowest = splat(-87.3f), highest = splat(88.0f);
    x = x < lowest ? lowest : x;
    x = x > highest ? highest : x;
    const Vf magic = splat(12582912.0f); // 1.5 * 2^23: adding it rounds to an integer
    const Vf shifted = x * 1.44269504f + magic;
    const Vf n = shifted - magic;
    Vf r = x - n * 0.693359375f;
    r = r + n * 2.12194440e-4f;
    Vf p = splat(1.0f / 5040.0f);
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    const Vi exponent = ((Vi)shifted - (Vi)magic + 127) << 23;
    return p * (Vf)exponent;
}

// ---- attention ----

/// acc[r, d..] = acc[r, d..] * 1 + sum over j of p[r, j] * v[j, d..] for R rows and D vectors of d.
template <typename T, int R, int D>
RP_INLINE void weigh(const float *p, int64_t ldp, const T *v, int64_t headDim, int64_t count, float *acc)
{
    Vf sum[R][D];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int d = 0; d < D; ++d)
            sum[r][d] = load<Vf>(acc + r * headDim + d * kLanes);
    for (int64_t j = 0; j < count; ++j) {
        Vf vv[D];
#pragma GCC unroll 8
        for (int d = 0; d < D; ++d)
            vv[d] = loadFloat(v + j * headDim + d * kLanes);
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) {
            const Vf weight = splat(p[r * ldp + j]);
#pragma GCC unroll 8
            for (int d = 0; d < D; ++d)
                sum[r][d] += weight * vv[d];
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int d = 0; d < D; ++d)
            store(acc + r * headDim + d * kLanes, sum[r][d]);
}

template <typename T, int R>
RP_INLINE void weighRows(const float *p, const T *v, int64_t headDim, int64_t count, float *acc)
{
    constexpr int D = kLanes == 4 ? 2 : 4;
    int64_t d = 0;
    for (; d + D * kLanes <= headDim; d += D * kLanes)
        weigh<T, R, D>(p, kAttendBlock, v + d, headDim, count, acc + d);
    for (; d + kLanes <= headDim; d += kLanes)
        weigh<T, R, 1>(p, kAttendBlock, v + d, headDim, count, acc + d);
    for (; d < headDim; ++d)
        for (int r = 0; r < R; ++r)
            for (int64_t j = 0; j < count; ++j)
                acc[r * headDim + d] += p[r * kAttendBlock + j] * toFloat1(v[j * headDim + d]);
}

template <typename T>
void attend(const AttendArgs<T> &a)
{
    constexpr int R = kLanes == 16 ? 4 : 2;
    for (int64_t r = 0; r < a.rows; ++r) {
        a.maximum[r] = -INFINITY;
        a.sum[r] = 0;
    }
    memset(a.acc, 0, size_t(a.rows * a.headDim) * sizeof(float));
    for (int64_t block = a.begin; block < a.end; block += kAttendBlock) {
        const int64_t count = a.end - block < kAttendBlock ? a.end - block : kAttendBlock;
        GemmArgs<T> product;
        product.x = a.q;
        product.ldx = a.headDim;
        product.m = a.rows;
        product.w = a.k + block * a.headDim;
        product.ldw = a.headDim;
        product.n = count;
        product.k = a.headDim;
        product.y = a.scores;
        product.ldy = kAttendBlock;
        gemm(product);
        int64_t used = 0; // positions of the block that any row sees
        for (int64_t r = 0; r < a.rows; ++r) {
            float *s = a.scores + r * kAttendBlock;
            const int64_t position = a.firstPosition + r / a.group;
            int64_t to = position + 1 - block;
            to = to < 0 ? 0 : to > count ? count : to;
            int64_t from = a.window > 0 ? position + 1 - a.window - block : 0;
            from = from < 0 ? 0 : from > to ? to : from;
            used = to > used ? to : used;
            for (int64_t j = 0; j < from; ++j)
                s[j] = -INFINITY;
            const int64_t padded = (to + kLanes - 1) / kLanes * kLanes; // kAttendBlock is a multiple of every lane count
            for (int64_t j = to; j < padded; ++j)
                s[j] = -INFINITY;
            Vf top = splat(-INFINITY);
            for (int64_t j = 0; j < padded; j += kLanes)
                top = maxVector(top, load<Vf>(s + j));
            float highest = top[0];
            for (int i = 1; i < kLanes; ++i)
                highest = top[i] > highest ? top[i] : highest;
            highest *= a.scale; // scale > 0
            if (highest == -INFINITY) {
                memset(s, 0, size_t(count) * sizeof(float));
                continue;
            }
            if (highest > a.maximum[r]) {
                // exp of -infinity is taken as 0 by hand: the clamped exponential would leave 1e-38.
                const float shrink = a.maximum[r] == -INFINITY ? 0.0f : exponential(splat(a.maximum[r] - highest))[0];
                a.maximum[r] = highest;
                a.sum[r] *= shrink;
                for (int64_t d = 0; d < a.headDim; ++d)
                    a.acc[r * a.headDim + d] *= shrink;
            }
            const Vf lowest = splat(a.maximum[r]);
            Vf total = {};
            for (int64_t j = 0; j < padded; j += kLanes) {
                const Vf raw = load<Vf>(s + j);
                const Vf e = exponential(raw * a.scale - lowest);
                const Vf seen = raw == splat(-INFINITY) ? Vf{} : e;
                total += seen;
                store(s + j, seen);
            }
            a.sum[r] += sumLanes(total);
            if (padded < count)
                memset(s + padded, 0, size_t(count - padded) * sizeof(float));
        }
        const T *v = a.v + block * a.headDim;
        int64_t r = 0;
        for (; r + R <= a.rows; r += R)
            weighRows<T, R>(a.scores + r * kAttendBlock, v, a.headDim, used, a.acc + r * a.headDim);
        if constexpr (R > 2) {
            if (a.rows - r == 3) {
                weighRows<T, 3>(a.scores + r * kAttendBlock, v, a.headDim, used, a.acc + r * a.headDim);
                r += 3;
            } else if (a.rows - r == 2) {
                weighRows<T, 2>(a.scores + r * kAttendBlock, v, a.headDim, used, a.acc + r * a.headDim);
                r += 2;
            }
        }
        if (r < a.rows)
            weighRows<T, 1>(a.scores + r * kAttendBlock, v, a.headDim, used, a.acc + r * a.headDim);
    }
}

// ---- small parts ----

template <typename T>
void scaleInto(const float *acc, float factor, T *out, int64_t n)
{
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        storeFloat(out + i, load<Vf>(acc + i) * factor);
    for (; i < n; ++i)
        storeFloat1(out + i, acc[i] * factor);
}

RP_INLINE float inverseRms(const float *x, float eps, int64_t n)
{
    Vf squares = {};
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        const Vf v = load<Vf>(x + i);
        squares += v * v;
    }
    float sum = sumLanes(squares);
    for (; i < n; ++i)
        sum += x[i] * x[i];
    return 1.0f / __builtin_sqrtf(sum / float(n) + eps);
}

template <typename T>
RP_INLINE void normalise(const float *x, const float *weight, float eps, T *y, int64_t n)
{
    const float factor = inverseRms(x, eps, n);
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        storeFloat(y + i, load<Vf>(x + i) * factor * load<Vf>(weight + i));
    for (; i < n; ++i)
        storeFloat1(y + i, x[i] * factor * weight[i]);
}
template <typename T>
void rmsNorm(const float *x, const float *weight, float eps, T *y, int64_t n)
{
    normalise(x, weight, eps, y, n);
}
void rmsNormInPlace(float *x, const float *weight, float eps, int64_t n) { normalise(x, weight, eps, x, n); }
void rmsNormAdd(const float *x, const float *weight, float eps, float *y, int64_t n)
{
    const float factor = inverseRms(x, eps, n);
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        store(y + i, load<Vf>(y + i) + load<Vf>(x + i) * factor * load<Vf>(weight + i));
    for (; i < n; ++i)
        y[i] += x[i] * factor * weight[i];
}

template <typename T>
void rope(const float *head, const float *cosine, const float *sine, int64_t half, T *out)
{
    int64_t i = 0;
    for (; i + kLanes <= half; i += kLanes) {
        const Vf a = load<Vf>(head + i), b = load<Vf>(head + half + i);
        const Vf c = load<Vf>(cosine + i), s = load<Vf>(sine + i);
        storeFloat(out + i, a * c - b * s);
        storeFloat(out + half + i, b * c + a * s);
    }
    for (; i < half; ++i) {
        const float a = head[i], b = head[half + i];
        storeFloat1(out + i, a * cosine[i] - b * sine[i]);
        storeFloat1(out + half + i, b * cosine[i] + a * sine[i]);
    }
}

template <typename T>
void siluMultiply(const float *gate, const float *up, T *out, int64_t n)
{
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        const Vf g = load<Vf>(gate + i);
        storeFloat(out + i, g / (1.0f + exponential(-g)) * load<Vf>(up + i));
    }
    for (; i < n; ++i)
        storeFloat1(out + i, gate[i] / (1.0f + exponential(splat(-gate[i]))[0]) * up[i]);
}

/// (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u)): no cancellation at the far negative end.
RP_INLINE Vf gelu(Vf x)
{
    const Vf u = 0.7978845608028654f * (x + 0.044715f * x * x * x);
    return x / (1.0f + exponential(-2.0f * u));
}
template <typename T>
void geluMultiply(const float *gate, const float *up, T *out, int64_t n)
{
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        storeFloat(out + i, gelu(load<Vf>(gate + i)) * load<Vf>(up + i));
    for (; i < n; ++i)
        storeFloat1(out + i, gelu(splat(gate[i]))[0] * up[i]);
}

template <typename T>
void toFloat(const T *in, float *out, int64_t n)
{
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        store(out + i, loadFloat(in + i));
    for (; i < n; ++i)
        out[i] = toFloat1(in[i]);
}

template <typename T>
void fromFloat(const float *in, T *out, int64_t n)
{
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        storeFloat(out + i, load<Vf>(in + i));
    for (; i < n; ++i)
        storeFloat1(out + i, in[i]);
}

/// fp16 -> fp32 by arithmetic alone: subnormal halves come out through the subtraction.
RP_INLINE float halfToFloat(uint16_t h)
{
    const uint32_t sign = uint32_t(h & 0x8000u) << 16;
    const uint32_t rest = h & 0x7fffu;
    uint32_t bits;
    if (rest >= 0x7c00u) { // infinity and NaN
        bits = 0x7f800000u | (rest & 0x3ffu) << 13;
    } else if (rest < 0x0400u) { // zero and subnormal: the value is rest * 2^-24
        const float value = float(rest) * 5.9604644775390625e-08f;
        memcpy(&bits, &value, 4);
    } else {
        bits = (rest << 13) + (112u << 23);
    }
    bits |= sign;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
template <typename T>
void fromHalf(const uint16_t *in, T *out, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        storeFloat1(out + i, halfToFloat(in[i]));
}

/// The finaliser of MurmurHash3 (public domain) over a counter: cheap, good enough that no two weights follow a pattern.
RP_INLINE uint32_t scrambled(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    x ^= x >> 16;
    return x;
}
RP_INLINE Vu scrambled(Vu x)
{
    x ^= x >> 16;
    x *= splatU(0x85ebca6bu);
    x ^= x >> 13;
    x *= splatU(0xc2b2ae35u);
    x ^= x >> 16;
    return x;
}
template <typename T>
void fillUniform(T *out, int64_t n, uint32_t seed, uint32_t first, float amplitude)
{
    // 24 random bits, so that the smallest value but zero is amplitude / 2^23: far from denormal.
    const float scale = amplitude / 8388608.0f;
    int64_t i = 0;
    Vu counter;
    for (int lane = 0; lane < kLanes; ++lane)
        counter[lane] = first + uint32_t(lane);
    for (; i + kLanes <= n; i += kLanes) {
        const Vu bits = scrambled(counter ^ splatU(seed));
        storeFloat(out + i, __builtin_convertvector((Vi)bits >> 8, Vf) * scale);
        counter += splatU(kLanes);
    }
    for (; i < n; ++i)
        storeFloat1(out + i, float(int32_t(scrambled((first + uint32_t(i)) ^ seed)) >> 8) * scale);
}

int64_t argmax(const float *values, int64_t n)
{
    // The largest value first, vector by vector, then where it is: both passes run at memory speed.
    float best = values[0];
    int64_t i = 0;
    Vf top = splat(values[0]);
    for (; i + kLanes <= n; i += kLanes)
        top = maxVector(load<Vf>(values + i), top);
    for (int lane = 0; lane < kLanes; ++lane)
        best = top[lane] > best ? top[lane] : best;
    for (; i < n; ++i)
        best = values[i] > best ? values[i] : best;
    for (i = 0; i < n; ++i)
        if (values[i] == best)
            return i;
    return 0; // only where the first value is NaN
}

bool supported() { return RP_SUPPORTED; }

template <typename T>
constexpr Ops<T> kOps = {RP_KERNELS_NAME, supported,       gemm<T>,         attend<T>,  scaleInto<T>, rmsNorm<T>,
                         rmsNormInPlace,  rmsNormAdd,      rope<T>,         siluMultiply<T>, geluMultiply<T>,
                         toFloat<T>,      fromFloat<T>,    fromHalf<T>,     fillUniform<T>,  argmax};

} // namespace

void RP_KERNELS_FACTORY(const Ops<float> **fp32, const Ops<Bf16> **bf16)
{
    *fp32 = &kOps<float>;
    *bf16 = &kOps<Bf16>;
}

} // namespace ridgepoint::kernels
