// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/tables.h"
#include "widgets/chart_theme.h"
#include "widgets/workbench_model.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <optional>
#include <vector>

/// The models behind the record tables. Private to rp_panels and its tests.
namespace ridgepoint {

/// Short headers keep the columns narrow; Qt::AccessibleTextRole of a header is its full name, which copies carry too.
/// Beside Qt::DisplayRole: SortRole holds the number itself (NaN where missing), Qt::ToolTipRole its full precision,
/// CopyRole what is copied (a missing value is empty).
enum RecordRole { SortRole = Qt::UserRole, CopyRole };

/// The batch sweep of one run. A run that grows by a point gets a row; nothing else moves.
class SweepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// In the order of what one looks for: measured beside predicted first, what explains it after.
    enum Column {
        Batch,
        Prompt,
        Status,
        StepMs,
        Rate,
        PredictedMs,
        OverPredicted,
        Departure,
        Linear,
        SpreadMs,
        PeakGb,
        Ratio,
        Context,
        HostGapMs,
        BackToBackMs,
        UsedGb,
        ClockMhz,
        Throttled,
        GraphNodes,
        Attention,
        Reason,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setRun(const RunRecord *run); ///< null: none
    void setTheme(const ChartTheme &theme);
    std::optional<PointKey> keyAt(int row) const;
    int rowOf(const PointKey &key) const; ///< -1: not in this run
    /// False where no point has a value of that kind, as a CPU has no host gap.
    bool hasFigures(int column) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::string m_runId;
    bool m_imported = false; ///< measured by another program
    std::vector<SweepRow> m_rows;
    ChartTheme m_theme = ChartTheme::light();
};

/// Every step of a run, of one of its points, and those in flight. Rows are looked up in the document itself, so that a
/// million of them cost nothing until they are seen. Sorting keeps a permutation only while a column is sorted.
class StepsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Point,
        Step,
        Context,
        DeviceMs,
        WallMs,
        HostGapMs,
        SmClockMhz,
        MemoryClockMhz,
        TemperatureC,
        PowerW,
        Throttle,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    /// `session` keeps the steps alive. `only`: one point of the run. `live` may be null; it must outlive its display
    /// here: call again, or liveGrew(), whenever it changes.
    void setSteps(SessionPtr session, const std::string &runId, std::optional<PointKey> only, const LivePoint *live);
    void liveGrew();
    std::optional<PointKey> keyAt(int row) const;
    /// False where the device reports nothing of that kind, as a CPU has no clocks to show.
    bool hasFigures(int column) const;
    int indexInPoint(int row) const; ///< which step of its point a row is, from 0; -1: no such row

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    struct Segment {
        const std::vector<StepSample> *steps = nullptr;
        int first = 0; ///< row of its first step
        int count = 0;
        std::optional<PointKey> key; ///< absent for a TTFT record
        QString label;
    };
    const Segment *segmentOf(int row, int *within) const; ///< of an unsorted row
    double number(const StepSample &sample, int column) const;
    int sourceRow(int row) const;

    SessionPtr m_session;
    std::vector<Segment> m_segments;
    int m_rows = 0;
    bool m_live = false;                ///< the last segment is in flight
    std::vector<std::uint32_t> m_order; ///< empty: as recorded
};

/// A record of text cells (TTFT/TPOT), or the samples of a calibration.
class TextRecordModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    /// `tips`: tool tips of the cells in row order, empty where the cell's own text is the tip; may be shorter.
    void setTable(const TextTable &table, std::vector<std::vector<QString>> tips, std::vector<QString> header,
                  std::vector<bool> figures);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TextTable m_table;
    std::vector<std::vector<QString>> m_tips;
    std::vector<QString> m_header;
    std::vector<bool> m_figures; ///< columns of numbers
};

} // namespace ridgepoint
