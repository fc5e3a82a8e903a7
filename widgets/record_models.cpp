// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/record_models.h"

#include "core/base/format.h"
#include "widgets/panel_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ridgepoint {

namespace {

QString dash()
{
    return QStringLiteral("\u2013");
}

bool known(double value)
{
    return std::isfinite(value);
}

QString digits(double value, int count)
{
    return known(value) ? QString::fromStdString(format::significant(value, count)) : dash();
}

} // namespace

void SweepModel::setRun(const RunRecord *run)
{
    std::vector<SweepRow> rows = run ? sweepRows(*run) : std::vector<SweepRow>();
    const std::string id = run ? run->plan.runId : std::string();
    m_imported = run && isImported(*run);
    const auto samePoint = [](const SweepRow &a, const SweepRow &b) { return a.index == b.index; };
    const bool grew = !id.empty() && id == m_runId && rows.size() >= m_rows.size() &&
                      std::equal(m_rows.begin(), m_rows.end(), rows.begin(), samePoint);
    if (!grew) {
        beginResetModel();
        m_runId = id;
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    // The rows that were there stay selected and in place; what is compared with the smallest batch may have changed.
    const int before = int(m_rows.size()), after = int(rows.size());
    if (after > before) {
        std::vector<SweepRow> old(rows.begin(), rows.begin() + before);
        m_rows = std::move(old);
        beginInsertRows({}, before, after - 1);
        m_rows = std::move(rows);
        endInsertRows();
    } else {
        m_rows = std::move(rows);
    }
    if (before > 0)
        emit dataChanged(index(0, 0), index(before - 1, ColumnCount - 1));
}

void SweepModel::setTheme(const ChartTheme &theme)
{
    m_theme = theme;
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(int(m_rows.size()) - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

std::optional<PointKey> SweepModel::keyAt(int row) const
{
    if (row < 0 || row >= int(m_rows.size()))
        return std::nullopt;
    return PointKey{m_runId, m_rows[std::size_t(row)].index};
}

int SweepModel::rowOf(const PointKey &key) const
{
    if (key.runId != m_runId)
        return -1;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].index == key.index)
            return int(i);
    }
    return -1;
}

bool SweepModel::hasFigures(int column) const
{
    for (int row = 0; row < int(m_rows.size()); ++row) {
        const QVariant value = data(index(row, column), SortRole);
        if (value.userType() == QMetaType::Double ? known(value.toDouble()) : value.toString() != dash())
            return true;
    }
    return false;
}

int SweepModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int SweepModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SweepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    const SweepRow &r = m_rows[std::size_t(index.row())];
    double number = kMissing;
    QString text, unit;
    bool figure = true;
    // NaN: no floor, or no step. A step of one's own that is faster tells of the ceilings, and the explanation says so.
    const bool belowFloor = m_imported && r.status == PointStatus::Ok && r.stepSeconds < r.floorSeconds;
    switch (index.column()) {
    case Batch:
        number = r.batch;
        text = shown(format::count(number));
        break;
    case Prompt:
        number = r.prompt;
        text = shown(format::count(number));
        break;
    case Context:
        number = r.context;
        text = shownCount(number);
        break;
    case Status:
        figure = false;
        switch (r.status) {
        case PointStatus::Ok:
            text = belowFloor ? tr("impossible, below the floor") : tr("ok");
            break;
        case PointStatus::OutOfMemory:
            text = tr("out of memory");
            break;
        case PointStatus::Skipped:
            text = tr("skipped");
            break;
        case PointStatus::Failed:
            text = tr("failed");
            break;
        }
        break;
    case StepMs:
        number = r.stepSeconds * 1e3;
        text = digits(number, 4);
        unit = tr("ms");
        break;
    case SpreadMs:
        number = r.p90Seconds * 1e3;
        text = known(number) ? tr("%1 to %2").arg(digits(r.p10Seconds * 1e3, 4), digits(number, 4)) : dash();
        break;
    case Rate:
        number = r.tokensPerSecond;
        text = digits(number, 4);
        unit = tr("tok/s");
        break;
    case Linear:
        number = r.linearTokensPerSecond;
        text = digits(number, 4);
        unit = tr("tok/s");
        break;
    case Departure:
        number = r.departure * 100;
        text = shown(format::percent(r.departure));
        unit = tr("%");
        break;
    case PeakGb:
        number = r.peakBytes / 1e9;
        text = digits(number, 3);
        unit = tr("GB");
        break;
    case PredictedMs:
        number = r.predictedSeconds * 1e3;
        text = digits(number, 4);
        unit = tr("ms");
        break;
    case OverPredicted:
        number = r.measuredOverPredicted;
        text = shown(format::ratio(number));
        break;
    case Ratio:
        number = r.ratioToFloor;
        text = shown(format::ratio(number));
        break;
    case HostGapMs:
        number = r.hostGapSeconds * 1e3;
        text = digits(number, 3);
        unit = tr("ms");
        break;
    case BackToBackMs:
        number = r.backToBackSeconds * 1e3;
        text = digits(number, 4);
        unit = tr("ms");
        break;
    case UsedGb:
        number = r.deviceUsedBytes / 1e9;
        text = digits(number, 3);
        unit = tr("GB");
        break;
    case ClockMhz:
        number = r.smClockHz / 1e6;
        text = known(number) ? QString::number(number, 'f', 0) : dash();
        unit = tr("MHz");
        break;
    case Throttled:
        // Nothing is known of a device that tells no clocks; a device that tells them had none.
        number = r.throttledSteps > 0 || known(r.smClockHz) ? double(r.throttledSteps) : kMissing;
        text = shownCount(number);
        break;
    case GraphNodes:
        number = r.graphNodes > 0 ? double(r.graphNodes) : kMissing;
        text = shownCount(number);
        break;
    case Attention:
        figure = false;
        text = r.attention.empty() ? dash() : coreText(r.attention);
        break;
    case Reason:
        figure = false;
        text = coreText(r.reason);
        break;
    default:
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case CopyRole:
        return text == dash() ? QString() : text;
    case SortRole:
        return figure ? QVariant(number) : QVariant(text);
    case Qt::TextAlignmentRole:
        return int((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (r.status != PointStatus::Ok && (index.column() == Status || index.column() == Reason))
            return m_theme.warning;
        if (belowFloor && (index.column() == Status || index.column() == Ratio))
            return m_theme.warning;
        if (index.column() == OverPredicted && known(number) && (number < 0.9 || number > 1.3))
            return m_theme.warning;
        if (index.column() == Throttled && r.throttledSteps > 0)
            return m_theme.throttled;
        if (index.column() == PredictedMs)
            return m_theme.forecast;
        return {};
    case Qt::ToolTipRole:
        if (index.column() == Attention)
            return r.attention.empty() ? tr("not recorded") : text;
        if (belowFloor && (index.column() == Status || index.column() == Ratio))
            return tr("A step cannot be faster than its floor (%1 of it): check that model, dtype, device and batch are those that "
                      "were measured.")
                .arg(shown(format::ratio(r.ratioToFloor)));
        if (!figure)
            return r.reason.empty() ? text : coreText(r.reason);
        if (!known(number))
            return r.reason.empty() ? tr("not measured") : coreText(r.reason);
        if (index.column() == SpreadMs)
            return tr("10th percentile %1 ms, 90th %2 ms; least %3 ms, greatest %4 ms")
                .arg(fromUtf8(format::exact(r.p10Seconds * 1e3)), fromUtf8(format::exact(number)),
                     fromUtf8(format::exact(r.minSeconds * 1e3)), fromUtf8(format::exact(r.maxSeconds * 1e3)));
        if (index.column() == OverPredicted)
            return tr("%1 (0.9 to 1.3: the model holds)").arg(fromUtf8(format::exact(number)));
        return unit.isEmpty() ? fromUtf8(format::exact(number))
                              : fromUtf8(format::exact(number)) + QLatin1Char(' ') + unit;
    default:
        return {};
    }
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Status || section == Reason || section == Attention ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    struct Names {
        QString shortName, fullName, meaning;
    };
    const auto names = [section]() -> Names {
        switch (section) {
        case Batch:
            return {tr("batch"), tr("batch"), tr("Sequences decoded together")};
        case Prompt:
            return {tr("prompt"), tr("prompt tokens"), tr("Tokens before the first step")};
        case Status:
            return {tr("status"), tr("status"), tr("How the point ended")};
        case StepMs:
            return {tr("step ms"), tr("step time in ms"), tr("Median of the timed steps")};
        case Rate:
            return {tr("tok/s"), tr("tokens a second"), tr("Batch over step time")};
        case PredictedMs:
            return {tr("pred. ms"), tr("predicted step time in ms"),
                    tr("Predicted before the run, from measured ceilings")};
        case OverPredicted:
            return {tr("meas./pred."), tr("measured / predicted"), tr("0.9 to 1.3: the model holds")};
        case Departure:
            return {tr("depart."), tr("departure from linear"), tr("How far the rate falls short of linear")};
        case Linear:
            return {tr("linear"), tr("linear tokens a second"),
                    tr("Tokens a second if the rate of the smallest batch grew with the batch")};
        case SpreadMs:
            return {tr("p10–p90 ms"), tr("10th to 90th percentile in ms"),
                    tr("Between these lie eight of ten steps")};
        case PeakGb:
            return {tr("peak GB"), tr("peak memory in GB"), tr("Greatest memory while the point ran")};
        case Ratio:
            return {tr("/ floor"), tr("measured / floor"), tr("Step time over the floor of the datasheet")};
        case Context:
            return {tr("context"), tr("context tokens"), tr("Tokens in the cache in the middle of the timed steps")};
        case HostGapMs:
            return {tr("gap ms"), tr("host gap in ms"),
                    tr("Wall time less device time, the median of the steps: the device had not begun or was done")};
        case BackToBackMs:
            return {tr("b2b ms"), tr("back-to-back step in ms"),
                    tr("A step when many follow one another without a wait between them")};
        case UsedGb:
            return {tr("used GB"), tr("device memory used in GB"),
                    tr("On the whole device, as its driver counts: other programs are in it")};
        case ClockMhz:
            return {tr("MHz"), tr("median SM clock in MHz"), tr("Read beside the timed steps")};
        case Throttled:
            return {tr("throttled"), tr("throttled steps"), tr("Marked, and counted in every median")};
        case GraphNodes:
            return {tr("nodes"), tr("graph nodes"), tr("Nodes of the captured step")};
        case Attention:
            return {tr("attention"), tr("attention"), tr("Which implementation attended")};
        default:
            return {tr("reason"), tr("reason"), tr("Why a point was not timed")};
        }
    };
    switch (role) {
    case Qt::DisplayRole:
        return names().shortName;
    case Qt::AccessibleTextRole:
        return names().fullName;
    case Qt::ToolTipRole: {
        const Names found = names();
        return found.fullName == found.shortName ? found.meaning
                                                 : found.fullName + QLatin1Char('\n') + found.meaning;
    }
    default:
        return {};
    }
}

void StepsModel::setSteps(SessionPtr session, const std::string &runId, std::optional<PointKey> only,
                          const LivePoint *live)
{
    beginResetModel();
    m_session = std::move(session);
    m_segments.clear();
    m_order.clear();
    m_live = false;
    std::int64_t rows = 0;
    const auto add = [&](const std::vector<StepSample> &steps, std::optional<PointKey> key, QString label) {
        const std::int64_t count =
            std::min<std::int64_t>(std::int64_t(steps.size()), std::numeric_limits<int>::max() - rows);
        if (count > 0)
            m_segments.push_back({&steps, int(rows), int(count), std::move(key), std::move(label)});
        rows += count;
    };
    const auto pointLabel = [](std::int64_t batch, std::int64_t prompt) {
        return tr("batch %1, prompt %2").arg(batch).arg(prompt);
    };
    const RunRecord *run = m_session ? m_session->run(runId) : nullptr;
    if (run) {
        for (const SweepPoint &point : run->points) {
            if (!only || (only->runId == runId && only->index == point.index))
                add(point.steps, PointKey{runId, point.index}, pointLabel(point.batch, point.prompt));
        }
        for (const LineRow &row : run->line) {
            if (!only || (only->runId == runId && only->index == row.index))
                add(row.steps, PointKey{runId, row.index},
                    QString::fromStdString(row.name.empty() ? row.model : row.name) + QLatin1Char(' ') +
                        QString::fromStdString(row.dtype));
        }
        if (run->ttft && !only) {
            for (const TtftMethodResult &method : run->ttft->methods)
                add(method.steps, std::nullopt, tr("method %1").arg(int(method.method)));
        }
    }
    // A point that has just finished may still be in flight for the model: the document's steps are the ones that
    // count.
    const bool finished = live && run &&
                          (std::any_of(run->points.begin(), run->points.end(),
                                       [live](const SweepPoint &point) { return point.index == live->index; }) ||
                           std::any_of(run->line.begin(), run->line.end(),
                                       [live](const LineRow &row) { return row.index == live->index; }));
    if (live && !finished && live->runId == runId && (!only || (only->runId == runId && only->index == live->index))) {
        m_segments.push_back({&live->steps, int(rows), int(live->steps.size()), PointKey{runId, live->index},
                              tr("%1 (running)")
                                  .arg(run && run->plan.experiment == Experiment::Line
                                           ? tr("row %1").arg(live->index + 1)
                                           : pointLabel(live->batch, live->prompt))});
        rows += std::int64_t(live->steps.size());
        m_live = true;
    }
    m_rows = int(rows);
    endResetModel();
}

void StepsModel::liveGrew()
{
    if (!m_live)
        return;
    Segment &segment = m_segments.back();
    const int now = int(segment.steps->size());
    if (now <= segment.count)
        return;
    const int before = m_rows;
    beginInsertRows({}, before, before + now - segment.count - 1);
    // New steps join at the end, also of a sorted table: rows that jump about while one reads help nobody.
    if (!m_order.empty()) {
        for (int row = before; row < before + now - segment.count; ++row)
            m_order.push_back(std::uint32_t(row));
    }
    m_rows += now - segment.count;
    segment.count = now;
    endInsertRows();
}

const StepsModel::Segment *StepsModel::segmentOf(int row, int *within) const
{
    auto after = std::upper_bound(m_segments.begin(), m_segments.end(), row,
                                  [](int wanted, const Segment &segment) { return wanted < segment.first; });
    if (after == m_segments.begin())
        return nullptr;
    const Segment &segment = *std::prev(after);
    *within = row - segment.first;
    return *within < segment.count && std::size_t(*within) < segment.steps->size() ? &segment : nullptr;
}

int StepsModel::sourceRow(int row) const
{
    return m_order.empty() || row < 0 || std::size_t(row) >= m_order.size() ? row : int(m_order[std::size_t(row)]);
}

std::optional<PointKey> StepsModel::keyAt(int row) const
{
    int within = 0;
    const Segment *segment = segmentOf(sourceRow(row), &within);
    return segment ? segment->key : std::nullopt;
}

int StepsModel::indexInPoint(int row) const
{
    int within = 0;
    return segmentOf(sourceRow(row), &within) ? within : -1;
}

int StepsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int StepsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

double StepsModel::number(const StepSample &sample, int column) const
{
    switch (column) {
    case Step:
        return double(sample.step);
    case Context:
        return double(sample.context);
    case DeviceMs:
        return sample.deviceSeconds * 1e3;
    case WallMs:
        return sample.wallSeconds * 1e3;
    case HostGapMs:
        return sample.hostGapSeconds() * 1e3;
    case SmClockMhz:
        return sample.smClockHz / 1e6;
    case MemoryClockMhz:
        return sample.memoryClockHz / 1e6;
    case TemperatureC:
        return sample.temperatureC;
    case PowerW:
        return sample.powerWatts;
    default:
        return kMissing;
    }
}

QVariant StepsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows)
        return {};
    int within = 0;
    const Segment *segment = segmentOf(sourceRow(index.row()), &within);
    if (!segment)
        return {};
    const StepSample &sample = (*segment->steps)[std::size_t(within)];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return int((column == Point || column == Throttle ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != SortRole && role != CopyRole)
        return {};
    if (column == Point)
        return segment->label;
    if (column == Throttle)
        return coreText(sample.throttle);
    const double value = number(sample, column);
    if (role == SortRole)
        return value;
    if (role == Qt::ToolTipRole)
        return known(value) ? fromUtf8(format::exact(value)) : tr("not measured on this device");
    if (!known(value))
        return role == CopyRole ? QString() : dash();
    if (column == Step || column == Context)
        return shown(format::count(value));
    return digits(value, column == TemperatureC || column == PowerW ? 3 : 4);
}

bool StepsModel::hasFigures(int column) const
{
    constexpr int looks = 64; // spread over a point: a device that reports a figure does so for most steps
    for (const Segment &segment : m_segments) {
        const int stride = std::max(1, segment.count / looks);
        for (int i = 0; i < segment.count; i += stride) {
            const StepSample &sample = (*segment.steps)[std::size_t(i)];
            if (column == Throttle ? !sample.throttle.empty() || known(sample.smClockHz)
                                   : known(number(sample, column)))
                return true;
        }
    }
    return false;
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Point || section == Throttle ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Point:
            return tr("point");
        case Step:
            return tr("step");
        case Context:
            return tr("context");
        case DeviceMs:
            return tr("device ms");
        case WallMs:
            return tr("wall ms");
        case HostGapMs:
            return tr("host gap ms");
        case SmClockMhz:
            return tr("SM clock MHz");
        case MemoryClockMhz:
            return tr("memory clock MHz");
        case TemperatureC:
            return tr("temperature °C");
        case PowerW:
            return tr("power W");
        case Throttle:
            return tr("throttle");
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case DeviceMs:
            return tr("By the device's own events; a CPU has none");
        case WallMs:
            return tr("By the host's clock");
        case HostGapMs:
            return tr("Wall time less device time: the device had not begun or was already done");
        case Throttle:
            return tr("Why the clock was lowered");
        default:
            break;
        }
    }
    return {};
}

void StepsModel::sort(int column, Qt::SortOrder order)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> sources;
    for (const QModelIndex &index : before)
        sources.push_back(sourceRow(index.row()));
    m_order.clear();
    if (column >= 0 && column < ColumnCount && m_rows > 1) {
        m_order.resize(std::size_t(m_rows));
        std::iota(m_order.begin(), m_order.end(), 0u);
        const bool up = order == Qt::AscendingOrder;
        if (column == Point || column == Throttle) {
            std::vector<const std::string *> texts;
            std::vector<int> labels(std::size_t(m_rows), 0);
            for (std::size_t s = 0; s < m_segments.size(); ++s)
                std::fill_n(labels.begin() + m_segments[s].first, m_segments[s].count, int(s));
            if (column == Throttle) {
                texts.reserve(std::size_t(m_rows));
                for (const Segment &segment : m_segments) {
                    for (int i = 0; i < segment.count; ++i)
                        texts.push_back(&(*segment.steps)[std::size_t(i)].throttle);
                }
            }
            std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
                if (column == Throttle)
                    return up ? *texts[a] < *texts[b] : *texts[b] < *texts[a];
                return up ? labels[a] < labels[b] : labels[b] < labels[a];
            });
        } else {
            std::vector<double> values;
            values.reserve(std::size_t(m_rows));
            for (const Segment &segment : m_segments) {
                for (int i = 0; i < segment.count; ++i)
                    values.push_back(number((*segment.steps)[std::size_t(i)], column));
            }
            // Missing values come last in both directions: they are neither small nor great.
            std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
                const bool hasA = !std::isnan(values[a]), hasB = !std::isnan(values[b]);
                if (!hasA || !hasB)
                    return hasA && !hasB;
                return up ? values[a] < values[b] : values[b] < values[a];
            });
        }
    }
    std::vector<int> rowOfSource;
    if (!before.isEmpty()) {
        rowOfSource.resize(std::size_t(m_rows));
        for (int row = 0; row < m_rows; ++row)
            rowOfSource[std::size_t(sourceRow(row))] = row;
    }
    QModelIndexList after;
    for (int i = 0; i < before.size(); ++i)
        after << index(rowOfSource[std::size_t(sources[std::size_t(i)])], before[i].column());
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void TextRecordModel::setTable(const TextTable &table, std::vector<std::vector<QString>> tips,
                               std::vector<QString> header, std::vector<bool> figures)
{
    beginResetModel();
    m_table = table;
    m_tips = std::move(tips);
    m_header = std::move(header);
    m_figures = std::move(figures);
    endResetModel();
}

int TextRecordModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_table.rows.size());
}

int TextRecordModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_header.size());
}

QVariant TextRecordModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_table.rows.size()))
        return {};
    const auto &row = m_table.rows[std::size_t(index.row())];
    const auto column = std::size_t(index.column());
    const QString text = column < row.size() ? coreText(row[column]) : QString();
    switch (role) {
    case Qt::DisplayRole:
        return text == QLatin1String("-") ? dash() : text;
    case CopyRole:
    case SortRole:
        return text == QLatin1String("-") ? QString() : text;
    case Qt::ToolTipRole: {
        const auto at = std::size_t(index.row());
        if (at < m_tips.size() && column < m_tips[at].size() && !m_tips[at][column].isEmpty())
            return m_tips[at][column];
        return text;
    }
    case Qt::TextAlignmentRole:
        return int((column < m_figures.size() && m_figures[column] ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant TextRecordModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= int(m_header.size()))
        return {};
    if (role == Qt::DisplayRole)
        return m_header[std::size_t(section)];
    if (role == Qt::TextAlignmentRole)
        return int((std::size_t(section) < m_figures.size() && m_figures[std::size_t(section)] ? Qt::AlignRight
                                                                                               : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    return {};
}

} // namespace ridgepoint
