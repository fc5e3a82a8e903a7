// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/import.h"

#include "samples.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace ridgepoint;

namespace {

// Shaped as the programs write them; figures of llama-bench's and batched-bench's own documentation.
const char *const kLlamaBench =
    R"([{"build_commit":"8cf427ff","cpu_info":"AMD Ryzen 7 7800X3D 8-Core Processor","gpu_info":"NVIDIA GeForce RTX 4080","backends":"CUDA",
"model_filename":"models/Qwen2.5-7B-Instruct-Q4_K_M.gguf","model_type":"qwen2 7B Q4_K - Medium","model_size":4677120000,"model_n_params":7615616512,
"n_batch":2048,"n_threads":8,"type_k":"f16","type_v":"f16","n_gpu_layers":-1,"flash_attn":-1,"n_prompt":512,"n_gen":0,"n_depth":0,
"avg_ns":72135640,"stddev_ns":1453752,"avg_ts":7100.0,"stddev_ts":140.3,"samples_ns":[74601900,71632900],"samples_ts":[6863.1,7147.55]},
{"cpu_info":"AMD Ryzen 7 7800X3D 8-Core Processor","gpu_info":"NVIDIA GeForce RTX 4080","backends":"CUDA",
"model_filename":"models/Qwen2.5-7B-Instruct-Q4_K_M.gguf","model_type":"qwen2 7B Q4_K - Medium","model_size":4677120000,"model_n_params":7615616512,
"n_batch":2048,"n_threads":8,"type_k":"f16","type_v":"f16","n_gpu_layers":-1,"flash_attn":-1,"n_prompt":0,"n_gen":128,"n_depth":512,
"avg_ns":1076767880,"stddev_ns":9449585,"avg_ts":118.881588,"stddev_ts":1.041811,
"samples_ns":[1075361300,1065089400,1071761200,1081934900,1089692600],"samples_ts":[119.03,120.178,119.43,118.307,117.464]}])";

const char *const kLlamaBenchCsv =
    "build_commit,cpu_info,gpu_info,backends,model_filename,model_type,model_size,model_n_params,n_gpu_layers,type_k,type_v,n_prompt,n_gen,n_depth,"
    "avg_ns,stddev_ns,avg_ts,stddev_ts\n"
    "\"8cf427ff\",\"AMD Ryzen 7\",\"NVIDIA GeForce RTX 4080\",\"CUDA\",\"models/Qwen2.5-7B-Instruct-Q4_K_M.gguf\",\"qwen2 7B Q4_K - Medium\","
    "\"4677120000\",\"7615616512\",\"-1\",\"f16\",\"f16\",\"512\",\"0\",\"0\",\"70285660\",\"982040\",\"7285.676949\",\"100.064434\"\n"
    "\"8cf427ff\",\"AMD Ryzen 7\",\"NVIDIA GeForce RTX 4080\",\"CUDA\",\"models/Qwen2.5-7B-Instruct-Q4_K_M.gguf\",\"qwen2 7B Q4_K - Medium\","
    "\"4677120000\",\"7615616512\",\"-1\",\"f16\",\"f16\",\"0\",\"128\",\"0\",\"1067431600\",\"3834831\",\"119.915244\",\"0.430617\"\n";

const char *const kLlamaBenchCsvRow =
    "\"8cf427ff\",\"AMD Ryzen 7\",\"NVIDIA GeForce RTX 4080\",\"CUDA\",\"models/Qwen2.5-7B-Instruct-Q4_K_M.gguf\",\"qwen2 7B Q4_K - Medium\","
    "\"4677120000\",\"7615616512\",\"-1\",\"f16\",\"f16\",\"0\",\"128\",\"0\",\"1067431600\",\"3834831\",\"119.915244\",\"0.430617\"\n";
const char *const kLlamaBenchTableRow =
    "| qwen2 7B Q4_K - Medium         |   4.36 GiB |     7.62 B | CUDA       |  -1 |    tg128 @ d512 |        116.71 ± 0.60 |\n";

const char *const kLlamaBenchTable =
    "ggml_cuda_init: found 1 CUDA devices:\n"
    "  Device 0: NVIDIA GeForce RTX 4080, compute capability 8.9, VMM: yes\n"
    "| model                          |       size |     params | backend    | ngl |            test |                  t/s |\n"
    "| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | -------------------: |\n"
    "| qwen2 7B Q4_K - Medium         |   4.36 GiB |     7.62 B | CUDA       |  -1 |           pp512 |      7340.20 ± 23.45 |\n"
    "| qwen2 7B Q4_K - Medium         |   4.36 GiB |     7.62 B | CUDA       |  -1 |    tg128 @ d512 |        116.71 ± 0.60 |\n"
    "\nbuild: 8cf427ff (5163)\n";

const char *const kBatchedBench =
    "main: n_kv_max = 2048\n"
    R"({"n_kv_max": 2048, "n_batch": 2048, "n_ubatch": 512, "flash_attn": 0, "is_pp_shared": 0, "n_gpu_layers": 99, "n_threads": 8, "n_threads_batch": 8, "pp": 128, "tg": 128, "pl": 1, "n_kv": 256, "t_pp": 0.233810, "speed_pp": 547.453064, "t_tg": 3.503684, "speed_tg": 36.532974, "t": 3.737494, "speed": 68.495094})"
    "\n"
    R"({"n_kv_max": 2048, "n_batch": 2048, "n_ubatch": 512, "flash_attn": 0, "is_pp_shared": 0, "n_gpu_layers": 99, "n_threads": 8, "n_threads_batch": 8, "pp": 128, "tg": 128, "pl": 2, "n_kv": 512, "t_pp": 0.422602, "speed_pp": 605.770935, "t_tg": 11.106112, "speed_tg": 23.050371, "t": 11.528713, "speed": 44.410854})"
    "\n";

const char *const kBatchedTable =
    "|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |\n"
    "|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|\n"
    "|   128 |    256 |    4 |   1536 |    0.366 |  1399.03 |   13.960 |    73.35 |   14.326 |   107.22 |\n";

const char *const kSweep = "[\n {\"batch\": 1, \"step_ms\": 15.0, \"tok_per_s\": 67, \"peak_gb\": 2.31, \"ctx\": 158},\n"
                           " {\"batch\": 64, \"step_ms\": 18.0, \"tok_per_s\": 3556, \"peak_gb\": 2.6, \"ctx\": 158},\n"
                           " {\"batch\": 128, \"oom\": true}\n]";

const char *const kServe =
    R"({"date":"20250801-120000","backend":"vllm","model_id":"Qwen/Qwen3-8B","tokenizer_id":"Qwen/Qwen3-8B","num_prompts":100,"request_rate":"inf",
"burstiness":1.0,"max_concurrency":16,"duration":20.0,"completed":100,"total_input_tokens":102400,"total_output_tokens":12800,"request_throughput":5.0,
"output_throughput":640.0,"total_token_throughput":5760.0,"mean_ttft_ms":110.0,"mean_tpot_ms":21.5,"median_tpot_ms":21.2,"std_tpot_ms":0.9})";

const char *const kLatency = R"({"avg_latency": 2.56, "latencies": [2.5, 2.55, 2.56, 2.57, 2.62], "percentiles": {"50": 2.56}})";
const char *const kLatencyPytorch =
    R"([{"benchmark":{"name":"vLLM benchmark","extra_info":{"args":{"input_len":32,"output_len":128,"batch_size":8,"num_iters":5,"model":"meta-llama/Llama-3.1-8B","dtype":"bfloat16","tensor_parallel_size":1}}},
"model":{"name":"meta-llama/Llama-3.1-8B"},"metric":{"name":"latency","benchmark_values":[2.5,2.55,2.56,2.57,2.62],"extra_info":{"avg_latency":2.56,"percentiles":{"50":2.56}}}}])";
const char *const kThroughput =
    R"({"elapsed_time": 40.0, "num_requests": 1000, "total_num_tokens": 256000, "requests_per_second": 25.0, "tokens_per_second": 6400.0})";

const char *const kOptimum =
    R"({"config":{"name":"pytorch_llama","backend":{"name":"pytorch","model":"TinyLlama/TinyLlama-1.1B-Chat-v1.0","device":"cuda","device_ids":"0","torch_dtype":"float16","quantization_scheme":null},
"scenario":{"name":"inference","input_shapes":{"batch_size":4,"sequence_length":256},"generate_kwargs":{"max_new_tokens":32,"min_new_tokens":32}},
"environment":{"cpu":"Intel","gpu":["Tesla T4"],"gpu_count":1}},
"report":{"prefill":{"latency":{"unit":"s","values":[0.1],"mean":0.1}},
"decode":{"memory":{"unit":"MB","max_ram":2000.0,"max_allocated":2400.5},"latency":{"unit":"s","values":[0.62,0.62],"mean":0.62,"p50":0.62},"throughput":{"unit":"tokens/s","value":200.0}},
"per_token":{"latency":{"unit":"s","values":[0.019,0.02,0.02,0.02,0.021]}}}})";

const Catalog &catalog()
{
    static const Catalog known = Catalog::loadDefault();
    return known;
}

Import read(const QByteArray &text, const ImportOptions &options = {})
{
    return importResults(std::string_view(text.data(), static_cast<std::size_t>(text.size())), "folder/results.txt", options, catalog());
}

} // namespace

class TestImport : public QObject
{
    Q_OBJECT

private slots:
    void everyFormatComesDownToTheSameFigures_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("tool");
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("at"); // the point whose figures follow
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("prompt");
        QTest::addColumn<double>("context");
        QTest::addColumn<double>("milliseconds");
        QTest::addColumn<double>("peak");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("hardware");
        const auto row = [](const char *name, const QByteArray &text, const char *tool, int points, int at, int batch, int prompt,
                            double context, double ms, double peak, const char *model, const char *hardware) {
            QTest::newRow(name) << text << QString(tool) << points << at << batch << prompt << context << ms << peak << QString(model)
                                << QString(hardware);
        };
        // The median of samples_ns over 128 tokens; 512 + 128 / 2.
        row("llama-bench json", kLlamaBench, "llama-bench", 1, 0, 1, 512, 576, 1075.3613 / 128, kMissing, "qwen2.5-7b", "rtx-4080");
        QByteArray lines = QByteArray(kLlamaBench).replace("\n", " ").replace("}, {", "}\n{").replace("} {", "}\n{");
        row("llama-bench jsonl", lines.mid(1, lines.size() - 2), "llama-bench", 1, 0, 1, 512, 576, 1075.3613 / 128, kMissing, "qwen2.5-7b",
            "rtx-4080");
        row("llama-bench csv", kLlamaBenchCsv, "llama-bench", 1, 0, 1, 0, 64, 1067.4316 / 128, kMissing, "qwen2.5-7b", "rtx-4080");
        row("llama-bench table", kLlamaBenchTable, "llama-bench", 1, 0, 1, 512, 576, 1000 / 116.71, kMissing, "", "rtx-4080");
        row("batched-bench jsonl", kBatchedBench, "llama-batched-bench", 2, 1, 2, 128, 192, 11106.112 / 128, kMissing, "", "");
        row("batched-bench table", kBatchedTable, "llama-batched-bench", 1, 0, 4, 128, 256, 13960.0 / 256, kMissing, "", "");
        row("sweep.json", kSweep, "batch_sweep.py", 3, 1, 64, 128, 158, 18, 2.6e9, "", "");
        row("vllm serve", kServe, "vLLM bench serve", 1, 0, 16, 1024, 1088, 21.5, kMissing, "qwen3-8b", "");
        row("vllm latency", kLatencyPytorch, "vLLM bench latency", 1, 0, 8, 32, 96, 20, kMissing, "llama-3.1-8b", "");
        row("optimum-benchmark", kOptimum, "optimum-benchmark", 1, 0, 4, 256, 271.5, 20, 2400.5e6, "tinyllama-1.1b", "t4");
        row("csv", "batch,context,tpot_ms,peak_gb,model,gpu,dtype\n4,512,12.5,3.5,Llama-2-7b-hf,Tesla T4,fp16\n", "CSV", 1, 0, 4, 512, 512,
            12.5, 3.5e9, "llama-2-7b", "t4");
        row("csv of tokens per second", "bs;prompt_len;output_len;tok/s\r\n8;100;50;400\r\n", "CSV", 1, 0, 8, 100, 125, 20, kMissing, "", "");
        row("csv with a mark and comments", "\xef\xbb\xbf# mine\n\"batch\",ctx,step_ms\n2,64,5\n", "CSV", 1, 0, 2, 64, 64, 5, kMissing, "", "");
    }
    void everyFormatComesDownToTheSameFigures()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, points);
        QFETCH(int, at);
        QFETCH(double, milliseconds);
        QFETCH(double, peak);
        const Import import = read(text);
        QCOMPARE(import.problems.size(), 0u);
        QCOMPARE(import.runs.size(), 1u);
        const RunRecord &run = import.runs[0];
        QVERIFY(isImported(run));
        QTEST(QString::fromStdString(run.provenance.imported->tool), "tool");
        QCOMPARE(run.provenance.imported->file, std::string("results.txt"));
        QCOMPARE(int(run.points.size()), points);
        const SweepPoint &p = run.points[std::size_t(at)];
        QTEST(int(p.batch), "batch");
        QTEST(int(p.prompt), "prompt");
        QTEST(p.context, "context");
        QVERIFY2(std::abs(p.stepSeconds * 1e3 - milliseconds) < 1e-6 * milliseconds, qPrintable(QString::number(p.stepSeconds * 1e3, 'g', 12)));
        QVERIFY(std::isnan(peak) ? std::isnan(p.peakBytes) : std::abs(p.peakBytes - peak) < 1);
        QTEST(QString::fromStdString(run.plan.model.shape.id), "model");
        QTEST(QString::fromStdString(run.plan.hardwareId), "hardware");
        // The floor where both are known; its own sentence where not.
        const bool known = !run.plan.model.shape.id.empty() && !run.plan.hardwareId.empty();
        QCOMPARE(p.forecast.floorNominal.stepSeconds > 0, known);
        if (!known)
            QVERIFY(!import.notes.empty());
    }

    void theFloorIsTheExactOneOfModelAndDevice()
    {
        ImportOptions options;
        options.model = "tinyllama-1.1b";
        options.hardware = "t4";
        const Import import = read(kSweep, options);
        const RunRecord &run = import.runs[0];
        const auto expected = predictStep(makeWorkload(catalog().modelById("tinyllama-1.1b"), DType::F16, Accounting::Exact),
                                          nominalCeilings(catalog().hardwareById("t4"), DType::F16), 64, 158);
        QCOMPARE(run.points[1].forecast.floorNominal, expected);
        QCOMPARE(run.points[2].status, PointStatus::OutOfMemory);
        QCOMPARE(run.points[2].context, 158.0); // the file tells none beside "oom"
        QCOMPARE(sweepRows(run)[1].ratioToFloor, 18e-3 / expected.floorSeconds());
    }

    void quantisedWeightsCountByTheFilesSize()
    {
        const RunRecord run = read(kLlamaBench).runs[0];
        const ParameterCount count = countParameters(catalog().modelById("qwen2.5-7b"));
        QCOMPARE(run.provenance.imported->weightBytes, 4677120000.0 * count.streamed / count.total);
        QCOMPARE(runWorkload(run).weightBytes, run.provenance.imported->weightBytes);
        QCOMPARE(sweepRows(run)[0].weightBytes, run.provenance.imported->weightBytes);
        QCOMPARE(run.points[0].steps.size(), 5u);
    }

    void aStandardDeviationBecomesTheSpread()
    {
        const SweepPoint p = read(kLlamaBenchCsv).runs[0].points[0];
        QCOMPARE(p.steps.size(), 0u);
        const double deviation = 3834831e-9 / 128;
        QVERIFY(std::abs(p.p90Seconds - p.stepSeconds - 1.2816 * deviation) < 1e-12);
    }

    void vllmNeedsItsShapeFromSomewhere()
    {
        const auto sentence = samples::sentenceOf(ErrorKind::Failure, [] { read(kLatency); });
        QVERIFY(sentence && sentence->contains("--batch"));
        ImportOptions options;
        options.batch = 8;
        options.prompt = 32;
        options.newTokens = 128;
        const SweepPoint p = read(kLatency, options).runs[0].points[0];
        QCOMPARE(p.stepSeconds, 2.56 / 128);
        options.batch = 64;
        // 64 sequences at once, 1000 requests of 128 tokens in 40 s.
        QVERIFY(std::abs(read(kThroughput, options).runs[0].points[0].stepSeconds - 64 * 40.0 / 128000) < 1e-12);
    }

    void aBadRowIsToldAndTheRestOpens_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("part");
        const auto csv = [](const char *name, const char *bad, const char *part) {
            QTest::newRow(name) << QByteArray("batch,context,tpot_ms,peak_gb\n1,10,5,1\n") + bad + "\n2,10,6,1\n" << 3 << QString(part);
        };
        csv("letters", "x,10,5,1", "'x' is not a number");
        csv("zero batch", "0,10,5,1", "the batch is 0");
        csv("half a batch", "1.5,10,5,1", "whole numbers");
        csv("negative time", "1,10,-5,1", "is -0.005");
        csv("nan", "1,10,nan,1", "not a number");
        csv("inf", "1,10,inf,1", "not a number");
        csv("huge time", "1,10,1e300,1", "outside");
        csv("huge batch", "1e18,10,5,1", "the batch is");
        csv("beyond a double", "1,10,1e999,1", "not a number");
        csv("no time", "1,10,,1", "missing");
        csv("zero context", "1,0,5,1", "the context is 0");
        csv("negative memory", "1,10,5,-1", "peak memory");
        csv("memory beyond a double", "1,10,5,1e300", "the peak memory in bytes is too large to be a number");
        csv("too few fields", "1,10", "2 fields");
        csv("a decimal comma", "1,10,5,5,1", "write a point");
        QTest::newRow("decimal comma beside semicolons") << QByteArray("batch;context;tpot_ms\n1;10;5\n1;10;5,5\n2;10;6") << 3 << "write a point";
        QTest::newRow("a line of JSON cut off") << QByteArray(kBatchedBench).replace("\"pl\": 1, \"n_kv\": 256,", "\"pl\": 1, \"n_kv") << 2 << "";
        QTest::newRow("the last line cut off") << QByteArray(kBatchedBench).chopped(40) << 3 << "cut off";
        QTest::newRow("NaN as Python writes it") << QByteArray(kSweep).replace("18.0", "NaN") << 3 << "missing or no number (NaN or Infinity stands in step_ms)";
        QTest::newRow("NaN in llama-bench's CSV") << QByteArray(kLlamaBenchCsv).replace("1067431600", "-nan").replace("119.915244", "nan") + kLlamaBenchCsvRow << 3
                                                  << "(NaN or Infinity stands in avg_ns, avg_ts)";
        QTest::newRow("NaN in a table") << QByteArray(kLlamaBenchTable).replace("116.71 ± 0.60", "nan ± nan") + kLlamaBenchTableRow << 6 << "stands in t/s)";
        QTest::newRow("a text for a number") << QByteArray(kSweep).replace("18.0", "\"fast\"") << 3 << "missing";
        QTest::newRow("a table row short of a cell") << QByteArray(kBatchedTable) + "| 1 | 2 |\n| 128 | x | 4 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |\n" << 4 << "cells";
    }
    void aBadRowIsToldAndTheRestOpens()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, part);
        const Import import = read(text);
        QVERIFY(!import.problems.empty());
        QCOMPARE(int(import.problems[0].line), line);
        const QString sentence = QString::fromStdString(import.problems[0].sentence);
        QVERIFY2(sentence.contains(part), qPrintable(sentence));
        QVERIFY(!import.runs.empty() && !import.runs[0].points.empty());
    }

    void noNumberIsToldThoughTheRowDoesWithoutIt()
    {
        // avg_ns suffices; that avg_ts is none says that something was wrong where it was written.
        const Import import = read(QByteArray(kLlamaBench).replace("118.881588", "NaN").replace("1.041811", "-Infinity"));
        QVERIFY(import.problems.empty());
        QCOMPARE(import.runs.at(0).points.size(), std::size_t(1));
        const auto told = [&](const char *part) {
            return std::any_of(import.notes.begin(), import.notes.end(), [&](const std::string &note) { return note.find(part) != std::string::npos; });
        };
        QVERIFY(told("Line 5 has NaN or Infinity in avg_ts, stddev_ts, which is no number: it counts as not given."));
        // Of many lines the first, and how many more.
        const QByteArray row = QByteArray(kSweep).replace("\"tok_per_s\": 67", "\"tok_per_s\": NaN").replace("\"tok_per_s\": 3556", "\"tok_per_s\": NaN");
        const Import two = read(row);
        QVERIFY(two.problems.empty());
        QVERIFY(std::any_of(two.notes.begin(), two.notes.end(),
                            [](const std::string &note) { return note.find("in tok_per_s, which is no number, and so have 1 more") != std::string::npos; }));
        // The name of a file that ends in a backslash does not hide it, and a text that says NaN is none.
        const Import escaped = read(QByteArray(kLlamaBench).replace("models/Qwen2.5-7B-Instruct-Q4_K_M.gguf", "C:\\\\NaN\\\\").replace("118.881588", "NaN"));
        QCOMPARE(QString::fromStdString(escaped.runs.at(0).provenance.imported->model), QString("C:\\NaN\\"));
    }

    void everyFormat_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("sweep") << QByteArray(kSweep);
        QTest::newRow("llama-bench json") << QByteArray(kLlamaBench);
        QTest::newRow("llama-bench jsonl") << QByteArray(kLlamaBench).mid(1).chopped(1).replace("\n", "").replace("},{", "}\n{");
        QTest::newRow("llama-bench csv") << QByteArray(kLlamaBenchCsv);
        QTest::newRow("llama-bench md") << QByteArray(kLlamaBenchTable);
        QTest::newRow("batched-bench jsonl") << QByteArray(kBatchedBench);
        QTest::newRow("batched-bench table") << QByteArray(kBatchedTable);
        QTest::newRow("serve") << QByteArray(kServe);
        QTest::newRow("latency") << QByteArray(kLatencyPytorch);
        QTest::newRow("optimum") << QByteArray(kOptimum);
        QTest::newRow("csv") << QByteArray("batch,context,tpot_ms,peak_gb\n1,10,5,1\n2,10,6,1\n");
    }
    void inEveryDress_data() { everyFormat_data(); }
    void inEveryDress()
    {
        QFETCH(QByteArray, text);
        const auto figures = [](const QByteArray &dressed) {
            QStringList rows;
            for (const RunRecord &run : read(dressed).runs)
                for (const SweepPoint &p : run.points)
                    rows << QString("%1 %2 %3 %4 %5 %6").arg(p.batch).arg(p.prompt).arg(p.context).arg(p.stepSeconds).arg(p.peakBytes).arg(p.steps.size());
            return rows;
        };
        const QStringList plain = figures(text);
        QVERIFY(!plain.isEmpty());
        QCOMPARE(figures("\xef\xbb\xbf" + text), plain);
        QCOMPARE(figures(QByteArray(text).replace("\n", "\r\n")), plain);
        QCOMPARE(figures("\r\n\r\n" + text + "\r\n\r\n"), plain);
        if (const QByteArray reversed = samples::withKeysReversed(text); reversed != "{}")
            QCOMPARE(figures(reversed), plain);
    }
    void cutOffAnywhere_data() { everyFormat_data(); }
    void cutOffAnywhere()
    {
        QFETCH(QByteArray, text);
        const std::size_t all = read(text).runs.at(0).points.size();
        for (int i = 0; i < text.size(); ++i) {
            try {
                const Import import = read(text.left(i));
                QVERIFY(!import.runs.empty() && import.runs[0].points.size() <= all);
            } catch (const Error &error) {
                QVERIFY(error.kind() == ErrorKind::Failure && QString::fromUtf8(error.what()).contains("results.txt"));
            }
        }
    }

    void aFileThatIsNoneIsRefusedInASentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << QByteArray() << "is empty";
        QTest::newRow("blank") << QByteArray(" \n\n") << "is empty";
        QTest::newRow("garbage") << QByteArray("hello there\nwhat now\n") << "no result that is known";
        QTest::newRow("zeros") << QByteArray(100, '\0') << "UTF-8";
        QTest::newRow("UTF-16") << QByteArray("b\0a\0t\0c\0h\0", 10) << "UTF-8";
        QTest::newRow("another JSON") << QByteArray("{\"a\": 1}") << "no program that is known";
        QTest::newRow("JSON cut off") << QByteArray(kServe).left(200) << "cut off";
        QTest::newRow("deep JSON") << QByteArray(100'000, '[') << "no program that is known";
        QTest::newRow("deep object") << QByteArray("{\"a\":").repeated(100'000) << "cut off";
        QTest::newRow("only prompt processing") << QByteArray("[{\"n_prompt\":512,\"n_gen\":0,\"avg_ns\":5}]") << "no decode step";
        QTest::newRow("a header alone") << QByteArray("batch,context,tpot_ms\n") << "no decode step";
        QTest::newRow("a CSV without a time") << QByteArray("batch,context,colour\n1,2,red\n") << "colour";
        QTest::newRow("and what would do") << QByteArray("batch,context,colour\n1,2,red\n") << "'tpot_ms', 'step_ms'";
        QTest::newRow("and how to choose") << QByteArray("n,ctx,ms\n1,2,3\n") << "--column batch=NAME";
        QTest::newRow("no row of use") << QByteArray("batch,ctx,tpot_ms\n0,1,1\n") << "line 2";
        QTest::newRow("each row of no use") << QByteArray("batch,ctx,tpot_ms\n0,1,1\n1,1,x\n2,1,-1\n") << "line 4";
        QTest::newRow("very many of them") << QByteArray("batch,ctx,tpot_ms\n") + QByteArray("0,1,1\n").repeated(5000) << "and 4990 more rows";
        QTest::newRow("prose with commas") << QByteArray("# A heading\n\nA program that predicts, measures and explains.\nIt has no table in it.\n") << "no result that is known";
        QTest::newRow("prose, one line") << QByteArray("Batch, prompt, and more words of it.\nNo table\n") << "no result that is known";
        QTest::newRow("report without configuration") << QByteArray(R"({"prefill":{},"decode":{"latency":{"mean":1}}})") << "benchmark_report.json";
    }
    void aFileThatIsNoneIsRefusedInASentence()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, part);
        const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { read(text); });
        QVERIFY(sentence);
        QVERIFY2(sentence->contains(part), qPrintable(*sentence));
        QVERIFY(sentence->contains("results.txt"));
    }

    void aReadmeIsNoTable()
    {
        QFile file(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/README.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { read(text); });
        QVERIFY(sentence);
        QVERIFY2(sentence->contains("no result that is known"), qPrintable(*sentence));
    }

    void problemsAreBoundedAndCounted()
    {
        QByteArray text = "batch,ctx,tpot_ms\n1,10,5\n";
        for (int i = 0; i < 3000; ++i)
            text += i % 2 ? "1,1,x\n" : "0,1,1\n"; // refused by the reader, and after it
        const Import import = read(text);
        QCOMPARE(import.problems.size() + import.moreProblems, 3000u);
        QVERIFY(import.problems.size() <= 1001);
        const auto lines = problemLines(import, "a.csv", 20);
        QCOMPARE(lines.size(), 21u);
        QVERIFY2(lines[0].rfind("a.csv, line 3: ", 0) == 0, lines[0].c_str());
        QCOMPARE(QString::fromStdString(lines.back()), QString("and 2980 more rows that cannot be used."));
        QVERIFY(problemLines(read("batch,ctx,tpot_ms\n1,10,5\n"), "a.csv", 20).empty());
        QCOMPARE(problemLines(read("batch,ctx,tpot_ms\n1,10,5\n0,1,1\n"), "a.csv", 20).size(), 1u);
    }

    /// Nothing is faster than its floor: such a row is kept, and says what is wrong.
    void anImpossibleTimeIsFlagged()
    {
        ImportOptions options;
        options.model = "tinyllama-1.1b";
        options.hardware = "t4";
        const Import import = read("batch,ctx,tpot_ms\n1,128,5\n1,128.5,15\n", options); // the floor is 6.5 ms
        const SweepPoint &fast = import.runs[0].points[0], &sound = import.runs[0].points[1];
        QVERIFY(isBelowFloor(fast) && !isBelowFloor(sound));
        const TextTable table = importTable(import.runs[0]);
        QVERIFY2(table.rows[0].back().find("impossible") != std::string::npos, table.rows[0].back().c_str());
        QCOMPARE(table.rows[1].back(), std::string("imported"));
        QVERIFY(belowFloorSentence(import).rfind("A point is faster", 0) == 0);
        // Contexts are counts; a mean may have a half.
        QCOMPARE(table.rows[0][2], std::string("128"));
        QCOMPARE(table.rows[1][2], std::string("128.5"));
        QVERIFY(belowFloorSentence(read("batch,ctx,tpot_ms\n1,128,15\n", options)).empty());
        QVERIFY(belowFloorSentence(read("batch,ctx,tpot_ms\n1,128,1\n")).empty()); // no floor is known
    }

    void columnsCanBeChosen()
    {
        ImportOptions options;
        options.columns = {{"batch", "N"}, {"tpot_ms", "elapsed"}};
        const Import import = read("n,ctx,elapsed\n3,7,9\n", options);
        QCOMPARE(import.runs[0].points[0].batch, 3);
        QCOMPARE(import.runs[0].points[0].stepSeconds, 9e-3);
        options.columns = {{"batch", "absent"}};
        QVERIFY(samples::sentenceOf(ErrorKind::Failure, [&] { read("n,ctx,elapsed\n3,7,9\n", options); })->contains("'absent'"));
        options.columns = {{"colour", "n"}};
        QVERIFY(samples::sentenceOf(ErrorKind::Usage, [&] { read("n,ctx,elapsed\n3,7,9\n", options); }));
        options = {};
        options.model = "no-such-model";
        QVERIFY(samples::sentenceOf(ErrorKind::Usage, [&] { read(kSweep, options); }));
    }

    void aModelIsKnownByItsFileOrItsSize_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<double>("parameters");
        QTest::addColumn<QString>("model");
        QTest::newRow("path of a gguf") << QByteArray("models/llama-2-7b.Q4_0.gguf") << 6738415616.0 << "llama-2-7b";
        QTest::newRow("path of another system") << QByteArray("D:/gguf/tinyllama-1.1b-chat.Q8_0.gguf") << 1100048384.0 << "tinyllama-1.1b";
        QTest::newRow("by size alone") << QByteArray("my-finetune.gguf") << 6738415616.0 << "llama-2-7b";
        QTest::newRow("of another size") << QByteArray("my-finetune.gguf") << 6738415000.0 * 1.01 << "";
    }
    void aModelIsKnownByItsFileOrItsSize()
    {
        QFETCH(QByteArray, file);
        QFETCH(double, parameters);
        QFETCH(QString, model);
        const Import import = read("[{\"build_commit\":\"a\",\"gpu_info\":\"NVIDIA GeForce RTX 4090\",\"backends\":\"CUDA\",\"model_filename\":\"" + file +
                                   "\",\"model_type\":\"llama ?B Q4_0\",\"model_size\":3825065984,\"model_n_params\":" + QByteArray::number(parameters, 'f', 0) +
                                   ",\"n_gpu_layers\":99,\"n_prompt\":0,\"n_gen\":128,\"n_depth\":0,\"avg_ns\":800000000,\"stddev_ns\":1,\"avg_ts\":160.0,"
                                   "\"stddev_ts\":0.2,\"samples_ns\":[800000000]}]");
        QCOMPARE(import.runs.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(import.runs[0].plan.model.shape.id), model);
        QCOMPARE(QString::fromStdString(import.runs[0].plan.hardwareId), QString("rtx-4090"));
    }
    void aPointOfThousandsIsNoFraction()
    {
        const Import import = read("batch;context;tpot_ms\n1;1.024;12\n1;158.5;12\n2;1024;12.125\n");
        QCOMPARE(import.problems.size(), std::size_t(1));
        QCOMPARE(import.problems[0].line, 2);
        QVERIFY2(import.problems[0].sentence.find("'1.024' is a count with three decimals") != std::string::npos, import.problems[0].sentence.c_str());
        QCOMPARE(import.runs.at(0).points.size(), std::size_t(2));
        QCOMPARE(import.runs.at(0).points[0].context, 158.5); // a mean
        QCOMPARE(import.runs.at(0).points[1].stepSeconds, 12.125e-3); // a time
    }
    void namesOfTheFileCanBeShownAnywhere()
    {
        const Import import = read("model,device,dtype,batch,prompt,tpot_ms\n\"odd\x1b[31m\nname\xe2\x80\xae\",GPU\x07 one,fp16,1,128,9.1\n");
        QCOMPARE(import.runs.size(), std::size_t(1));
        const RunRecord &run = import.runs[0];
        for (const std::string &name : {run.provenance.imported->model, run.provenance.deviceName}) {
            QVERIFY2(std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }), name.c_str());
            QVERIFY(name.find("\xe2\x80\xae") == std::string::npos);
        }
        QVERIFY(run.provenance.imported->model.find("name") != std::string::npos);
    }
    void aModelOfAnotherSizeIsNotTaken()
    {
        const Import import = read(QByteArray(kLlamaBench).replace("7615616512", "1500000000"));
        QCOMPARE(import.runs[0].plan.model.shape.id, std::string());
        QCOMPARE(import.runs[0].points[0].forecast.floorNominal.stepSeconds, 0.0);
    }

    void severalDevicesHaveNoFloor()
    {
        const Import import = read(QByteArray(kLlamaBench).replace("NVIDIA GeForce RTX 4080", "NVIDIA GeForce RTX 4080, NVIDIA GeForce RTX 4080"));
        QCOMPARE(import.runs[0].plan.hardwareId, std::string());
        QVERIFY(import.notes.size() >= 1);
    }

    void theMarkSurvivesTheSessionFile()
    {
        Session session = newSession();
        session.runs = read(kLlamaBench).runs;
        const Session back = sessionFromJson(toJson(session), "x.json");
        QCOMPARE(toJson(back), toJson(session));
        QVERIFY(isImported(back.runs[0]));
        QCOMPARE(back.runs[0].provenance.imported->weightBytes, session.runs[0].provenance.imported->weightBytes);
        QCOMPARE(back.runs[0].provenance.imported->notes, session.runs[0].provenance.imported->notes);
    }

    void aHugeFileIsRefusedBeforeItIsRead()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("huge.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(qint64(kMaxImportBytes) + 1)); // sparse
        file.close();
        const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { importFile(file.fileName().toStdString(), {}, catalog()); });
        QVERIFY(sentence && sentence->contains("256000001 bytes"));
    }

    void rowsWithoutEndAreNotReadToTheEnd()
    {
        const Import import = read("batch,context,tpot_ms\n1,10,5\n" + QByteArray("1,2,\n").repeated(600'000));
        QCOMPARE(import.problems.size() + import.moreProblems, 500'000u); // all of the 500,000 that are read but one, and that there are more
        const auto sentence = samples::sentenceOf(ErrorKind::Failure, [] { read("batch,context,tpot_ms\n" + QByteArray("1,\n").repeated(600'000)); });
        QVERIFY(sentence);
        QVERIFY2(sentence->contains("and 499991 more rows"), qPrintable(*sentence));
    }
    void aHundredThousandRowsOpen()
    {
        QByteArray text = "batch,context,tpot_ms,peak_gb,model,gpu,dtype\n";
        for (int i = 0; i < 100'000; ++i)
            text += QByteArray::number(1 + i % 512) + ',' + QByteArray::number(1 + i) + ",12.5,3.5,Llama-2-7b-hf,Tesla T4,fp16\n";
        const Import import = read(text);
        QCOMPARE(import.runs[0].points.size(), 100'000u);
        QVERIFY(import.runs[0].points.back().forecast.floorNominal.stepSeconds > 0);
    }
};

QTEST_APPLESS_MAIN(TestImport)
#include "test_import.moc"
