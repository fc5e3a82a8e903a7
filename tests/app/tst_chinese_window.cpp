// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/column_dialog.h"
#include "app/gui/command_palette.h"
#include "app/gui/compare_dialog.h"
#include "app/gui/export_dialogs.h"
#include "app/gui/language.h"
#include "core/base/error.h"
#include "core/catalog/model_config.h"
#include "core/session/import.h"
#include "core/session/line.h"
#include "core/session/plan.h"
#include "core/session/report.h"
#include "core/session/said.h"
#include "core/session/sample_sessions.h"
#include "core/session/tables.h"
#include "tests/app/window_bench.h"
#include "tests/app/window_texts.h"
#include "widgets/comparison_chart.h"
#include "widgets/core_text.h"
#include "widgets/lesson_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>

using namespace ridgepoint;
using namespace ridgepoint::test;

/// The window in Chinese has no English left but names, units and abbreviations.
class TestChineseWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup(); // one that failed must not leave the next one its language
    void noEnglishIsLeft_data();
    void noEnglishIsLeft();
    void everyPatternIsTranslated();
    void faultsAreChinese_data();
    void faultsAreChinese();
    void anImportedDeviceIsNamed_data();
    void anImportedDeviceIsNamed();
    void messagesFollowTheLanguage();
    void theLogFollowsTheLanguage();
    void dialogsAreChinese();
    void reportsAreChinese_data();
    void reportsAreChinese();
    void samplesAreNamedApart();
};

namespace {

const std::filesystem::path kSamples = RIDGEPOINT_SOURCE_DIR "/resources/samples";

/// What stays Latin in Chinese: units, abbreviations, names of modes, number formats, programs, files, keys and people's products.
const QSet<QString> &kept()
{
    static const QSet<QString> words = [] {
        const QString list = QStringLiteral(
            // units and figures
            "us ms ns min GB MB KB TB kB GiB MiB GHz MHz Hz FLOP TFLOP GFLOP MFLOP PFLOP kFLOP tok token tokens tokps nan inf "
            "TPOT TTFT TTFTs "
            // abbreviations and letters of formulas
            "ECC KV AI max floor kv gate up qkv GQA MQA SM SMs PCIe NVLink GPU CPU CUDA CUPTI NVML BLAS MoE LLM FFN HBM head dim dtype "
            "AImax AI_max W_total total memory batch Batch Prompt prompt prefill decode eager graph fused fp bf fp16 bf16 fp32 int8 id OOM oom CI "
            "Roofline roofline ridge cache checkpoint config safetensors tokenizer token "
            // products, programs, files
            "NVIDIA GeForce RTX Tesla H200 H100 A100 L40S L4 T4 AMD EPYC Intel Xeon Apple Llama TinyLlama Qwen Gemma Mistral SmolLM "
            "SmolLM2 Phi GPT NeoX OPT Falcon libtorch torch oneDNN mkl openblas OpenBLAS OpenMP Ridgepoint ridgepoint Qt CSV HTML "
            "PDF PNG SVG JSON Markdown Chrome Perfetto chrome tracing json csv png svg pdf md Ctrl Shift Alt Esc Home Return Enter Tab Del PgUp PgDown Ins End "
            "o q k v down qwen2 qwen3 gemma3 English Scripted scripted engine cpu cuda ctx llama qwen gemma tinyllama smollm gpt NeoX mistral phi instruct GNU nvidia smi hardware bandwidth calibration mode "
            "LayerNorm RMSNorm SwiGLU GeLU SiLU MLP softmax Linux Debian Ubuntu Wikipedia Hugging Face vLLM SGLang Ollama TensorRT "
            "RecordFunction PyTorch SXM PCIe DDR DDR4 DDR5 GDDR6 GDDR6X HBM2e HBM3 HBM3e FLOPs embed norms rope other");
        const auto all = list.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        return QSet<QString>(all.begin(), all.end());
    }();
    return words;
}

/// Words of `text` that are English and not kept.
QStringList englishIn(QString text)
{
    // Paths, addresses, commands and names of code stay as they are.
    static const QRegularExpression code(QStringLiteral(R"((/\S+)|(\S+::\S+)|(\S*[_<>]\S*)|(--[a-z-]+)|(CUDA out of memory[^）]*)|(\S+\.(json|csv|md|so|html|pdf)\S*)|(\(?&.\)?)|(\S+@\S+))"));
    static const QRegularExpression word(QStringLiteral("[A-Za-z][A-Za-z0-9]+"));
    static const QRegularExpression tag(QStringLiteral("<[^>]*>"));
    text.remove(tag);
    text.remove(QLatin1Char('&')); // the mark of a menu key
    text.remove(code);
    QStringList found;
    auto it = word.globalMatch(text);
    while (it.hasNext()) {
        const QString one = it.next().captured();
        static const QRegularExpression modelSize(QStringLiteral("^[A-Za-z]?[0-9.]*[BMkTG]?$"));
        if (!kept().contains(one) && !modelSize.match(one).hasMatch())
            found << one;
    }
    return found;
}

QStringList englishOf(const QWidget &root, const QStringList &names)
{
    QStringList left;
    for (const auto &[where, text] : textsOf(root)) {
        if (where.startsWith(QLatin1String("QDockWidgetTitleButton")) || where.startsWith(QLatin1String("CloseButton")) ||
            where.contains(QLatin1String("ScrollLeftButton")) || where.contains(QLatin1String("ScrollRightButton")) ||
            where.contains(QLatin1String("lessonText")) || where.contains(QLatin1String("glossaryText")))
            continue; // Qt's own, in the language of its translations; lessons and glossary are files with tests of their own
        QString bare = text;
        for (const QString &name : names)
            bare.remove(name);
        const QStringList words = englishIn(bare);
        const QString line = where + QStringLiteral(": ") + text.left(300) + QStringLiteral("  [") + words.join(QLatin1Char(' ')) + QLatin1Char(']');
        if (!words.isEmpty() && !left.contains(line))
            left << line;
    }
    return left;
}

/// Names of devices and models as the catalogue has them.
QStringList catalogueNames(const Catalog &catalog)
{
    QStringList names;
    for (const HardwareProfile &hardware : catalog.hardware())
        names << QString::fromStdString(hardware.name) << QString::fromStdString(hardware.note);
    for (const ModelShape &shape : catalog.models())
        names << QString::fromStdString(shape.name) << QString::fromStdString(shape.id);
    names.removeAll(QString());
    std::sort(names.begin(), names.end(), [](const QString &a, const QString &b) { return a.size() > b.size(); });
    return names;
}

} // namespace

void TestChineseWindow::initTestCase()
{
    QLocale::setDefault(QLocale::c());
}

void TestChineseWindow::cleanup()
{
    useLanguage(QStringLiteral("en"));
}

void TestChineseWindow::noEnglishIsLeft_data()
{
    QTest::addColumn<QString>("sample");
    for (const SampleSession &sample : sampleSessions({kSamples.parent_path()}))
        QTest::newRow(sample.path.stem().string().c_str()) << QString::fromStdString(sample.path.string());
    QTest::newRow("first start") << QString();
}

void TestChineseWindow::noEnglishIsLeft()
{
    QFETCH(QString, sample);
    Bench bench;
    bench.samples = sampleSessions({kSamples.parent_path()});
    auto window = bench.window(factory(scriptedSweep), true);
    QTRY_VERIFY(window->findChild<QPlainTextEdit *>(QStringLiteral("log"))->toPlainText().contains(QStringLiteral("Engine")));
    if (!sample.isEmpty())
        QVERIFY(window->openSample(sample));
    window->setLanguage(QStringLiteral("zh_CN"));
    const QStringList names = catalogueNames(*bench.catalog);
    QStringList left;
    const auto look = [&](const char *state) {
        QCoreApplication::processEvents();
        for (const QString &line : englishOf(*window, names)) {
            if (!left.contains(line))
                left << QString::fromLatin1(state) + QStringLiteral(" | ") + line;
        }
    };
    emit window->findChild<QMenu *>(QStringLiteral("menuSamples"))->aboutToShow();
    look("opened");
    // Every run with its first points, every chart, every page of the record.
    for (const RunRecord &run : window->model()->session()->runs) {
        window->model()->setCurrentRun(run.plan.runId);
        for (const ChartView *chart : window->charts()->charts())
            window->charts()->showSingle(chart->id());
        look("run");
        std::size_t asked = 0;
        for (const SweepPoint &point : run.points) {
            if (asked++ < 3 || point.status != PointStatus::Ok) {
                window->model()->select(PointKey{run.plan.runId, point.index});
                look("point");
            }
        }
        window->model()->select(std::nullopt);
    }
    window->showLessons();
    window->showGlossary({});
    action(*window, "actionPalette")->trigger();
    look("lessons");
    window->findChild<CommandPalette *>()->close();
    QVERIFY2(left.isEmpty(), qPrintable(QStringLiteral("%1 texts:\n").arg(left.size()) + left.join(QLatin1Char('\n'))));
}

/// A pattern of the core without its Chinese would leave its sentence English; one with other places would lose figures.
void TestChineseWindow::everyPatternIsTranslated()
{
    useLanguage(QStringLiteral("zh_CN"));
    static const QRegularExpression place(QStringLiteral("%[1-9]"));
    const auto placesOf = [](const QString &text) {
        QStringList places;
        for (auto it = place.globalMatch(text); it.hasNext();)
            places << it.next().captured();
        places.sort();
        places.removeDuplicates();
        return places;
    };
    QStringList left;
    for (const std::string &pattern : saidPatterns()) {
        const QString english = QString::fromStdString(pattern);
        const QString chinese = QCoreApplication::translate("core", pattern.c_str());
        if (placesOf(chinese) != placesOf(english) || (chinese == english && !englishIn(english).isEmpty()))
            left << english;
    }
    QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char('\n'))));
}

void TestChineseWindow::faultsAreChinese_data()
{
    QTest::addColumn<std::function<void()>>("call");
    const auto row = [](const char *name, std::function<void()> call) { QTest::newRow(name) << std::move(call); };
    static const Catalog catalog = Catalog::loadDefault();
    const auto import = [](std::string text) { return [text = std::move(text)] { importResults(text, "/a.csv", {}, catalog); }; };
    row("a folder", [] { loadSession("/"); });
    row("another file", [] { sessionFromJson("{}", "/a.json"); });
    row("no session", [] { sessionFromJson("oops", "/a.json"); });
    row("no model", [] { (void)catalog.modelById("7"); });
    row("no config", [] { modelShapeFromFolder("/nowhere"); });
    row("config of another family", [] { modelShapeFromConfig("{\"architectures\": [\"7\"]}", "/config.json"); });
    row("empty", import(""));
    row("no usable row, line by line", import("batch,prompt,tpot_ms\n1,128,?\n0,128,5\n1,128\n"));
    row("no column", import("batch,7\n1,2\n"));
    row("a line without rows", [] { importLine("model,weight_gb,tpot_ms\n7,?,5\n8,1,0\n", "/a.csv"); });
    row("no device", [&] {
        RunPlan plan;
        plan.experiment = Experiment::Sweep;
        plan.device = "7";
        validatePlan(plan);
    });
}

void TestChineseWindow::faultsAreChinese()
{
    QFETCH(std::function<void()>, call);
    useLanguage(QStringLiteral("zh_CN"));
    std::string sentence;
    try {
        call();
    } catch (const Error &error) {
        sentence = error.what();
    }
    QVERIFY(!sentence.empty());
    const QString text = coreText(sentence);
    QString bare = text;
    // Names of fields and columns, as they are quoted in the English too, of classes, and arguments of commands.
    bare.remove(QRegularExpression(QStringLiteral("'[^']*'|“[^”]*”|`[^`]*`|[A-Z][A-Za-z0-9]+ForCausalLM|[a-z_]+=NAME")));
    const QStringList words = englishIn(bare);
    QVERIFY2(words.isEmpty(), qPrintable(text + QStringLiteral("  [") + words.join(QLatin1Char(' ')) + QLatin1Char(']')));
    QCOMPARE(text.count(QLatin1Char('\n')), QString::fromStdString(sentence).count(QLatin1Char('\n')));
}

void TestChineseWindow::anImportedDeviceIsNamed_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    QTest::newRow("told") << QByteArray("model,dtype,device,batch,prompt,tpot_ms\ntinyllama-1.1b,fp16,NVIDIA H200,1,128,7.5\n")
                          << QStringLiteral("NVIDIA H200 (imported)") << QStringLiteral("NVIDIA H200（导入）");
    QTest::newRow("not told") << QByteArray("model,dtype,batch,prompt,tpot_ms\ntinyllama-1.1b,fp16,1,128,7.5\n")
                              << QStringLiteral("unknown device (imported)") << QStringLiteral("未知设备（导入）");
}

/// Where a run of this program says its device, an imported one says that of its file, or that none is known.
void TestChineseWindow::anImportedDeviceIsNamed()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, english);
    QFETCH(QString, chinese);
    Bench bench;
    auto window = bench.window();
    QFile written(bench.path("bench.csv"));
    QVERIFY(written.open(QIODevice::WriteOnly) && written.write(file) == file.size());
    written.close();
    QVERIFY(window->openSession(written.fileName()));
    for (const char *language : {"en", "zh_CN"}) {
        const QString name = qstrcmp(language, "en") == 0 ? english : chinese;
        window->setLanguage(QString::fromLatin1(language));
        QCoreApplication::processEvents();
        const RunRecord &run = window->model()->session()->runs.at(0);
        window->model()->select(PointKey{run.plan.runId, 0});
        window->charts()->chart(QStringLiteral("throughput"))->flush();
        QStringList shown{window->findChild<QMenu *>(QStringLiteral("menuRuns"))->actions().first()->text()};
        shown << window->findChild<QComboBox *>(QStringLiteral("recordRuns"))->itemText(0);
        shown << window->charts()->chart(QStringLiteral("throughput"))->drawnTexts().at(1); // its caption
        for (const QString &text : shown)
            QVERIFY2(text.contains(name), qPrintable(text));
    }
}

/// A sentence that the core made follows the language too.
void TestChineseWindow::messagesFollowTheLanguage()
{
    Bench bench;
    auto window = bench.window();
    const QString missing = bench.path("missing.json");
    QVERIFY(!window->openSession(missing));
    QVERIFY(window->messages()->text(QStringLiteral("open")).contains(QStringLiteral("Could not read")));
    window->setLanguage(QStringLiteral("zh_CN"));
    const QString said = window->messages()->text(QStringLiteral("open"));
    QVERIFY2(said.contains(QStringLiteral("无法读取")) && said.contains(missing), qPrintable(said));
    window->setLanguage(QStringLiteral("en"));
    QVERIFY(window->messages()->text(QStringLiteral("open")).contains(QStringLiteral("Could not read")));
}

void TestChineseWindow::theLogFollowsTheLanguage()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    auto *log = window->findChild<QPlainTextEdit *>(QStringLiteral("log"));
    const QString english = log->toPlainText();
    QVERIFY(english.contains(QStringLiteral("Started on")) && english.contains(QStringLiteral("Done.")));
    window->setLanguage(QStringLiteral("zh_CN"));
    const QString chinese = log->toPlainText();
    QVERIFY2(!chinese.contains(QStringLiteral("Started on")) && !chinese.contains(QStringLiteral("Done.")), qPrintable(chinese));
    QCOMPARE(chinese.count(QLatin1Char('\n')), english.count(QLatin1Char('\n')));
    window->setLanguage(QStringLiteral("en"));
    QCOMPARE(log->toPlainText(), english); // the times of day with them
}

void TestChineseWindow::dialogsAreChinese()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(QString::fromStdString((kSamples / "h200-sweep-tinyllama-fp16.json").string())));
    window->setLanguage(QStringLiteral("zh_CN"));
    ChartExport proposed;
    proposed.chart = QStringLiteral("roofline");
    proposed.path = bench.path("a.png");
    proposed.size = QSize(960, 600);
    ChartExportDialog dialog(window->charts()->charts(), proposed, Prompts::standard(), window.get());
    const QStringList left = englishOf(dialog, catalogueNames(*bench.catalog));
    QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char('\n'))));
    // Sessions compared, with verdicts of a test and points without a partner.
    QVERIFY(window->openSample(QString::fromStdString((kSamples / "h200-ttft-tinyllama-fp16.json").string())));
    action(*window, "actionCompare")->trigger();
    auto *compare = window->findChild<CompareDialog *>();
    QVERIFY(compare->addFile(QString::fromStdString((kSamples / "h200-sweep-tinyllama-fp16.json").string())));
    compare->chart()->flush();
    const QStringList compared = englishOf(*compare, catalogueNames(*bench.catalog));
    QVERIFY2(compared.isEmpty(), qPrintable(compared.join(QLatin1Char('\n'))));
    // The columns of a table, with a row that cannot be used.
    ColumnDialog columns({"甲,乙,丙\n1,128,7.5\n2,128,?\n", bench.path("a.csv"), bench.catalog.get()}, window.get());
    for (const auto &[box, index] : {std::pair{"columnBatch", 1}, {"columnPrompt", 2}, {"columnTime", 3}})
        columns.findChild<QComboBox *>(QLatin1String(box))->setCurrentIndex(index);
    const QStringList asked = englishOf(columns, catalogueNames(*bench.catalog));
    QVERIFY2(asked.isEmpty(), qPrintable(asked.join(QLatin1Char('\n'))));
    window->setLanguage(QStringLiteral("en"));
}

void TestChineseWindow::reportsAreChinese_data()
{
    QTest::addColumn<QString>("sample");
    for (const SampleSession &sample : sampleSessions({kSamples.parent_path()}))
        QTest::newRow(sample.path.stem().string().c_str()) << QString::fromStdString(sample.path.string());
}

void TestChineseWindow::reportsAreChinese()
{
    QFETCH(QString, sample);
    useLanguage(QStringLiteral("zh_CN"));
    const Catalog catalog = Catalog::loadDefault();
    const Session session = loadSession(sample.toStdString());
    const QString report = QString::fromStdString(
        translatedReport(reportMarkdown(session, {{"roofline.png", "Roofline"}}, &catalog), reportTranslation()));
    QVERIFY(report.contains(QStringLiteral("报告")) && report.contains(QStringLiteral("用语")));
    QStringList left;
    for (QString line : report.split(QLatin1Char('\n'))) {
        // What was run, on what and by which program: other people's words and commands.
        static const QRegularExpression foreign(QStringLiteral(R"(^\| (命令|主机|系统|引擎|程序|驱动|运行|卡标识（UUID 的散列）|ECC|[^|]*kernel[^|]*|[^|]*nvjet[^|]*|[^|]*::[^|]*) |^!\[|[0-9a-f]{8}-[0-9a-f]{4}|out of memory)"));
        if (line.startsWith(QLatin1String("    ")) || foreign.match(line).hasMatch())
            continue;
        line.remove(QLatin1Char('\\'));
        for (const QString &name : catalogueNames(catalog))
            line.remove(name);
        const QStringList words = englishIn(line);
        if (!words.isEmpty())
            left << line.left(300) + QStringLiteral("  [") + words.join(QLatin1Char(' ')) + QLatin1Char(']');
    }
    QVERIFY2(left.isEmpty(), qPrintable(QStringLiteral("%1 lines:\n").arg(left.size()) + left.join(QLatin1Char('\n'))));
}

/// No two samples have one name, and each tells device and kind.
void TestChineseWindow::samplesAreNamedApart()
{
    QSet<QString> titles;
    for (const SampleSession &sample : sampleSessions({kSamples.parent_path()})) {
        const QString title = QString::fromStdString(sample.title);
        QVERIFY2(!titles.contains(title), qPrintable(title));
        titles << title;
        QVERIFY2(title.contains(QStringLiteral("H200")) || title.contains(QStringLiteral("EPYC")), qPrintable(title));
    }
    QVERIFY(titles.size() >= 9);
}

QTEST_MAIN(TestChineseWindow)
#include "tst_chinese_window.moc"
