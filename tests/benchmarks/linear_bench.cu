// SPDX-License-Identifier: GPL-3.0-or-later
// The products of a fused step by themselves: every layer's four and the head in one graph, as a decode step runs them without
// its attention, against the bytes that they stream. With --check each product is first held against sums in double on the host, over some of its rows.
#include "core/cuda/fused_kernels.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace ridgepoint;
using namespace ridgepoint::cuda;

namespace {

void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

__global__ void fillHalf(__half *to, std::size_t count, unsigned seed, float scale)
{
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x) {
        unsigned h = unsigned(i) * 2654435761u + seed;
        h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
        to[i] = __float2half((float(h & 0xffff) / 32768.0f - 1.0f) * scale);
    }
}
__global__ void fillFloat(float *to, std::size_t count, unsigned seed, float scale, float offset)
{
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x) {
        unsigned h = unsigned(i) * 2654435761u + seed;
        h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
        to[i] = offset + (float(h & 0xffff) / 32768.0f - 1.0f) * scale;
    }
}

struct Sizes {
    std::string name;
    int layers, hidden, heads, kvHeads, headDim, ffn, vocab;
};
const Sizes kSizes[] = {
    {"tinyllama", 22, 2048, 32, 4, 64, 5632, 32000},
    {"qwen2.5-0.5b", 24, 896, 14, 2, 64, 4864, 151936},
    {"qwen2.5-1.5b", 28, 1536, 12, 2, 128, 8960, 151936},
    {"qwen3-0.6b", 28, 1024, 16, 8, 128, 3072, 151936},
    {"llama-2-7b", 32, 4096, 32, 32, 128, 11008, 32000},
};

double referenceError(const LinearArgs &a, const std::vector<float> &before)
{
    // On the host, in double, over a few rows: every row would take minutes.
    const std::size_t k = std::size_t(a.columns), rows = std::size_t(a.rows), b = std::size_t(a.batch);
    std::vector<float> in(b * k);
    if (a.norm) {
        std::vector<float> x(b * k), w(k);
        must(cudaMemcpy(x.data(), a.in, b * k * 4, cudaMemcpyDeviceToHost), "copy");
        must(cudaMemcpy(w.data(), a.norm, k * 4, cudaMemcpyDeviceToHost), "copy");
        for (std::size_t n = 0; n < b; ++n) {
            double squares = 0;
            for (std::size_t i = 0; i < k; ++i)
                squares += double(x[n * k + i]) * x[n * k + i];
            const double scale = 1 / std::sqrt(squares / double(k) + a.eps);
            for (std::size_t i = 0; i < k; ++i)
                in[n * k + i] = float(x[n * k + i] * scale * w[i]);
        }
    } else {
        std::vector<__half> x(b * k);
        must(cudaMemcpy(x.data(), a.in, b * k * 2, cudaMemcpyDeviceToHost), "copy");
        for (std::size_t i = 0; i < b * k; ++i)
            in[i] = __half2float(x[i]);
    }
    std::vector<float> got(b * rows);
    if (a.end == LinearEnd::Add) {
        must(cudaMemcpy(got.data(), a.out, b * rows * 4, cudaMemcpyDeviceToHost), "copy");
    } else {
        std::vector<__half> raw(b * rows);
        must(cudaMemcpy(raw.data(), a.out, b * rows * 2, cudaMemcpyDeviceToHost), "copy");
        for (std::size_t i = 0; i < b * rows; ++i)
            got[i] = __half2float(raw[i]);
    }
    double worst = 0, largest = 0;
    const auto dot = [&](std::size_t row, std::size_t n) {
        std::vector<__half> w(k);
        must(cudaMemcpy(w.data(), static_cast<const __half *>(a.weight) + row * k, k * 2, cudaMemcpyDeviceToHost), "copy");
        double sum = 0;
        for (std::size_t i = 0; i < k; ++i)
            sum += double(__half2float(w[i])) * in[n * k + i];
        return sum;
    };
    for (std::size_t row = 0; row < rows; row += row % 97 == 0 ? 1 : rows / 61 + 1) {
        for (std::size_t n = 0; n < b; ++n) {
            double wanted = dot(row, n);
            if (a.end == LinearEnd::Activate)
                wanted = wanted / (1 + std::exp(-wanted)) * dot(rows + row, n);
            if (a.end == LinearEnd::Add)
                wanted += before[n * rows + row];
            worst = std::max(worst, std::abs(wanted - double(got[n * rows + row])));
            largest = std::max(largest, std::abs(wanted));
        }
    }
    for (const float value : got)
        if (!std::isfinite(value))
            return INFINITY;
    return worst / largest;
}

} // namespace

int main(int count, char **arguments)
{
    bool check = false;
    std::string only;
    for (int i = 1; i < count; ++i) {
        if (!std::strcmp(arguments[i], "--check"))
            check = true;
        else
            only = arguments[i];
    }
    cudaDeviceProp card;
    must(cudaGetDeviceProperties(&card, 0), "device");
    const int capability = card.major * 10 + card.minor;
    cudaStream_t stream;
    must(cudaStreamCreate(&stream), "stream");
    for (const int k : {896, 2048, 4096, 11008}) { // one long product: what the stream itself reaches
        LinearArgs a{};
        a.columns = k;
        a.rows = 1000000000 / k;
        a.batch = 1;
        a.blocks = card.multiProcessorCount;
        a.end = LinearEnd::Store;
        __half *w, *in, *out;
        must(cudaMalloc(&w, std::size_t(a.rows) * std::size_t(k) * 2), "memory");
        must(cudaMalloc(&in, std::size_t(k) * 2), "memory");
        must(cudaMalloc(&out, std::size_t(a.rows) * 2), "memory");
        fillHalf<<<1024, 256, 0, stream>>>(w, std::size_t(a.rows) * std::size_t(k), 3, 0.05f);
        fillHalf<<<64, 256, 0, stream>>>(in, std::size_t(k), 4, 1.0f);
        a.weight = w, a.in = in, a.out = out;
        cudaEvent_t from, to;
        cudaEventCreate(&from);
        cudaEventCreate(&to);
        std::vector<float> times;
        for (int i = 0; i < 12; ++i) {
            must(cudaEventRecord(from, stream), "event");
            must(linear(DType::F16, a, stream), "linear");
            must(cudaEventRecord(to, stream), "event");
            must(cudaEventSynchronize(to), "step");
            float ms;
            cudaEventElapsedTime(&ms, from, to);
            times.push_back(ms);
        }
        std::sort(times.begin(), times.end());
        std::printf("one product of %lld rows x %d: %.4f ms, %.0f GB/s\n", static_cast<long long>(a.rows), k, times[6],
                    double(a.rows) * k * 2 / times[6] / 1e6);
        cudaFree(w), cudaFree(in), cudaFree(out);
    }
    std::printf("%-14s %5s %-10s %-8s %9s %9s %8s\n", "shape", "batch", "norm", "overlap", "ms", "min ms", "GB/s");
    for (const Sizes &s : kSizes) {
        if (!only.empty() && only != s.name)
            continue;
        const int qkv = (s.heads + 2 * s.kvHeads) * s.headDim, mixed = s.heads * s.headDim;
        const int rows[5] = {qkv, s.hidden, s.ffn, s.hidden, s.vocab};
        const int stored[5] = {qkv, s.hidden, 2 * s.ffn, s.hidden, s.vocab};
        const int columns[5] = {s.hidden, mixed, s.hidden, s.ffn, s.hidden};
        std::vector<__half *> weights;
        double bytes = 0;
        for (int l = 0; l < s.layers; ++l)
            for (int p = 0; p < (l + 1 < s.layers ? 4 : 5); ++p) {
                __half *w;
                const std::size_t elements = std::size_t(stored[p]) * columns[p];
                must(cudaMalloc(&w, elements * 2), "memory");
                fillHalf<<<1024, 256, 0, stream>>>(w, elements, unsigned(l * 5 + p), 0.05f);
                weights.push_back(w);
                bytes += double(elements) * 2;
            }
        constexpr int most = 16;
        float *residual, *norm;
        __half *normed, *wide, *mix, *active, *logits;
        must(cudaMalloc(&residual, std::size_t(most) * s.hidden * 4), "memory");
        must(cudaMalloc(&norm, std::size_t(s.hidden) * 4), "memory");
        must(cudaMalloc(&normed, std::size_t(most) * s.hidden * 2), "memory");
        must(cudaMalloc(&wide, std::size_t(most) * qkv * 2), "memory");
        must(cudaMalloc(&mix, std::size_t(most) * mixed * 2), "memory");
        must(cudaMalloc(&active, std::size_t(most) * s.ffn * 2), "memory");
        must(cudaMalloc(&logits, std::size_t(most) * s.vocab * 2), "memory");
        fillFloat<<<64, 256, 0, stream>>>(norm, s.hidden, 7, 0.2f, 1.0f);
        fillHalf<<<64, 256, 0, stream>>>(mix, std::size_t(most) * mixed, 9, 1.0f);
        fillHalf<<<64, 256, 0, stream>>>(normed, std::size_t(most) * s.hidden, 11, 1.0f);
        fillHalf<<<64, 256, 0, stream>>>(active, std::size_t(most) * s.ffn, 12, 1.0f);
        for (const int batch : {1, 2, 4, 8, 16}) {
            for (const bool normWithin : {true, false}) {
                if (normWithin && batch > kLinearNormBatch)
                    continue;
                const auto argsOf = [&](int p, const __half *weight, bool overlap) {
                    LinearArgs a{};
                    a.weight = weight;
                    a.rows = rows[p];
                    a.columns = columns[p];
                    a.batch = batch;
                    a.eps = 1e-5f;
                    a.blocks = card.multiProcessorCount;
                    a.overlap = overlap;
                    a.end = p == 2 ? LinearEnd::Activate : p == 1 || p == 3 ? LinearEnd::Add : LinearEnd::Store;
                    const bool norms = p != 1 && p != 3;
                    a.norm = norms && normWithin ? norm : nullptr;
                    a.in = p == 1 ? static_cast<const void *>(mix) : p == 3 ? active : normWithin ? static_cast<void *>(residual) : normed;
                    a.out = p == 0 ? static_cast<void *>(wide) : p == 2 ? static_cast<void *>(active) : p == 4 ? static_cast<void *>(logits) : residual;
                    return a;
                };
                bool served = true;
                for (int p = 0; p < 5; ++p)
                    served = served && linearSupports(DType::F16, columns[p], batch, normWithin && p != 1 && p != 3, capability,
                                                      std::int64_t(card.sharedMemPerBlockOptin));
                if (!served) {
                    std::printf("%-14s %5d %-10s not served\n", s.name.c_str(), batch, normWithin ? "within" : "apart");
                    continue;
                }
                if (check) {
                    for (int p = 0; p < 5; ++p) {
                        fillFloat<<<64, 256, 0, stream>>>(residual, std::size_t(most) * s.hidden, 5, 2.0f, 0.0f);
                        fillHalf<<<64, 256, 0, stream>>>(active, std::size_t(most) * s.ffn, 12, 1.0f);
                        LinearArgs a = argsOf(p, weights[p == 4 ? weights.size() - 1 : std::size_t(p)], false);
                        std::vector<float> before(std::size_t(batch) * rows[p]);
                        if (a.end == LinearEnd::Add)
                            must(cudaMemcpyAsync(before.data(), a.out, before.size() * 4, cudaMemcpyDeviceToHost, stream), "copy");
                        else
                            must(cudaMemsetAsync(a.out, 0xff, std::size_t(batch) * rows[p] * 2, stream), "poison"); // NaN
                        must(linear(DType::F16, a, stream), "linear");
                        must(cudaStreamSynchronize(stream), "linear");
                        const double error = referenceError(a, before);
                        std::printf("%s batch %d product %d norm %s: relative error %.2g%s\n", s.name.c_str(), batch, p,
                                    normWithin ? "within" : "apart", error, error < 2e-3 ? "" : "  WRONG");
                    }
                }
                for (const bool overlap : {false, true}) {
                    if (overlap && capability < 90)
                        continue;
                    fillFloat<<<64, 256, 0, stream>>>(residual, std::size_t(most) * s.hidden, 5, 2.0f, 0.0f);
                    cudaGraph_t graph;
                    cudaGraphExec_t executable;
                    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
                    for (int l = 0; l < s.layers; ++l)
                        for (int p = 0; p < (l + 1 < s.layers ? 4 : 5); ++p)
                            must(linear(DType::F16, argsOf(p, weights[std::size_t(l) * 4 + p], overlap && (l || p)), stream), "linear");
                    must(cudaStreamEndCapture(stream, &graph), "capture");
                    must(cudaGraphInstantiate(&executable, graph, 0), "graph");
                    cudaEvent_t from, to;
                    cudaEventCreate(&from);
                    cudaEventCreate(&to);
                    std::vector<float> times;
                    for (int i = 0; i < 35; ++i) {
                        must(cudaEventRecord(from, stream), "event");
                        must(cudaGraphLaunch(executable, stream), "graph");
                        must(cudaEventRecord(to, stream), "event");
                        must(cudaEventSynchronize(to), "step");
                        float ms;
                        cudaEventElapsedTime(&ms, from, to);
                        if (i >= 5)
                            times.push_back(ms);
                    }
                    std::sort(times.begin(), times.end());
                    const float ms = times[times.size() / 2];
                    std::printf("%-14s %5d %-10s %-8s %9.4f %9.4f %8.0f\n", s.name.c_str(), batch, normWithin ? "within" : "apart",
                                overlap ? "yes" : "no", ms, times.front(), bytes / ms / 1e6);
                    cudaGraphExecDestroy(executable);
                    cudaGraphDestroy(graph);
                }
            }
        }
        for (__half *w : weights)
            cudaFree(w);
        for (void *p : {static_cast<void *>(residual), static_cast<void *>(norm), static_cast<void *>(normed),
                        static_cast<void *>(wide), static_cast<void *>(mix), static_cast<void *>(active), static_cast<void *>(logits)})
            cudaFree(p);
    }
    return 0;
}
