// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/attend_stream.h"
#include "core/cuda/decode_kernels.h"
#include "core/cuda/fused_kernels.h"
#include "core/cuda/warpgroup_products.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <vector>

using namespace ridgepoint;

namespace {

/// Conversions on the host, rounding to nearest even, so that inputs are exactly what the card reads.
std::uint16_t toBf16(float x)
{
    std::uint32_t bits;
    std::memcpy(&bits, &x, 4);
    bits += 0x7fffu + ((bits >> 16) & 1u);
    return std::uint16_t(bits >> 16);
}
float fromBf16(std::uint16_t x)
{
    const std::uint32_t bits = std::uint32_t(x) << 16;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

/// A device buffer of `dtype` with random values, and what it holds.
class Buffer {
public:
    Buffer(DType dtype, std::size_t count, float spread, unsigned seed) : m_dtype(dtype), m_values(count)
    {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal(0, spread);
        for (float &value : m_values)
            value = normal(random);
        QVERIFY(cudaMalloc(&m_device, m_values.size() * std::size_t(bytesPerElement(dtype))) == cudaSuccess);
        upload();
    }
    ~Buffer() { cudaFree(m_device); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    void *device() { return m_device; }
    /// Puts the values there again.
    void upload()
    {
        const std::size_t bytes = m_values.size() * std::size_t(bytesPerElement(m_dtype));
        std::vector<std::byte> raw(bytes);
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            if (m_dtype == DType::F32) {
                std::memcpy(raw.data() + 4 * i, &m_values[i], 4);
            } else if (m_dtype == DType::BF16) {
                const std::uint16_t bits = toBf16(m_values[i]);
                std::memcpy(raw.data() + 2 * i, &bits, 2);
                m_values[i] = fromBf16(bits);
            } else {
                const _Float16 half = _Float16(m_values[i]);
                std::memcpy(raw.data() + 2 * i, &half, 2);
                m_values[i] = float(half);
            }
        }
        cudaMemcpy(m_device, raw.data(), bytes, cudaMemcpyHostToDevice);
    }
    /// As the card holds them.
    const std::vector<float> &values() const { return m_values; }
    std::vector<float> download() const
    {
        std::vector<float> result(m_values.size());
        if (m_dtype == DType::F32) {
            cudaMemcpy(result.data(), m_device, result.size() * 4, cudaMemcpyDeviceToHost);
            return result;
        }
        std::vector<std::uint16_t> raw(result.size());
        cudaMemcpy(raw.data(), m_device, raw.size() * 2, cudaMemcpyDeviceToHost);
        for (std::size_t i = 0; i < raw.size(); ++i)
            result[i] = m_dtype == DType::BF16 ? fromBf16(raw[i]) : float(halfOf(raw[i]));
        return result;
    }

private:
    static _Float16 halfOf(std::uint16_t bits)
    {
        _Float16 half;
        std::memcpy(&half, &bits, 2);
        return half;
    }

    DType m_dtype;
    std::vector<float> m_values;
    void *m_device = nullptr;
};

/// A device buffer of plain values.
template <typename T>
class Plain {
public:
    explicit Plain(const std::vector<T> &values) : m_count(values.size())
    {
        cudaMalloc(&m_device, std::max<std::size_t>(1, m_count) * sizeof(T));
        cudaMemcpy(m_device, values.data(), m_count * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Plain() { cudaFree(m_device); }
    Plain(const Plain &) = delete;
    Plain &operator=(const Plain &) = delete;
    T *device() { return static_cast<T *>(m_device); }
    std::vector<T> download() const
    {
        std::vector<T> result(m_count);
        cudaMemcpy(result.data(), m_device, m_count * sizeof(T), cudaMemcpyDeviceToHost);
        return result;
    }

private:
    std::size_t m_count;
    void *m_device = nullptr;
};

/// Rounding of one result of the dtype, relative.
double roundingOf(DType dtype) { return dtype == DType::F32 ? 2e-6 : dtype == DType::F16 ? 1.0 / 1024 : 1.0 / 128; }

double largestError(const std::vector<float> &got, const std::vector<double> &wanted)
{
    double error = 0, largest = 1e-30;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        error = std::max(error, std::abs(double(got[i]) - wanted[i]));
        largest = std::max(largest, std::abs(wanted[i]));
        if (!std::isfinite(got[i]))
            return INFINITY;
    }
    return error / largest;
}

struct Shape {
    const char *name;
    std::int64_t batch, heads, kvHeads, headDim, context, maxContext, window;
};
const Shape kShapes[] = {
    {"one token", 1, 8, 2, 64, 1, 16, 0},
    {"one tile", 2, 8, 1, 64, 16, 64, 0},
    {"TinyLlama, 264", 1, 32, 4, 64, 264, 314, 0},
    {"TinyLlama, 2078, batch 3", 3, 32, 4, 64, 2078, 2098, 0},
    {"no groups, 128", 2, 4, 4, 128, 333, 400, 0},
    {"group of 2, 128", 2, 16, 8, 128, 777, 800, 0},
    {"group of 7", 2, 14, 2, 64, 150, 200, 0},
    {"group of 6, 128", 1, 12, 2, 128, 1500, 1600, 0},
    {"group of 16", 1, 16, 1, 64, 500, 512, 0},
    {"wide head", 1, 4, 1, 256, 700, 1024, 0},
    {"head of 96", 2, 6, 2, 96, 190, 200, 0},
    {"head of 80", 2, 4, 2, 80, 100, 128, 0},
    {"head of 16", 1, 4, 2, 16, 300, 512, 0},
    {"window", 2, 8, 2, 64, 1000, 1024, 100},
    {"window longer than the context", 1, 8, 2, 64, 40, 128, 100},
};

} // namespace

class TestCudaKernels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
            QSKIP("No GPU here: the kernels cannot be run.");
    }

    void attentionIsTheSoftmaxOverTheLiveContext_data()
    {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("splits");
        QTest::addColumn<bool>("tensorCores");
        for (int i = 0; i < int(std::size(kShapes)); ++i)
            for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
                for (const int splits : {0, 1, 7})
                    for (const bool tensorCores : {false, true})
                        if (!tensorCores || cuda::attendUsesTensorCores(dtype, kShapes[i].headDim))
                            QTest::addRow("%s, %s, %d splits%s", kShapes[i].name, std::string(dtypeName(dtype)).c_str(), splits,
                                          tensorCores ? ", tensor cores" : "")
                                << i << int(dtype) << splits << tensorCores;
    }
    void attentionIsTheSoftmaxOverTheLiveContext()
    {
        QFETCH(int, shape);
        QFETCH(int, type);
        QFETCH(int, splits);
        QFETCH(bool, tensorCores);
        int major = 0;
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
        if (tensorCores && major < 8)
            QSKIP("The tensor cores of this card are not used.");
        const Shape &s = kShapes[shape];
        const DType dtype = DType(type);
        const auto width = std::size_t(s.batch * s.heads * s.headDim);
        const auto cache = std::size_t(s.batch * s.kvHeads * s.maxContext * s.headDim);
        Buffer q(dtype, width, 1.5f, 1), k(dtype, cache, 1, 2), v(dtype, cache, 1, 3), out(dtype, width, 1, 4);
        if (splits == 0) // the decoder's choice on a card of 132 multiprocessors
            splits = cuda::attendSplits(s.batch, s.heads, s.kvHeads, s.headDim, s.maxContext, 132);
        Plain<std::int64_t> position({s.context - 1});
        Plain<float> partial(std::vector<float>(std::size_t(cuda::attendPartialFloats(s.batch, s.heads, s.headDim, splits)),
                                                NAN));
        Plain<unsigned> counters(std::vector<unsigned>(std::size_t(cuda::attendCounters(s.batch, s.heads)), 0u));
        cuda::AttendArgs args{};
        args.q = q.device();
        args.keys = k.device();
        args.values = v.device();
        args.position = position.device();
        args.out = out.device();
        args.partial = partial.device();
        args.counters = counters.device();
        args.batch = s.batch;
        args.heads = s.heads;
        args.kvHeads = s.kvHeads;
        args.headDim = s.headDim;
        args.maxContext = s.maxContext;
        args.window = s.window;
        args.scale = float(1 / std::sqrt(double(s.headDim)));
        args.splits = splits;
        args.tensorCores = tensorCores;
        for (int again = 0; again < 2; ++again) // the second run needs the counters that the first one left
            QVERIFY(cuda::attend(dtype, args, nullptr) == cudaSuccess);
        QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
        for (const unsigned counter : counters.download())
            QCOMPARE(counter, 0u);

        std::vector<double> wanted(width);
        const std::int64_t begin = s.window > 0 ? std::max<std::int64_t>(0, s.context - s.window) : 0;
        for (std::int64_t b = 0; b < s.batch; ++b) {
            for (std::int64_t h = 0; h < s.heads; ++h) {
                const float *query = q.values().data() + (b * s.heads + h) * s.headDim;
                const std::int64_t kv = h / (s.heads / s.kvHeads);
                const std::int64_t first = (b * s.kvHeads + kv) * s.maxContext * s.headDim;
                std::vector<double> weights;
                double best = -INFINITY, total = 0;
                for (std::int64_t n = begin; n < s.context; ++n) {
                    double dot = 0;
                    for (std::int64_t e = 0; e < s.headDim; ++e)
                        dot += double(query[e]) * double(k.values()[std::size_t(first + n * s.headDim + e)]);
                    weights.push_back(dot / std::sqrt(double(s.headDim)));
                    best = std::max(best, weights.back());
                }
                for (double &weight : weights)
                    total += weight = std::exp(weight - best);
                for (std::int64_t e = 0; e < s.headDim; ++e) {
                    double sum = 0;
                    for (std::int64_t n = begin; n < s.context; ++n)
                        sum += weights[std::size_t(n - begin)] / total * double(v.values()[std::size_t(first + n * s.headDim + e)]);
                    wanted[std::size_t((b * s.heads + h) * s.headDim + e)] = sum;
                }
            }
        }
        const double error = largestError(out.download(), wanted);
        QVERIFY2(error < std::max(2e-5, roundingOf(dtype)), qPrintable(QString::number(error)));
    }

    void addNormAddsAndNormalises_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("hidden");
        QTest::addColumn<bool>("add");
        QTest::addColumn<bool>("bias");
        QTest::addColumn<bool>("normed");
        QTest::addColumn<bool>("wide");
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
            for (const int hidden : {8, 64, 576, 2048, 4096, 9216, 32768})
                for (const int what : {0, 1, 2, 3, 4}) {
                    const char *const names[] = {"norm", "add", "add with bias", "add normed", "add normed to fp32"};
                    QTest::addRow("%s, %d, %s", std::string(dtypeName(dtype)).c_str(), hidden, names[what])
                        << int(dtype) << hidden << (what > 0) << (what == 2) << (what > 2) << (what == 4);
                }
    }
    void addNormAddsAndNormalises()
    {
        QFETCH(int, type);
        QFETCH(int, hidden);
        QFETCH(bool, add);
        QFETCH(bool, bias);
        QFETCH(bool, normed);
        QFETCH(bool, wide);
        const DType dtype = DType(type);
        constexpr std::size_t rows = 3;
        const auto width = std::size_t(hidden);
        Buffer x(wide ? DType::F32 : dtype, rows * width, 1, 1), yWeight(DType::F32, width, 1, 6), y(dtype, rows * width, 2, 2), out(dtype, rows * width, 1, 3);
        Buffer weight(DType::F32, width, 1, 4), shift(DType::F32, width, 1, 5);
        cuda::AddNormArgs args{};
        args.x = x.device();
        args.y = add ? y.device() : nullptr;
        args.bias = bias ? static_cast<float *>(shift.device()) : nullptr;
        args.weight = static_cast<float *>(weight.device());
        args.out = out.device();
        args.rows = rows;
        args.hidden = hidden;
        args.eps = 1e-5f;
        args.yWeight = normed ? static_cast<float *>(yWeight.device()) : nullptr;
        args.wideX = wide;
        QVERIFY(cuda::addNorm(dtype, args, nullptr) == cudaSuccess);
        QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
        std::vector<double> sums(rows * width), result(rows * width);
        for (std::size_t r = 0; r < rows; ++r) {
            double squares = 0, ySquares = 0;
            for (std::size_t i = 0; i < width; ++i)
                ySquares += double(y.values()[r * width + i]) * double(y.values()[r * width + i]);
            const double yScale = normed ? 1 / std::sqrt(ySquares / double(hidden) + 1e-5) : 1;
            for (std::size_t i = 0; i < width; ++i) {
                double &sum = sums[r * width + i];
                sum = double(x.values()[r * width + i]);
                if (add)
                    sum += double(y.values()[r * width + i]) * yScale * (normed ? double(yWeight.values()[i]) : 1.0) +
                           (bias ? double(shift.values()[i]) : 0.0);
                squares += sum * sum;
            }
            for (std::size_t i = 0; i < width; ++i)
                result[r * width + i] =
                    sums[r * width + i] / std::sqrt(squares / double(hidden) + 1e-5) * double(weight.values()[i]);
        }
        const double sumError = largestError(x.download(), sums), normError = largestError(out.download(), result);
        QVERIFY2(sumError < 2 * roundingOf(dtype), qPrintable(QString::number(sumError)));
        QVERIFY2(normError < 2 * roundingOf(dtype) + 1e-5, qPrintable(QString::number(normError)));
    }

    void activationsMultiply_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("gelu");
        QTest::addColumn<bool>("bias");
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
            for (const bool gelu : {false, true})
                for (const bool bias : {false, true})
                    QTest::addRow("%s, %s%s", std::string(dtypeName(dtype)).c_str(), gelu ? "gelu" : "silu",
                                  bias ? ", bias" : "")
                        << int(dtype) << gelu << bias;
    }
    void activationsMultiply()
    {
        QFETCH(int, type);
        QFETCH(bool, gelu);
        QFETCH(bool, bias);
        const DType dtype = DType(type);
        constexpr std::size_t rows = 5, ffn = 2056; // not a whole number of blocks
        Buffer in(dtype, rows * 2 * ffn, 2, 1), out(dtype, rows * ffn, 1, 2), shift(DType::F32, 2 * ffn, 1, 3);
        cuda::ActivateArgs args{};
        args.gateUp = in.device();
        args.bias = bias ? static_cast<float *>(shift.device()) : nullptr;
        args.out = out.device();
        args.rows = rows;
        args.ffn = ffn;
        args.gelu = gelu;
        QVERIFY(cuda::activate(dtype, args, nullptr) == cudaSuccess);
        QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
        std::vector<double> wanted(rows * ffn);
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t i = 0; i < ffn; ++i) {
                double gate = double(in.values()[r * 2 * ffn + i]), up = double(in.values()[r * 2 * ffn + ffn + i]);
                if (bias) {
                    gate += double(shift.values()[i]);
                    up += double(shift.values()[ffn + i]);
                }
                const double act = gelu ? 0.5 * gate *
                                              (1 + std::tanh(std::sqrt(2 / 3.14159265358979) *
                                                             (gate + 0.044715 * gate * gate * gate)))
                                        : gate / (1 + std::exp(-gate));
                wanted[r * ffn + i] = act * up;
            }
        }
        const double error = largestError(out.download(), wanted);
        QVERIFY2(error < 3 * roundingOf(dtype), qPrintable(QString::number(error)));
    }

    void fusedProductsAreThoseOfTheReference_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("end");
        QTest::addColumn<bool>("norm");
        QTest::addColumn<bool>("bias");
        const std::pair<int, int> sizes[] = {{1, 8}, {7, 72}, {130, 64}, {333, 200}, {2113, 520}, {4500, 896}, {96, 2048}};
        int seed = 0;
        for (const DType dtype : {DType::F16, DType::BF16})
            for (const int batch : {1, 2, 3, 5, 8, 9, 16})
                for (const auto &[rows, columns] : sizes)
                    for (const auto end : {cuda::LinearEnd::Store, cuda::LinearEnd::Add, cuda::LinearEnd::Activate})
                        for (const bool norm : {false, true}) {
                            if (norm && batch > cuda::kLinearNormBatch)
                                continue;
                            const bool bias = ++seed % 2 == 0;
                            QTest::addRow("%s, batch %d, %d x %d, end %d%s%s", std::string(dtypeName(dtype)).c_str(), batch, rows,
                                          columns, int(end), norm ? ", normed" : "", bias ? ", bias" : "")
                                << int(dtype) << batch << rows << columns << int(end) << norm << bias;
                        }
    }
    void fusedProductsAreThoseOfTheReference()
    {
        QFETCH(int, type);
        QFETCH(int, batch);
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, end);
        QFETCH(bool, norm);
        QFETCH(bool, bias);
        const DType dtype = DType(type);
        cudaDeviceProp card;
        QVERIFY(cudaGetDeviceProperties(&card, 0) == cudaSuccess);
        const int capability = card.major * 10 + card.minor;
        if (!cuda::linearSupports(dtype, columns, batch, norm, capability, std::int64_t(card.sharedMemPerBlockOptin)))
            QSKIP("This card is not served for these sizes.");
        const cuda::LinearEnd what = cuda::LinearEnd(end);
        const bool gated = what == cuda::LinearEnd::Activate, adds = what == cuda::LinearEnd::Add;
        const std::size_t b = std::size_t(batch), n = std::size_t(rows), k = std::size_t(columns), stored = gated ? 2 * n : n;
        Buffer weight(dtype, stored * k, 0.08f, 1), in(norm ? DType::F32 : dtype, b * k, 1.0f, 2);
        Buffer scale(DType::F32, k, 1.0f, 3), offset(DType::F32, stored, 0.5f, 4);
        // Whatever is not written shows: not a number, or for an addition the values before.
        Buffer out(adds ? DType::F32 : dtype, b * n, 1.0f, 5);
        if (!adds)
            QVERIFY(cudaMemset(out.device(), 0xff, b * n * 2) == cudaSuccess);
        for (const bool overlap : {false, true}) {
            if (overlap && (capability < 90 || adds)) // an addition is not the same twice
                continue;
            cuda::LinearArgs args{};
            args.weight = weight.device();
            args.bias = bias ? static_cast<float *>(offset.device()) : nullptr;
            args.in = in.device();
            args.norm = norm ? static_cast<float *>(scale.device()) : nullptr;
            args.out = out.device();
            args.rows = rows;
            args.columns = columns;
            args.batch = batch;
            args.eps = 1e-5f;
            args.end = what;
            args.gelu = rows % 2 == 0;
            args.overlap = overlap;
            args.blocks = card.multiProcessorCount;
            QVERIFY(cuda::linear(dtype, args, nullptr) == cudaSuccess);
        }
        QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
        const std::vector<float> got = out.download();
        const double half = dtype == DType::F16 ? 1.0 / 2048 : 1.0 / 256; // one rounding
        for (std::size_t s = 0; s < b; ++s) {
            double squares = 0;
            for (std::size_t i = 0; i < k; ++i)
                squares += double(in.values()[s * k + i]) * in.values()[s * k + i];
            const double factor = 1 / std::sqrt(squares / double(k) + 1e-5);
            const auto dot = [&](std::size_t row, double &size) {
                double sum = 0;
                for (std::size_t i = 0; i < k; ++i) {
                    const double x = in.values()[s * k + i] * (norm ? factor * scale.values()[i] : 1.0);
                    sum += weight.values()[row * k + i] * x;
                    size += std::abs(weight.values()[row * k + i] * x);
                }
                return sum + (bias ? offset.values()[row] : 0.0f);
            };
            for (std::size_t row = 0; row < n; ++row) {
                double size = 1;
                double wanted = dot(row, size);
                if (gated) {
                    const double act = rows % 2 == 0
                                           ? 0.5 * wanted * (1 + std::tanh(0.7978845608028654 * (wanted + 0.044715 * wanted * wanted * wanted)))
                                           : wanted / (1 + std::exp(-wanted));
                    double upSize = 1;
                    const double up = dot(n + row, upSize);
                    wanted = act * up;
                    size = size * (1 + std::abs(up)) + upSize * (1 + std::abs(act));
                } else if (adds) {
                    wanted += out.values()[s * n + row];
                }
                const double error = std::abs(double(got[s * n + row]) - wanted);
                QVERIFY2(error <= half * (size + std::abs(wanted)),
                         qPrintable(QString("sequence %1, row %2: %3 instead of %4").arg(s).arg(row).arg(got[s * n + row]).arg(wanted)));
            }
        }
    }

    /// Every plan that would be tried, and some that are seldom the fastest.
    void warpgroupProductsAreThoseOfTheReference_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("end");
        QTest::addColumn<bool>("bias");
        const std::pair<int, int> sizes[] = {{8, 64}, {333, 200}, {1002, 520}, {96, 2048}, {704, 1000}};
        int seed = 0;
        for (const DType dtype : {DType::F16, DType::BF16})
            for (const int batch : {1, 3, 8, 16, 37, 64, 65, 128})
                for (const auto &[rows, columns] : sizes)
                    for (const auto end : {cuda::LinearEnd::Store, cuda::LinearEnd::Add, cuda::LinearEnd::Activate}) {
                        const bool bias = ++seed % 2 == 0;
                        QTest::addRow("%s, batch %d, %d x %d, end %d%s", std::string(dtypeName(dtype)).c_str(), batch, rows, columns, int(end),
                                      bias ? ", bias" : "")
                            << int(dtype) << batch << rows << columns << int(end) << bias;
                    }
    }
    void warpgroupProductsAreThoseOfTheReference()
    {
        QFETCH(int, type);
        QFETCH(int, batch);
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, end);
        QFETCH(bool, bias);
        const DType dtype = DType(type);
        cudaDeviceProp card;
        QVERIFY(cudaGetDeviceProperties(&card, 0) == cudaSuccess);
        const std::int64_t sharedLimit = std::int64_t(card.sharedMemPerBlockOptin);
        const cuda::LinearEnd what = cuda::LinearEnd(end);
        const bool gated = what == cuda::LinearEnd::Activate, adds = what == cuda::LinearEnd::Add;
        const std::size_t b = std::size_t(batch), n = std::size_t(rows), k = std::size_t(columns), stored = gated ? 2 * n : n;
        Buffer weight(dtype, stored * k, 0.08f, 1), in(dtype, b * k, 1.0f, 2), offset(DType::F32, stored, 0.5f, 4);
        Buffer out(adds ? DType::F32 : dtype, b * n, 1.0f, 5);
        cuda::LinearArgs args{};
        args.weight = weight.device();
        args.bias = bias ? static_cast<float *>(offset.device()) : nullptr;
        args.in = in.device();
        args.out = out.device();
        args.rows = rows;
        args.columns = columns;
        args.batch = batch;
        args.end = what;
        args.gelu = rows % 2 == 0;
        args.blocks = card.multiProcessorCount;
        if (!cuda::warpgroupSupports(dtype, args, card.major * 10 + card.minor, sharedLimit))
            QSKIP("This card or build has no warpgroup instructions.");
        // A few sequences, the last one among them: all would take minutes on the host.
        struct Wanted {
            std::size_t sequence, row;
            double value, allowed;
        };
        std::vector<Wanted> wanted;
        const double half = dtype == DType::F16 ? 1.0 / 2048 : 1.0 / 256; // one rounding
        for (const std::size_t s : std::set<std::size_t>{0, b / 3, b / 2, b - 1}) {
            const auto dot = [&](std::size_t row, double &size) {
                double sum = 0;
                for (std::size_t i = 0; i < k; ++i) {
                    const double product = double(weight.values()[row * k + i]) * in.values()[s * k + i];
                    sum += product;
                    size += std::abs(product);
                }
                return sum + (bias ? offset.values()[row] : 0.0f);
            };
            for (std::size_t row = 0; row < n; ++row) {
                double size = 1, value = dot(row, size);
                if (gated) {
                    const double act = rows % 2 == 0 ? 0.5 * value * (1 + std::tanh(0.7978845608028654 * (value + 0.044715 * value * value * value)))
                                                     : value / (1 + std::exp(-value));
                    double upSize = 1;
                    const double up = dot(n + row, upSize);
                    value = act * up;
                    size = size * (1 + std::abs(up)) + upSize * (1 + std::abs(act));
                } else if (adds) {
                    value += out.values()[s * n + row];
                }
                wanted.push_back({s, row, value, half * (size + std::abs(value))});
            }
        }
        std::vector<cuda::WarpgroupPlan> plans = cuda::warpgroupPlans(args, sharedLimit);
        QVERIFY(!plans.empty());
        for (const int width : cuda::kWarpgroupWidths)
            plans.push_back({width, 1}), plans.push_back({width, 3});
        plans.push_back({64, 8});
        int ran = 0;
        for (const cuda::WarpgroupPlan &plan : plans) {
            if (adds)
                out.upload();
            else
                QVERIFY(cudaMemset(out.device(), 0xff, b * n * 2) == cudaSuccess);
            if (cuda::warpgroupLinear(dtype, args, plan, sharedLimit, nullptr) != cudaSuccess) {
                cudaGetLastError();
                continue; // too few columns for so many blocks, or too little shared memory
            }
            ++ran;
            QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
            const std::vector<float> got = out.download();
            for (const Wanted &w : wanted) {
                const float found = got[w.sequence * n + w.row];
                QVERIFY2(std::abs(double(found) - w.value) <= w.allowed, qPrintable(QString("%1 rows x %2, sequence %3, row %4: %5 instead of %6")
                                                                                       .arg(plan.width)
                                                                                       .arg(plan.splits)
                                                                                       .arg(w.sequence)
                                                                                       .arg(w.row)
                                                                                       .arg(found)
                                                                                       .arg(w.value)));
            }
            QVERIFY(std::none_of(got.begin(), got.end(), [](float x) { return !std::isfinite(x); }));
        }
        QVERIFY(ran >= 8);
    }

    /// The kernel that goes from context to context gives what ropeAppend() and attend() give, and leaves the same cache.
    void attentionFromContextToContextIsTheSame_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("context");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("window");
        int seed = 0;
        for (const DType dtype : {DType::F16, DType::BF16})
            for (const int headDim : {64, 128})
                for (const int heads : {2, 6, 16, 24})
                    for (const int context : {0, 1, 15, 16, 31, 63, 64, 65, 300, 1500})
                        for (const int batch : {4, 37, 128}) {
                            if (batch * context > 10'000 || (dtype == DType::BF16 && context % 5 != 0)) // each takes its time on the host
                                continue;
                            const int window = ++seed % 3 == 0 ? 48 : 0;
                            QTest::addRow("%s, %d heads of %d, %d cached, batch %d, window %d", std::string(dtypeName(dtype)).c_str(), heads, headDim,
                                          context, batch, window)
                                << int(dtype) << headDim << heads << context << batch << window;
                        }
    }
    void attentionFromContextToContextIsTheSame()
    {
        QFETCH(int, type);
        QFETCH(int, headDim);
        QFETCH(int, heads);
        QFETCH(int, context);
        QFETCH(int, batch);
        QFETCH(int, window);
        const DType dtype = DType(type);
        cudaDeviceProp card;
        QVERIFY(cudaGetDeviceProperties(&card, 0) == cudaSuccess);
        if (card.major < 9)
            QSKIP("This kernel needs compute capability 9.0.");
        const std::int64_t kvHeads = 2, maxContext = context + (batch == 4 && context < 100 ? 2000 : 5); // more blocks than there are parts of a context
        const std::size_t width = std::size_t((heads + 2 * kvHeads) * headDim);
        const std::size_t cacheSize = std::size_t(batch * kvHeads * maxContext * headDim);
        Buffer qkv(dtype, std::size_t(batch) * width, 1.0f, 1), bias(DType::F32, width, 0.3f, 2);
        Buffer qNorm(DType::F32, std::size_t(headDim), 1.0f, 3), kNorm(DType::F32, std::size_t(headDim), 1.0f, 4);
        Buffer cosine(DType::F32, std::size_t(maxContext * headDim / 2), 1.0f, 5), sine(DType::F32, std::size_t(maxContext * headDim / 2), 1.0f, 6);
        Plain<std::int64_t> position({std::int64_t(context)});
        const int splits = cuda::attendSplits(batch, heads, kvHeads, headDim, maxContext, card.multiProcessorCount);
        std::vector<std::vector<float>> outs, caches;
        for (const bool stream : {false, true}) {
            Buffer keys(dtype, cacheSize, 1.0f, 7), values(dtype, cacheSize, 1.0f, 8), out(dtype, std::size_t(batch * heads * headDim), 1.0f, 10);
            QVERIFY(cudaMemset(out.device(), 0xff, std::size_t(batch * heads * headDim) * 2) == cudaSuccess);
            Plain<float> partial(std::vector<float>(std::size_t(std::max<std::int64_t>(1, cuda::attendPartialFloats(batch, heads, headDim, splits)))));
            Plain<unsigned> counters(std::vector<unsigned>(std::size_t(cuda::attendCounters(batch, heads))));
            cuda::AttendArgs args{};
            args.keys = keys.device();
            args.values = values.device();
            args.position = position.device();
            args.out = out.device();
            args.partial = partial.device();
            args.counters = counters.device();
            args.batch = batch;
            args.heads = heads;
            args.kvHeads = kvHeads;
            args.headDim = headDim;
            args.maxContext = maxContext;
            args.window = window;
            args.scale = 0.1f;
            args.splits = splits;
            args.tensorCores = true;
            args.stream = stream;
            args.overlap = true;
            args.raw = {qkv.device(), static_cast<float *>(bias.device()), static_cast<float *>(qNorm.device()), static_cast<float *>(kNorm.device()),
                        static_cast<float *>(cosine.device()), static_cast<float *>(sine.device()), 1e-5f};
            if (stream)
                QVERIFY(cuda::attendStreamSupports(dtype, args));
            for (int again = 0; again < 2; ++again) { // what the first leaves behind must serve the second
                QVERIFY(cuda::attend(dtype, args, nullptr) == cudaSuccess);
                QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
            }
            outs.push_back(out.download());
            caches.push_back(keys.download());
            const std::vector<float> v = values.download();
            caches.back().insert(caches.back().end(), v.begin(), v.end());
        }
        QVERIFY(caches[0] == caches[1]);
        double worst = 0;
        for (std::size_t i = 0; i < outs[0].size(); ++i)
            worst = std::max(worst, std::isfinite(outs[1][i]) ? double(std::abs(outs[0][i] - outs[1][i])) : 1e9);
        QVERIFY2(worst < (dtype == DType::F16 ? 2e-3 : 1.6e-2), qPrintable(QString::number(worst))); // weights are rounded to the dtype, in other runs of keys
    }

    /// Attention that finishes the heads itself gives what ropeAppend() and attend() give one after the other, and leaves the
    /// same cache.
    void attentionOfTheRawProductIsTheSame_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("context");
        QTest::addColumn<bool>("tensorCores");
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
            for (const int headDim : {16, 64, 128, 256})
                for (const int heads : {2, 6, 24})
                    for (const int context : {0, 1, 33, 300, 2000})
                        for (const bool tensorCores : {false, true})
                            QTest::addRow("%s, %d heads of %d, %d cached%s", std::string(dtypeName(dtype)).c_str(), heads, headDim,
                                          context, tensorCores ? ", tensor cores" : "")
                                << int(dtype) << headDim << heads << context << tensorCores;
    }
    void attentionOfTheRawProductIsTheSame()
    {
        QFETCH(int, type);
        QFETCH(int, headDim);
        QFETCH(int, heads);
        QFETCH(int, context);
        QFETCH(bool, tensorCores);
        const DType dtype = DType(type);
        cudaDeviceProp card;
        QVERIFY(cudaGetDeviceProperties(&card, 0) == cudaSuccess);
        if ((tensorCores || dtype == DType::BF16) && card.major < 8)
            QSKIP("This card has no such tensor cores.");
        const std::int64_t batch = 3, kvHeads = 2, maxContext = context + 5;
        const std::size_t width = std::size_t((heads + 2 * kvHeads) * headDim);
        const std::size_t cacheSize = std::size_t(batch * kvHeads * maxContext * headDim);
        Buffer qkv(dtype, std::size_t(batch) * width, 1.0f, 1), bias(DType::F32, width, 0.3f, 2);
        Buffer qNorm(DType::F32, std::size_t(headDim), 1.0f, 3), kNorm(DType::F32, std::size_t(headDim), 1.0f, 4);
        Buffer cosine(DType::F32, std::size_t(maxContext * headDim / 2), 1.0f, 5);
        Buffer sine(DType::F32, std::size_t(maxContext * headDim / 2), 1.0f, 6);
        Plain<std::int64_t> position({std::int64_t(context)});
        const int splits = cuda::attendSplits(batch, heads, kvHeads, headDim, maxContext, card.multiProcessorCount);
        std::vector<std::vector<float>> outs, caches;
        for (const bool raw : {false, true}) {
            Buffer keys(dtype, cacheSize, 1.0f, 7), values(dtype, cacheSize, 1.0f, 8);
            Buffer q(dtype, std::size_t(batch * heads * headDim), 1.0f, 9), out(dtype, std::size_t(batch * heads * headDim), 1.0f, 10);
            Plain<float> partial(std::vector<float>(
                std::size_t(std::max<std::int64_t>(1, cuda::attendPartialFloats(batch, heads, headDim, splits)))));
            Plain<unsigned> counters(std::vector<unsigned>(std::size_t(cuda::attendCounters(batch, heads))));
            cuda::AttendArgs args{};
            args.q = q.device();
            args.keys = keys.device();
            args.values = values.device();
            args.position = position.device();
            args.out = out.device();
            args.partial = partial.device();
            args.counters = counters.device();
            args.batch = batch;
            args.heads = heads;
            args.kvHeads = kvHeads;
            args.headDim = headDim;
            args.maxContext = maxContext;
            args.scale = 0.1f;
            args.splits = splits;
            args.tensorCores = tensorCores;
            if (raw) {
                args.raw.qkv = qkv.device();
                args.raw.bias = static_cast<float *>(bias.device());
                args.raw.qNorm = static_cast<float *>(qNorm.device());
                args.raw.kNorm = static_cast<float *>(kNorm.device());
                args.raw.cosine = static_cast<float *>(cosine.device());
                args.raw.sine = static_cast<float *>(sine.device());
                args.raw.eps = 1e-5f;
                args.overlap = card.major >= 9;
            } else {
                cuda::RopeAppendArgs rope{};
                rope.qkv = qkv.device();
                rope.bias = static_cast<float *>(bias.device());
                rope.qNorm = static_cast<float *>(qNorm.device());
                rope.kNorm = static_cast<float *>(kNorm.device());
                rope.cosine = static_cast<float *>(cosine.device());
                rope.sine = static_cast<float *>(sine.device());
                rope.position = position.device();
                rope.q = q.device();
                rope.keys = keys.device();
                rope.values = values.device();
                rope.rows = batch;
                rope.tokens = 1;
                rope.heads = heads;
                rope.kvHeads = kvHeads;
                rope.headDim = headDim;
                rope.maxContext = maxContext;
                rope.eps = 1e-5f;
                QVERIFY(cuda::ropeAppend(dtype, rope, nullptr) == cudaSuccess);
            }
            QVERIFY(cuda::attend(dtype, args, nullptr) == cudaSuccess);
            QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
            outs.push_back(out.download());
            caches.push_back(keys.download());
            const std::vector<float> v = values.download();
            caches.back().insert(caches.back().end(), v.begin(), v.end());
        }
        QVERIFY(caches[0] == caches[1]);
        QVERIFY(outs[0] == outs[1]);
    }

    void theGreatestLogitIsPickedAndTheFirstOfEquals_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("vocab");
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
            for (const int vocab : {2, 255, 32000, 151936})
                QTest::addRow("%s, %d", std::string(dtypeName(dtype)).c_str(), vocab) << int(dtype) << vocab;
    }
    void theGreatestLogitIsPickedAndTheFirstOfEquals()
    {
        QFETCH(int, type);
        QFETCH(int, vocab);
        const DType dtype = DType(type);
        constexpr std::int64_t batch = 5;
        Buffer logits(dtype, std::size_t(batch * vocab), 3, unsigned(vocab)); // half precision has many equals in 151936
        Plain<std::int64_t> tokens(std::vector<std::int64_t>(std::size_t(4 * batch), -1)), position({1});
        Plain<std::byte> partial(std::vector<std::byte>(std::size_t(cuda::pickPartialBytes(batch))));
        Plain<unsigned> counters(std::vector<unsigned>(std::size_t(batch + 1), 0u));
        cuda::PickArgs args{};
        args.logits = logits.device();
        args.tokens = tokens.device();
        args.position = position.device();
        args.partial = partial.device();
        args.counters = counters.device();
        args.sequences = batch;
        args.batch = batch;
        args.vocab = vocab;
        QVERIFY(cuda::pick(dtype, args, nullptr) == cudaSuccess);
        QVERIFY(cuda::pick(dtype, args, nullptr) == cudaSuccess); // at the position that the first one moved on to
        QVERIFY(cudaDeviceSynchronize() == cudaSuccess);
        QCOMPARE(position.download().front(), 3);
        for (const unsigned counter : counters.download())
            QCOMPARE(counter, 0u);
        const std::vector<std::int64_t> picked = tokens.download();
        for (std::int64_t b = 0; b < batch; ++b) {
            std::int64_t wanted = 0;
            for (std::int64_t i = 1; i < vocab; ++i)
                if (logits.values()[std::size_t(b * vocab + i)] > logits.values()[std::size_t(b * vocab + wanted)])
                    wanted = i;
            QCOMPARE(picked[std::size_t(2 * batch + b)], wanted);
            QCOMPARE(picked[std::size_t(3 * batch + b)], wanted);
        }
    }

    void sizesThatAreNoVectorsAreRefused()
    {
        QVERIFY(cuda::kernelsSupport(2048, 5632, 64));
        QVERIFY(!cuda::kernelsSupport(2044, 5632, 64));
        QVERIFY(!cuda::kernelsSupport(2048, 5631, 64));
        QVERIFY(!cuda::kernelsSupport(2048, 5632, 60));
        QVERIFY(!cuda::kernelsSupport(2048, 5632, 512));
        QVERIFY(!cuda::kernelsSupport(65536, 5632, 64));
    }
};

QTEST_GUILESS_MAIN(TestCudaKernels)
#include "test_cuda_kernels.moc"
