// SPDX-License-Identifier: GPL-3.0-or-later
// Every set of kernels that this processor can run, against plain loops in double.
#include "core/torch/attention.h"
#include "core/torch/kernels.h"
#include "core/torch/linear.h"
#include "core/torch/threads.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

using namespace ridgepoint;
using kernels::Bf16;

namespace {

float valueOf(float x) { return x; }
float valueOf(Bf16 x)
{
    const std::uint32_t bits = std::uint32_t(x.bits) << 16;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

template <typename T>
std::vector<T> randomValues(std::int64_t count, unsigned seed, float spread = 1)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> any(-spread, spread);
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T &value : values) {
        const float x = any(random);
        if constexpr (std::is_same_v<T, float>) {
            value = x;
        } else {
            std::uint32_t bits;
            std::memcpy(&bits, &x, 4);
            value.bits = std::uint16_t(bits >> 16);
        }
    }
    return values;
}

template <typename Body>
void forEverySet(const Body &body)
{
    for (const auto *ops : kernels::availableOps<float>())
        body(*ops, 1.0f);
    for (const auto *ops : kernels::availableOps<Bf16>())
        body(*ops, Bf16{});
}

double geluOf(double x)
{
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

} // namespace

class TestKernels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { setThreads(2); }

    void thePortableSetIsAlwaysThere()
    {
        QVERIFY(!kernels::availableOps<float>().empty());
        QCOMPARE(QString(kernels::availableOps<float>().back()->name), QString("portable"));
        QCOMPARE(QString(kernels::availableOps<Bf16>().back()->name), QString("portable"));
    }

    void linearEqualsLoops_data()
    {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("in");
        QTest::addColumn<QList<int>>("rows");
        QTest::newRow("one by one") << 1 << 1 << QList<int>{1};
        for (const int m : {1, 2, 3, 4, 5, 7, 8, 13, 16, 33})
            QTest::addRow("m %d, odd sizes", m) << m << 77 << QList<int>{13, 6, 7};
        QTest::newRow("whole vectors") << 4 << 256 << QList<int>{64, 64};
        QTest::newRow("one long row") << 1 << 4099 << QList<int>{1};
        QTest::newRow("tokens beyond the cache") << 301 << 1031 << QList<int>{37, 5};
        QTest::newRow("many shares") << 2 << 33 << QList<int>{1000, 3};
    }
    void linearEqualsLoops()
    {
        QFETCH(int, m);
        QFETCH(int, in);
        QFETCH(QList<int>, rows);
        forEverySet([&]<typename T>(const kernels::Ops<T> &ops, T) {
            for (const bool accumulate : {false, true}) {
                const std::vector<T> x = randomValues<T>(std::int64_t(m) * in, 1);
                std::vector<std::vector<T>> w;
                std::vector<std::vector<float>> b;
                LinearWeights<T> weights;
                weights.in = in;
                for (int i = 0; i < rows.size(); ++i) {
                    w.push_back(randomValues<T>(std::int64_t(rows[i]) * in, 2 + unsigned(i)));
                    b.push_back(randomValues<float>(rows[i], 20 + unsigned(i)));
                }
                for (int i = 0; i < rows.size(); ++i)
                    weights.pieces.push_back({w[std::size_t(i)].data(), rows[i], i == 1 ? nullptr : b[std::size_t(i)].data()});
                const std::int64_t out = weights.out();
                std::vector<float> y = randomValues<float>(m * out, 9);
                const std::vector<float> before = y;
                linear(ops, weights, x.data(), m, y.data(), accumulate);
                for (int row = 0; row < m; ++row) {
                    std::int64_t column = 0;
                    for (std::size_t piece = 0; piece < w.size(); ++piece) {
                        for (int r = 0; r < rows[int(piece)]; ++r, ++column) {
                            double sum = piece == 1 ? 0.0 : double(b[piece][std::size_t(r)]), size = 1;
                            for (int k = 0; k < in; ++k) {
                                const double product = double(valueOf(x[std::size_t(row * in + k)])) *
                                                       double(valueOf(w[piece][std::size_t(r * in + k)]));
                                sum += product;
                                size += std::abs(product);
                            }
                            if (accumulate)
                                sum += double(before[std::size_t(row * out + column)]);
                            const double got = double(y[std::size_t(row * out + column)]);
                            if (!(std::abs(got - sum) <= 1e-6 * size))
                                QFAIL(qPrintable(QString("%1 of %2 bytes: row %3, column %4: %5 instead of %6")
                                                     .arg(ops.name)
                                                     .arg(sizeof(T))
                                                     .arg(row)
                                                     .arg(column)
                                                     .arg(got)
                                                     .arg(sum)));
                        }
                    }
                }
            }
        });
    }

    void attentionEqualsLoops_data()
    {
        QTest::addColumn<int>("sequences");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kvHeads");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<int>("window");
        QTest::newRow("first token") << 1 << 1 << 0 << 4 << 2 << 64 << 0;
        QTest::newRow("decode, groups of 3") << 2 << 1 << 100 << 9 << 3 << 64 << 0;
        QTest::newRow("decode in parts") << 1 << 1 << 1500 << 8 << 1 << 64 << 0;
        QTest::newRow("decode in parts, window") << 1 << 1 << 1500 << 8 << 1 << 64 << 600;
        QTest::newRow("odd head") << 2 << 3 << 300 << 5 << 1 << 22 << 0;
        QTest::newRow("head of 128") << 1 << 5 << 250 << 4 << 4 << 128 << 0;
        QTest::newRow("prefill") << 2 << 70 << 0 << 6 << 2 << 32 << 0;
        QTest::newRow("prefill, window") << 1 << 290 << 10 << 2 << 1 << 32 << 17;
        QTest::newRow("prefill over blocks") << 1 << 40 << 500 << 8 << 2 << 48 << 0;
    }
    void attentionEqualsLoops()
    {
        QFETCH(int, sequences);
        QFETCH(int, tokens);
        QFETCH(int, first);
        QFETCH(int, heads);
        QFETCH(int, kvHeads);
        QFETCH(int, headDim);
        QFETCH(int, window);
        forEverySet([&]<typename T>(const kernels::Ops<T> &ops, T) {
            const std::int64_t maxContext = first + tokens + 3;
            const std::vector<T> q = randomValues<T>(std::int64_t(sequences) * tokens * heads * headDim, 1, 3);
            std::vector<T> k = randomValues<T>(sequences * kvHeads * maxContext * headDim, 2);
            const std::vector<T> v = randomValues<T>(sequences * kvHeads * maxContext * headDim, 3);
            std::vector<T> out(q.size());
            AttentionArgs<T> args;
            args.scale = 0.8f / std::sqrt(float(headDim)); // not that of head_dim: a family may choose its own
            args.q = q.data();
            args.k = k.data();
            args.v = v.data();
            args.out = out.data();
            args.sequences = sequences;
            args.tokens = tokens;
            args.firstPosition = first;
            args.heads = heads;
            args.kvHeads = kvHeads;
            args.headDim = headDim;
            args.maxContext = maxContext;
            args.window = window;
            AttentionScratch<T> scratch;
            attention(ops, args, scratch);
            for (int s = 0; s < sequences; ++s) {
                for (int t = 0; t < tokens; ++t) {
                    for (int h = 0; h < heads; ++h) {
                        const std::size_t row = std::size_t(((s * tokens + t) * heads + h) * headDim);
                        const std::size_t base = std::size_t((s * kvHeads + h / (heads / kvHeads)) * maxContext * headDim);
                        const int last = first + t;
                        const int from = window > 0 ? std::max(0, last + 1 - window) : 0;
                        std::vector<double> weights;
                        double sum = 0;
                        for (int j = from; j <= last; ++j) {
                            double dot = 0;
                            for (int d = 0; d < headDim; ++d)
                                dot += double(valueOf(q[row + std::size_t(d)])) *
                                       double(valueOf(k[base + std::size_t(j * headDim + d)]));
                            weights.push_back(std::exp(dot * double(args.scale)));
                            sum += weights.back();
                        }
                        for (int d = 0; d < headDim; ++d) {
                            double wanted = 0;
                            for (int j = from; j <= last; ++j)
                                wanted += weights[std::size_t(j - from)] / sum *
                                          double(valueOf(v[base + std::size_t(j * headDim + d)]));
                            const double got = double(valueOf(out[row + std::size_t(d)]));
                            const double allowed = std::is_same_v<T, float> ? 2e-6 : 2e-6 + std::abs(wanted) / 256;
                            if (!(std::abs(got - wanted) <= allowed))
                                QFAIL(qPrintable(QString("%1 of %2 bytes: sequence %3, token %4, head %5: %6 instead of %7")
                                                     .arg(ops.name)
                                                     .arg(sizeof(T))
                                                     .arg(s)
                                                     .arg(t)
                                                     .arg(h)
                                                     .arg(got)
                                                     .arg(wanted)));
                        }
                    }
                }
            }
        });
    }

    void smallPartsEqualLoops_data()
    {
        QTest::addColumn<int>("n");
        for (const int n : {1, 3, 8, 16, 31, 64, 130})
            QTest::addRow("%d", n) << n;
    }
    void smallPartsEqualLoops()
    {
        QFETCH(int, n);
        forEverySet([&]<typename T>(const kernels::Ops<T> &ops, T) {
            const auto near = [&](T got, double wanted) {
                const double allowed = 1e-6 + std::abs(wanted) * (std::is_same_v<T, float> ? 2e-6 : 1.0 / 256);
                return std::abs(double(valueOf(got)) - wanted) <= allowed;
            };
            const std::size_t count = std::size_t(n);
            const std::vector<float> x = randomValues<float>(2 * n, 1, 4), w = randomValues<float>(2 * n, 2, 2);
            std::vector<T> out(2 * count);
            double squares = 0;
            for (std::size_t i = 0; i < count; ++i)
                squares += double(x[i]) * double(x[i]);
            ops.rmsNorm(x.data(), w.data(), 1e-5f, out.data(), n);
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY2(near(out[i], double(x[i]) / std::sqrt(squares / n + 1e-5) * double(w[i])), ops.name);
            ops.siluMultiply(x.data(), w.data(), out.data(), n);
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY2(near(out[i], double(x[i]) / (1 + std::exp(-double(x[i]))) * double(w[i])), ops.name);
            ops.geluMultiply(x.data(), w.data(), out.data(), n);
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY2(near(out[i], geluOf(double(x[i])) * double(w[i])), ops.name);
            std::vector<float> sum(w.begin(), w.begin() + n);
            ops.rmsNormAdd(x.data(), w.data(), 1e-5f, sum.data(), n);
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY2(std::abs(double(sum[i]) - double(w[i]) *
                                                       (1 + double(x[i]) / std::sqrt(squares / n + 1e-5))) < 2e-5,
                         ops.name);
            ops.rope(x.data(), w.data(), w.data() + n, n, out.data());
            for (std::size_t i = 0; i < count; ++i) {
                QVERIFY2(near(out[i], double(x[i]) * double(w[i]) - double(x[count + i]) * double(w[count + i])), ops.name);
                QVERIFY2(near(out[count + i], double(x[count + i]) * double(w[i]) + double(x[i]) * double(w[count + i])),
                         ops.name);
            }
            std::vector<float> many = randomValues<float>(n, 4);
            many[count / 2] = 7;
            many[count - 1] = 7;
            QCOMPARE(ops.argmax(many.data(), n), std::int64_t(n / 2));
        });
    }

    void gelusFarEndsAreExact()
    {
        forEverySet([&]<typename T>(const kernels::Ops<T> &ops, T) {
            const std::vector<float> gate{-1e13f, -1000, -30, -6, -3, 0, 3, 6, 30, 1000, 1e13f};
            const std::vector<float> up(gate.size(), 1.0f);
            std::vector<T> out(gate.size());
            ops.geluMultiply(gate.data(), up.data(), out.data(), std::int64_t(gate.size()));
            for (std::size_t i = 0; i < gate.size(); ++i) {
                const double wanted = geluOf(double(gate[i]));
                QVERIFY2(std::abs(double(valueOf(out[i])) - wanted) <= 1e-10 + std::abs(wanted) / 256, ops.name);
            }
        });
    }

    void silusFarEndsAreExact()
    {
        forEverySet([&]<typename T>(const kernels::Ops<T> &ops, T) {
            const std::vector<float> gate{-1000, -100, -30, 0, 30, 100, 1000, 88.5f};
            const std::vector<float> up(gate.size(), 1.0f);
            std::vector<T> out(gate.size());
            ops.siluMultiply(gate.data(), up.data(), out.data(), std::int64_t(gate.size()));
            for (std::size_t i = 0; i < gate.size(); ++i) {
                const double wanted = double(gate[i]) / (1 + std::exp(-double(gate[i])));
                QVERIFY2(std::abs(double(valueOf(out[i])) - wanted) <= 1e-10 + std::abs(wanted) / 256, ops.name);
            }
        });
    }

    void numbersAreConvertedAsTheirFormatsSay()
    {
        const float inf = INFINITY;
        for (const auto *ops : kernels::availableOps<Bf16>()) {
            // 1 + 2^-8 lies half way: to the even neighbour 1; 1 + 3 * 2^-8 to 1 + 2^-6.
            std::vector<float> in{1.0f, 1.00390625f, 1.01171875f, -inf, NAN, 1e-40f, 3.4e38f, -0.0f};
            in.insert(in.end(), in.begin(), in.end());
            in.insert(in.end(), in.begin(), in.begin() + 3); // a remainder after whole vectors
            std::vector<Bf16> out(in.size());
            ops->fromFloat(in.data(), out.data(), std::int64_t(in.size()));
            for (std::size_t i = 0; i < in.size(); ++i) {
                const float wanted[] = {1.0f, 1.0f, 1.015625f, -inf, NAN, 1e-40f, inf, -0.0f};
                const float want = wanted[i % 8], got = valueOf(out[i]);
                QVERIFY2(std::isnan(want) ? std::isnan(got) : want == 1e-40f ? std::abs(got - want) < 1e-40f : got == want,
                         ops->name);
            }
            std::vector<float> back(out.size());
            ops->toFloat(out.data(), back.data(), std::int64_t(out.size()));
            for (std::size_t i = 0; i < out.size(); ++i)
                QVERIFY(std::isnan(back[i]) ? std::isnan(valueOf(out[i])) : back[i] == valueOf(out[i]));
        }
        for (const auto *ops : kernels::availableOps<float>()) {
            const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0xfc00, 0x8000, 0x7e00};
            std::vector<float> out(halves.size());
            ops->fromHalf(halves.data(), out.data(), std::int64_t(halves.size()));
            const std::vector<float> wanted{1,        -2,   std::ldexp(1.0f, -24), std::ldexp(1023.0f, -24),
                                            std::ldexp(1.0f, -14), 65504, -inf, -0.0f};
            for (std::size_t i = 0; i < wanted.size(); ++i)
                QCOMPARE(out[i], wanted[i]);
            QVERIFY(std::isnan(out.back()));
        }
    }

    void randomWeightsAreSpreadEvenlyAndNeverDenormal()
    {
        forEverySet([&]<typename T>(const kernels::Ops<T> &ops, T) {
            std::vector<T> all(100003), tail(50001);
            ops.fillUniform(all.data(), std::int64_t(all.size()), 42, 0, 0.5f);
            ops.fillUniform(tail.data(), std::int64_t(tail.size()), 42, 50002, 0.5f);
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const float x = valueOf(all[i]);
                QVERIFY(std::abs(x) <= 0.5f);
                QVERIFY(x == 0 || std::fpclassify(x) == FP_NORMAL);
                sum += double(x);
                squares += double(x) * double(x);
                if (i >= 50002)
                    QCOMPARE(valueOf(tail[i - 50002]), x);
            }
            QVERIFY(std::abs(sum / double(all.size())) < 0.005);
            QVERIFY(std::abs(squares / double(all.size()) - 0.25 / 3) < 0.002);
        });
    }
};

QTEST_GUILESS_MAIN(TestKernels)
#include "test_kernels.moc"
