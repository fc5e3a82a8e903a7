// SPDX-License-Identifier: GPL-3.0-or-later
// How long files of 100,000 rows take to import, their floors computed (goal: under 2 s): a CSV and the JSON lines of
// llama-bench with five samples a row. Wall and processor time, least of three, and the peak of memory.
#include "core/session/import.h"
#include "tests/benchmarks/process_memory.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

using namespace ridgepoint;

namespace {

void timeImport(const char *what, const std::string &text, const Catalog &catalog)
{
    double wall = 1e9, processor = 1e9;
    std::size_t points = 0;
    forgetPeakMemory();
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t clock = std::clock();
        const Import import = importResults(text, "rows", {}, catalog);
        processor = std::min(processor, static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC);
        wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        points = import.runs.at(0).points.size();
    }
    std::printf("import of %s: %zu rows (%.1f MB) in %.2f s (%.2f s of processor time), peak memory %.0f MB\n", what,
                points, static_cast<double>(text.size()) * 1e-6, wall, processor, statusBytes("VmHWM") * 1e-6);
}

} // namespace

int main()
{
    constexpr int kRows = 100'000;
    const Catalog catalog = Catalog::loadDefault();
    std::string text = "batch,context,tpot_ms,peak_gb,model,gpu,dtype\n";
    for (int i = 0; i < kRows; ++i)
        text += std::to_string(1 + i % 512) + ',' + std::to_string(1 + i) + ",12.5,3.5,Llama-2-7b-hf,Tesla T4,fp16\n";
    timeImport("a CSV", text, catalog);
    text.clear();
    for (int i = 0; i < kRows; ++i) {
        const std::string time = std::to_string(1'076'767'880 + i);
        text +=
            R"({"build_commit":"8cf427ff","build_number":5163,"cpu_info":"AMD Ryzen 7 7800X3D 8-Core Processor","gpu_info":"Tesla T4","backends":"CUDA",)"
            R"("model_filename":"models/Llama-2-7b-hf-F16.gguf","model_type":"llama 7B F16","model_size":13476831232,"model_n_params":6738415616,)"
            R"("n_batch":2048,"n_ubatch":512,"n_threads":8,"type_k":"f16","type_v":"f16","n_gpu_layers":99,"split_mode":"layer","flash_attn":false,)"
            R"("n_prompt":0,"n_gen":128,"n_depth":)" +
            std::to_string(i) + R"(,"test_time":"2025-04-24T11:58:50Z","avg_ns":)" + time +
            R"(,"stddev_ns":9449585,"avg_ts":118.881588,"stddev_ts":1.041811,"samples_ns":[)" + time + ',' + time +
            ',' + time + ',' + time + ',' + time +
            R"(],"samples_ts":[119.03,120.178,119.43,118.307,117.464]})"
            "\n";
    }
    timeImport("llama-bench's JSON lines", text, catalog);
    return 0;
}
