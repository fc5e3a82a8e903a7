// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/session/import.h"
#include "tests/widgets/panels_test.h"
#include "widgets/panels.h"
#include "widgets/record_models.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>

using namespace ridgepoint;
using fixture::child;

/// The record tables: models, selection in both directions, copying, empty states.
class PanelsRecordTables : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        QVERIFY2(fixture::pinFont(), "The tests need the font DejaVu Sans (fonts-dejavu-core).");
    }

    /// A point faster than its floor is no ordinary one: its status says so, and why.
    void aPointBelowItsFloorIsFlagged_data()
    {
        QTest::addColumn<QString>("milliseconds");
        QTest::addColumn<QString>("status");
        QTest::newRow("above") << "9.1" << "ok";
        QTest::newRow("below") << "1.9" << "impossible, below the floor";
        QTest::newRow("below, by this program's own measurement") << "1.9 own" << "ok"; // then it is the ceilings that are in doubt
    }
    void aPointBelowItsFloorIsFlagged()
    {
        QFETCH(QString, milliseconds);
        QFETCH(QString, status);
        const bool own = milliseconds.endsWith(QLatin1String(" own"));
        milliseconds.remove(QLatin1String(" own"));
        Session session = newSession();
        session.runs = importResults("model,device,dtype,batch,prompt,tpot_ms\ntinyllama-1.1b,NVIDIA T4,fp16,1,128," +
                                         milliseconds.toStdString() + "\n",
                                     "told.csv", ImportOptions(), *fixture::shippedCatalog())
                           .runs;
        if (own)
            session.runs[0].provenance.imported.reset();
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(session));
        RecordTables tables(&model);
        auto *view = child<QTableView>(tables, "record-sweep");
        QCOMPARE(view->model()->rowCount(), 1);
        const QModelIndex cell = view->model()->index(0, SweepModel::Status);
        QCOMPARE(cell.data().toString(), status);
        const bool below = status != QLatin1String("ok");
        QCOMPARE(cell.data(Qt::ForegroundRole).isValid(), below);
        QCOMPARE(cell.data(Qt::ToolTipRole).toString().contains("check that model, dtype, device and batch"), below);
        QCOMPARE(view->model()->index(0, SweepModel::Ratio).data(Qt::ForegroundRole).isValid(), below);
    }

    void aLineHasItsRowsAndWhatTheySay()
    {
        WorkbenchModel model;
        Session session = fixture::sweepSession();
        session.runs.push_back(fixture::importedSession().runs[0]);
        model.setSession(std::make_shared<const Session>(session));
        RecordTables tables(&model);
        tables.resize(1200, 300);
        tables.show();
        auto *view = child<QTableView>(tables, "record-line");
        auto *says = child<QLabel>(tables, "recordLineSays");
        auto *tabs = child<QTabWidget>(tables, "recordTabs");
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Line over models")); // the newest run's own
        QCOMPARE(view->model()->rowCount(), 12);
        QVERIFY2(says->text().contains("6.122 ms/GB") && says->text().contains("Gemma 3 270M"), qPrintable(says->text()));
        const auto cell = [view](int row, const char *header) {
            for (int c = 0; c < view->model()->columnCount(); ++c)
                if (view->model()->headerData(c, Qt::Horizontal).toString() == QLatin1String(header))
                    return view->model()->index(row, c).data().toString();
            return QString();
        };
        QCOMPARE(cell(0, "by the line"), QString("7.33 ms"));
        QCOMPARE(cell(0, "reading weights"), QString("45.1 %"));
        QCOMPARE(cell(11, "residual"), QString("-44.3 us"));
        QCOMPARE(cell(0, "status"), QString("imported"));
        // Selection goes both ways.
        view->selectRow(3);
        const PointKey fourth{session.runs[1].plan.runId, 3};
        QVERIFY(model.selection() == fourth);
        model.select(PointKey{session.runs[1].plan.runId, 7});
        QVERIFY(view->selectionModel()->isRowSelected(7));
        model.setCurrentRun(session.runs[0].plan.runId);
        QCOMPARE(view->model()->rowCount(), 0);
        QVERIFY(!says->isVisible());
        QVERIFY(!child<QLabel>(tables, "record-empty-line")->text().isEmpty());
    }

    void sweepModelHoldsTogetherWhileARunGrows()
    {
        SweepModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted), resets(&model, &QAbstractItemModel::modelReset);
        const Session whole = fixture::sweepSession();
        RunRecord run = whole.runs[0];
        run.points.clear();
        model.setRun(&run);
        QCOMPARE(model.rowCount(), 0);
        resets.clear();
        for (std::size_t i = 0; i < whole.runs[0].points.size(); ++i) {
            run.points.push_back(whole.runs[0].points[i]);
            model.setRun(&run);
            QCOMPARE(model.rowCount(), int(i) + 1);
            QCOMPARE(inserted.count(), int(i) + 1);
        }
        QCOMPARE(resets.count(), 0);
        model.setRun(&run);
        QCOMPARE(inserted.count(), 10);
        QCOMPARE(model.rowOf({run.plan.runId, 4}), 4);
        QCOMPARE(model.rowOf({"another run", 4}), -1);
        model.setRun(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void sweepCellsAreFormatted_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tip");
        const Session session = fixture::sweepSession();
        const SweepRow row = sweepRows(session.runs[0])[5];
        QTest::newRow("prompt") << 5 << int(SweepModel::Prompt) << "2,048"
                                << "2048";
        QTest::newRow("context") << 5 << int(SweepModel::Context) << "2,078"
                                 << "2078";
        QTest::newRow("step, full precision in the tip")
            << 5 << int(SweepModel::StepMs) << QString::number(row.stepSeconds * 1e3, 'f', 2)
            << QString::number(row.stepSeconds * 1e3, 'g', QLocale::FloatingPointShortest) + " ms";
        QTest::newRow("departure of the smallest batch") << 5 << int(SweepModel::Departure) << "0.0 %"
                                                         << "0 %";
        QTest::newRow("skipped has no step") << 8 << int(SweepModel::StepMs) << "\u2013"
                                             << "needs 5.19 GB, the limit is 5.00 GB";
        QTest::newRow("skipped has no rate") << 8 << int(SweepModel::Rate) << "\u2013"
                                             << "needs 5.19 GB, the limit is 5.00 GB";
        QTest::newRow("status") << 9 << int(SweepModel::Status) << "out of memory"
                                << "out of memory at step 3";
        QTest::newRow("reason") << 9 << int(SweepModel::Reason) << "out of memory at step 3"
                                << "out of memory at step 3";
    }
    void sweepCellsAreFormatted()
    {
        QFETCH(int, row);
        QFETCH(int, column);
        QFETCH(QString, text);
        QFETCH(QString, tip);
        const Session session = fixture::sweepSession();
        SweepModel model;
        model.setRun(&session.runs[0]);
        const QModelIndex index = model.index(row, column);
        QCOMPARE(index.data().toString(), text);
        QCOMPARE(index.data(Qt::ToolTipRole).toString(), tip);
        const bool figure = column != SweepModel::Status && column != SweepModel::Reason;
        QCOMPARE(bool(index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight), figure);
        if (text == "\u2013")
            QCOMPARE(index.data(CopyRole).toString(), QString());
    }

    void theSweepFitsAHalfWidthRecord_data()
    {
        QTest::addColumn<bool>("sorted");
        QTest::newRow("as run") << false;
        QTest::newRow("sorted by the last one") << true;
    }
    /// In a window of 1280 pixels the record is about 970 wide, in one of 1024 about 770.
    void theSweepFitsAHalfWidthRecord()
    {
        QFETCH(bool, sorted);
        WorkbenchModel model;
        RecordTables tables(&model);
        tables.resize(770, 200);
        tables.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tables));
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        auto *view = child<QTableView>(tables, "record-sweep");
        if (sorted)
            view->sortByColumn(SweepModel::OverPredicted, Qt::DescendingOrder);
        QHeaderView *header = view->horizontalHeader();
        const int right = header->sectionViewportPosition(SweepModel::OverPredicted) +
                          header->sectionSize(SweepModel::OverPredicted);
        QVERIFY2(right <= view->viewport()->width(), qPrintable(QString::number(right)));
        tables.resize(970, 200);
        auto *tabs = child<QTabWidget>(tables, "recordTabs");
        QVERIFY(tabs->tabBar()->width() >= tabs->tabBar()->sizeHint().width()); // every tab is in sight
        const int floorRight =
            header->sectionViewportPosition(SweepModel::Ratio) + header->sectionSize(SweepModel::Ratio);
        QVERIFY2(floorRight <= 970, qPrintable(QString::number(floorRight)));
        for (int column = 0; column < SweepModel::Reason; ++column) {
            if (view->isColumnHidden(column))
                continue; // no point has a figure of that kind
            const QString text = view->model()->headerData(column, Qt::Horizontal).toString();
            const QString tip = view->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            const QString full = view->model()->headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString();
            QVERIFY2(full == text || tip.startsWith(full + '\n'), qPrintable(text));
            // It is painted, in a colour that can be read.
            const QRect cell(header->sectionViewportPosition(column), 0, header->sectionSize(column), header->height());
            const QImage image = header->grab(cell).toImage();
            bool dark = false;
            for (int y = 2; y < image.height() - 2; ++y)
                for (int x = 4; x < image.width() - 4; ++x)
                    dark = dark || qGray(image.pixel(x, y)) < 100;
            QVERIFY2(dark || cell.right() >= header->width(), qPrintable(text)); // the edge may cut later ones
            // A name keeps clear of its neighbours: room on both of its sides.
            QVERIFY2(header->sectionSize(column) >= view->fontMetrics().horizontalAdvance(text) + 14, qPrintable(text));
        }
    }

    void columnsOfAGpuAppearWithItsFigures()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        auto *view = child<QTableView>(tables, "record-sweep");
        Session session = fixture::sweepSession();
        model.setSession(std::make_shared<const Session>(session));
        QVERIFY(!view->isColumnHidden(SweepModel::HostGapMs) && !view->isColumnHidden(SweepModel::ClockMhz));
        for (const int column : {int(SweepModel::BackToBackMs), int(SweepModel::UsedGb), int(SweepModel::GraphNodes),
                                 int(SweepModel::Attention)})
            QVERIFY2(view->isColumnHidden(column), qPrintable(QString::number(column)));
        QCOMPARE(view->model()->index(0, SweepModel::Throttled).data().toString(), QString("1"));
        QCOMPARE(view->model()->index(0, SweepModel::ClockMhz).data().toString(), QString("1590"));
        SweepPoint &point = session.runs[0].points[1];
        point.backToBackSeconds = 0.0125;
        point.deviceUsedBytes = 5.25e9;
        point.graphNodes = 312;
        point.attention = "own kernel";
        model.setSession(std::make_shared<const Session>(session));
        QCOMPARE(view->model()->index(1, SweepModel::BackToBackMs).data().toString(), QString("12.50"));
        QCOMPARE(view->model()->index(1, SweepModel::UsedGb).data().toString(), QString("5.25"));
        QCOMPARE(view->model()->index(1, SweepModel::GraphNodes).data().toString(), QString("312"));
        QCOMPARE(view->model()->index(1, SweepModel::Attention).data().toString(), QString("own kernel"));
        for (int column = 0; column < SweepModel::ColumnCount; ++column)
            QVERIFY(!view->isColumnHidden(column));
        for (SweepPoint &each : session.runs[0].points) { // as on a CPU
            each.backToBackSeconds = each.deviceUsedBytes = kMissing;
            each.graphNodes = 0;
            each.attention.clear();
            for (StepSample &step : each.steps) {
                step.deviceSeconds = step.smClockHz = kMissing;
                step.throttle.clear();
            }
        }
        model.setSession(std::make_shared<const Session>(session));
        for (int column = SweepModel::HostGapMs; column < SweepModel::Reason; ++column)
            QVERIFY2(view->isColumnHidden(column), qPrintable(QString::number(column)));
    }

    void columnsGrowWithTheRun()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        tables.resize(970, 200);
        tables.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tables));
        Session session = fixture::sweepSession();
        Session first = session;
        first.runs[0].points.resize(1);
        model.setSession(std::make_shared<const Session>(first));
        for (SweepPoint &point : session.runs[0].points) { // far slower than the first one
            if (point.index > 0 && point.status == PointStatus::Ok) {
                point.p10Seconds = 12.345;
                point.p90Seconds = 23.456;
            }
        }
        model.setSession(std::make_shared<const Session>(session));
        auto *view = child<QTableView>(tables, "record-sweep");
        for (int column = 0; column < SweepModel::Reason; ++column) {
            if (view->isColumnHidden(column))
                continue;
            for (int row = 0; row < view->model()->rowCount(); ++row) {
                const QString text = view->model()->index(row, column).data().toString();
                QVERIFY2(view->columnWidth(column) >= view->fontMetrics().horizontalAdvance(text) + 8,
                         qPrintable(text));
            }
        }
    }

    void aMillionStepsAreRowsWithoutItems()
    {
        Session session = fixture::sweepSession();
        session.runs[0].points.resize(2);
        session.runs[0].points[1].steps = fixture::steps(1'000'000, 0.016, 128, 5);
        const auto shared = std::make_shared<const Session>(std::move(session));
        StepsModel model;
        model.setSteps(shared, fixture::plan().runId, std::nullopt, nullptr);
        QCOMPARE(model.rowCount(), 1'000'040);
        const auto &steps = shared->runs[0].points[1].steps;
        const double last = model.index(1'000'039, StepsModel::DeviceMs).data(SortRole).toDouble();
        QCOMPARE(last, steps.back().deviceSeconds * 1e3);
        QCOMPARE(model.keyAt(39)->index, 0);
        QCOMPARE(model.keyAt(40)->index, 1);
        QCOMPARE(model.indexInPoint(41), 1);
        QVERIFY(!model.keyAt(1'000'040));
        model.setSteps(shared, fixture::plan().runId, PointKey{fixture::plan().runId, 1}, nullptr);
        QCOMPARE(model.rowCount(), 1'000'000);
    }

    void stepsModelHoldsTogether()
    {
        StepsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto session = std::make_shared<const Session>(fixture::sweepSession(7));
        LivePoint live;
        live.runId = fixture::plan().runId;
        live.index = 10;
        live.batch = 2;
        live.prompt = 128;
        model.setSteps(session, live.runId, std::nullopt, &live);
        QCOMPARE(model.rowCount(), 8 * 7);
        live.steps = fixture::steps(3, 0.01, 128, 1);
        model.liveGrew();
        QCOMPARE(model.rowCount(), 8 * 7 + 3);
        model.sort(StepsModel::WallMs, Qt::DescendingOrder);
        QCOMPARE(model.rowCount(), 8 * 7 + 3);
        const auto more = fixture::steps(2, 0.5, 131, 2);
        live.steps.insert(live.steps.end(), more.begin(), more.end());
        model.liveGrew();
        QCOMPARE(model.index(8 * 7 + 3, StepsModel::WallMs).data(SortRole).toDouble(), more[0].wallSeconds * 1e3);
        model.sort(-1, Qt::AscendingOrder);
        QCOMPARE(model.index(0, StepsModel::Step).data().toString(), QString("0"));
        QVERIFY(!model.hasFigures(StepsModel::MemoryClockMhz));
        QVERIFY(model.hasFigures(StepsModel::SmClockMhz));
        model.setSteps(session, "no such run", std::nullopt, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void stepsSortWithMissingValuesLast_data()
    {
        QTest::addColumn<int>("order");
        QTest::newRow("up") << int(Qt::AscendingOrder);
        QTest::newRow("down") << int(Qt::DescendingOrder);
    }
    void stepsSortWithMissingValuesLast()
    {
        QFETCH(int, order);
        Session session = fixture::sweepSession(20);
        session.runs[0].points.resize(1);
        session.runs[0].points[0].steps[4].deviceSeconds = kMissing;
        StepsModel model;
        model.setSteps(std::make_shared<const Session>(session), fixture::plan().runId, std::nullopt, nullptr);
        const QPersistentModelIndex fifth = model.index(4, 0);
        model.sort(StepsModel::DeviceMs, static_cast<Qt::SortOrder>(order));
        QCOMPARE(model.index(19, StepsModel::DeviceMs).data().toString(), QString("\u2013"));
        QCOMPARE(fifth.row(), 19);
        for (int row = 1; row < 19; ++row) {
            const double a = model.index(row - 1, StepsModel::DeviceMs).data(SortRole).toDouble();
            const double b = model.index(row, StepsModel::DeviceMs).data(SortRole).toDouble();
            QVERIFY(order == Qt::AscendingOrder ? a <= b : a >= b);
        }
    }

    void textModelHoldsTogether()
    {
        const Session session = fixture::ttftSession();
        TextRecordModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(ttftTable(session.runs[0]), {}, {"item", "value", "note"}, {false, true, false});
        QVERIFY(model.rowCount() > 10);
        QCOMPARE(model.columnCount(), 3);
        QCOMPARE(model.index(0, 1).data().toString(), QString("NVIDIA T4"));
        model.setTable({}, {}, {"item"}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void selectionGoesBothWays()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        auto *view = child<QTableView>(tables, "record-sweep");
        QCOMPARE(view->model()->rowCount(), 10);
        view->selectRow(3);
        QVERIFY(model.selection());
        QCOMPARE(model.selection()->index, 3);
        model.select(PointKey{fixture::plan().runId, 6});
        QCOMPARE(view->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(view->selectionModel()->selectedRows().first().row(), 6);
        QCOMPARE(model.selection()->index, 6);
        // Sorted, a row still means its own point.
        view->sortByColumn(SweepModel::Batch, Qt::DescendingOrder);
        view->selectRow(0);
        QCOMPARE(model.selectedPoint()->batch, std::int64_t(128));
        model.select(PointKey{fixture::plan().runId, 0});
        QCOMPARE(view->selectionModel()->selectedRows().first().siblingAtColumn(SweepModel::Batch).data().toString(),
                 QString("1"));
        model.select(std::nullopt);
        QVERIFY(view->selectionModel()->selectedRows().isEmpty());
        QVERIFY(!model.selection());
    }

    void selectedPointFiltersTheSteps()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        auto *steps = child<QTableView>(tables, "record-steps");
        QCOMPARE(steps->model()->rowCount(), 8 * 40);
        model.select(PointKey{fixture::plan().runId, 2});
        QCOMPARE(steps->model()->rowCount(), 40);
        child<QCheckBox>(tables, "recordOnlySelected")->setChecked(false);
        QCOMPARE(steps->model()->rowCount(), 8 * 40);
        steps->selectRow(40 * 3 + 5);
        QTRY_COMPARE(model.selection()->index, 3);
        QCOMPARE(steps->model()->rowCount(), 8 * 40);
        // With the filter on and nothing selected, the row that was clicked stays the current one.
        child<QCheckBox>(tables, "recordOnlySelected")->setChecked(true);
        model.select(std::nullopt);
        QCOMPARE(steps->model()->rowCount(), 8 * 40);
        steps->selectRow(40 * 4 + 7);
        QTRY_VERIFY(model.selection());
        QCOMPARE(model.selection()->index, 4);
        QCOMPARE(steps->model()->rowCount(), 40);
        QCOMPARE(steps->currentIndex().row(), 7);
    }

    void liveStepsAppear()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        fixture::makeLive(model);
        auto *steps = child<QTableView>(tables, "record-steps");
        QCOMPARE(steps->model()->rowCount(), 4 * 40 + 23);
        model.appendLiveSteps(fixture::steps(2, 0.02, 161, 3));
        QCOMPARE(steps->model()->rowCount(), 4 * 40 + 25);
        // The point finishes: the document has it, then the live one goes.
        Session done = fixture::sweepSession();
        done.runs[0].points.resize(5);
        model.setSession(std::make_shared<const Session>(done));
        QCOMPARE(steps->model()->rowCount(), 5 * 40);
        model.setLive(std::nullopt);
        QCOMPARE(steps->model()->rowCount(), 5 * 40);
    }

    void rowsAreCopiedAsText()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        tables.show();
        tables.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&tables));
        auto *view = child<QTableView>(tables, "record-sweep");
        view->setFocus();
        view->selectRow(8);
        view->selectionModel()->select(view->model()->index(0, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QTest::keySequence(view, QKeySequence::Copy);
        const QStringList lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 4); // header, two rows, the end of the last line
        QCOMPARE(lines[0].split('\t').size(), int(SweepModel::ColumnCount));
        QCOMPARE(lines[0].section('\t', 0, 3), QString("batch\tprompt tokens\tstatus\tstep time in ms"));
        QVERIFY(lines[0].contains("measured / predicted"));
        QCOMPARE(lines[1].section('\t', 0, 2), QString("1\t128\tok"));
        QCOMPARE(lines[2].section('\t', 0, 4), QString("64\t2,048\tskipped\t\t")); // missing is empty
        QVERIFY(lines[2].endsWith("needs 5.19 GB, the limit is 5.00 GB"));
    }

    void emptyTablesSayWhatToDo()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        for (const char *which : {"sweep", "ttft", "steps", "anatomy", "calibration"}) {
            const QString text = child<QLabel>(tables, QStringLiteral("record-empty-") + QLatin1String(which))->text();
            QVERIFY2(text.startsWith("Nothing measured yet") && text.contains("Run"), qPrintable(text));
        }
        QVERIFY(!child<QPushButton>(tables, "recordSaveCsv")->isEnabled());
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        QVERIFY(child<QLabel>(tables, "record-empty-ttft")->text().contains("no TTFT record"));
        QVERIFY(child<QPushButton>(tables, "recordSaveCsv")->isEnabled());
    }

    void runChooserAndTabsFollowTheRun()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        Session session = fixture::sweepSession();
        session.runs.push_back(fixture::ttftSession().runs[0]);
        model.setSession(std::make_shared<const Session>(session));
        auto *runs = child<QComboBox>(tables, "recordRuns");
        auto *tabs = child<QTabWidget>(tables, "recordTabs");
        QCOMPARE(runs->count(), 2);
        QCOMPARE(runs->currentIndex(), 0); // newest first
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("TTFT and TPOT"));
        runs->setCurrentIndex(1);
        QCOMPARE(model.currentRun()->plan.runId, fixture::plan().runId);
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Batch sweep"));
        model.setCurrentRun(fixture::ttftRecord().runId);
        QCOMPARE(runs->currentIndex(), 0);
        QCOMPARE(child<QTableView>(tables, "record-ttft")->model()->index(0, 1).data().toString(),
                 QString("NVIDIA T4"));
    }

    void csvIsAskedForByTab_data()
    {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("which");
        QTest::newRow("sweep") << "Batch sweep"
                               << "sweep";
        QTest::newRow("steps") << "Steps"
                               << "steps";
    }
    void whatWasExpectedStandsBesideForecastAndMeasurement()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        auto *expected = child<QLabel>(tables, "recordSweepExpected");
        Session session = fixture::sweepSession();
        model.setSession(std::make_shared<const Session>(session));
        QVERIFY(expected->isHidden()); // nothing was expected
        session.runs[0].plan.expectation = {10e-3, 2.5, 16};
        model.setSession(std::make_shared<const Session>(session));
        QVERIFY(!expected->isHidden());
        const SweepPoint &first = session.runs[0].points.front();
        const QStringList lines = expected->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 6); // three figures of two prompts
        QVERIFY2(lines[0].contains("expected 10.0 ms") &&
                     lines[0].contains(QString::fromStdString("forecast " + format::seconds(first.forecast.predicted->stepSeconds))) &&
                     lines[0].contains(QString::fromStdString("measured " + format::seconds(first.stepSeconds))) &&
                     lines[0].contains(QString::fromStdString(format::ratio(first.stepSeconds / 10e-3)) + " x the expected"),
                 qPrintable(lines[0]));
        QVERIFY2(lines[2].contains("first departure, p=128: expected b=16"), qPrintable(lines[2]));
    }

    void anAnatomyHasARecordOfItsOwn()
    {
        WorkbenchModel model;
        RecordTables tables(&model);
        const Session session = fixture::anatomySession(false);
        model.setSession(std::make_shared<const Session>(session));
        auto *tabs = child<QTabWidget>(tables, "recordTabs");
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Anatomy")); // a run that comes to the front shows its record
        auto *view = child<QTableView>(tables, "record-anatomy");
        QVERIFY(view->model()->rowCount() >= int(session.runs[0].anatomy->parts.size()));
        QVERIFY(child<QLabel>(tables, "recordAnatomySays")->text().contains("kernels"));
    }

    void csvIsAskedForByTab()
    {
        QFETCH(QString, title);
        QFETCH(QString, which);
        WorkbenchModel model;
        RecordTables tables(&model);
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        QSignalSpy asked(&tables, &RecordTables::exportCsvRequested);
        auto *tabs = child<QTabWidget>(tables, "recordTabs");
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->tabText(i) == title)
                tabs->setCurrentIndex(i);
        }
        child<QPushButton>(tables, "recordSaveCsv")->click();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().toString(), which);
    }
};

QTEST_MAIN(PanelsRecordTables)
#include "panels_record_tables.moc"
