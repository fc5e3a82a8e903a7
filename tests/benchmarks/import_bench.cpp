// SPDX-License-Identifier: GPL-3.0-or-later
// How long a CSV of 100,000 rows takes to import, its floors computed. Wall and processor time, least of three.

#include "core/session/import.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

int main()
{
    using namespace ridgepoint;
    std::string text = "batch,context,tpot_ms,peak_gb,model,gpu,dtype\n";
    for (int i = 0; i < 100'000; ++i)
        text += std::to_string(1 + i % 512) + ',' + std::to_string(1 + i) + ",12.5,3.5,Llama-2-7b-hf,Tesla T4,fp16\n";
    const Catalog catalog = Catalog::loadDefault();
    double wall = 1e9, processor = 1e9;
    std::size_t points = 0;
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t clock = std::clock();
        const Import import = importResults(text, "rows.csv", {}, catalog);
        processor = std::min(processor, static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC);
        wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        points = import.runs.at(0).points.size();
    }
    std::printf("import of a CSV: %zu rows in %.2f s (%.2f s of processor time)\n", points, wall, processor);
    return 0;
}
