// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/DetailsPanel.h"

#include "analysis/LinkQuery.h"
#include "analysis/SliceDetails.h"
#include "common/Doubts.h"
#include "common/Text.h"
#include "common/Theme.h"
#include "common/ViewState.h"
#include "core/Format.h"
#include "panels/FieldTable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>

namespace stepscope
{

namespace
{

/// A graph launch may have hundreds of runs; the tab "Connections" lists all of them.
constexpr std::size_t kRunsListed = 8;

QString duration(std::int64_t ns) { return toQString(formatDuration(ns)); }

/// "12.5 ms (12,500,123 ns)": readable, and exact.
QString exactDuration(std::int64_t ns)
{
    const QString readable = duration(ns);
    if (ns > -1000 && ns < 1000) return readable;
    const QString sign = ns < 0 ? QStringLiteral("-") : QString();
    return QStringLiteral("%1 (%2%3 ns)")
        .arg(readable, sign, toQString(formatCount(static_cast<std::uint64_t>(ns < 0 ? -ns : ns))));
}

QString joined(const std::vector<std::string>& parts)
{
    QStringList list;
    for (const std::string& part : parts) list += toQString(part);
    return list.join(QStringLiteral(" › "));
}

} // namespace

DetailsPanel::DetailsPanel(ViewState& viewState, QWidget* parent) : QWidget(parent), m_viewState(viewState)
{
    m_pages = new QStackedLayout(this);
    auto* hint = new QLabel(tr("Click a slice to see what it is, what launched it and how it compares.\n"
                               "Shift+wheel pans, Ctrl+wheel zooms, [ and ] walk the steps, J follows a link."));
    hint->setAlignment(Qt::AlignCenter);
    hint->setForegroundRole(QPalette::PlaceholderText);
    m_pages->addWidget(hint);

    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(8, 6, 8, 0);
    layout->setSpacing(4);
    auto* heading = new QHBoxLayout;
    m_chip = new QLabel;
    m_title = new QLabel;
    m_title->setTextFormat(Qt::PlainText);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    heading->addWidget(m_chip);
    heading->addWidget(m_title, 1);
    layout->addLayout(heading);
    auto* columns = new QSplitter;
    columns->setChildrenCollapsible(false);
    columns->setHandleWidth(8);
    for (FieldTable** table : {&m_slice, &m_relations, &m_source}) {
        *table = new FieldTable;
        columns->addWidget(*table);
        connect(*table, &FieldTable::sliceActivated, this, &DetailsPanel::goTo);
        connect(*table, &FieldTable::doubtActivated, this, &DetailsPanel::diagnosticsRequested);
    }
    layout->addWidget(columns, 1);
    m_pages->addWidget(page);
    m_slice->setAccessibleName(tr("Selected slice"));
    m_relations->setAccessibleName(tr("Links and comparison"));
    m_source->setAccessibleName(tr("Arguments"));

    connect(&viewState, &ViewState::selectionChanged, this, &DetailsPanel::refresh);
    connect(&viewState, &ViewState::profileChanged, this, &DetailsPanel::refresh);
    refresh();
}

void DetailsPanel::goTo(SliceId slice)
{
    m_viewState.select(slice);
    m_viewState.reveal(slice);
}

void DetailsPanel::addDoubts(FieldTable& table, FigureSet figures) const
{
    if (const QString doubts = doubtsAbout(*m_viewState.profile(), figures); !doubts.isEmpty()) table.addDoubt(doubts);
}

void DetailsPanel::refresh()
{
    for (FieldTable* table : {m_slice, m_relations, m_source}) table->clear();
    const SliceId slice = m_viewState.selection();
    const bool any = m_viewState.profile() && slice.valid();
    m_pages->setCurrentIndex(any ? 1 : 0);
    if (!any) return;
    const Profile& profile = *m_viewState.profile();
    const SliceKind kind = profile.slices.kind[slice.value];
    const QColor colour = Theme::current(this).kindColour(kind);
    m_title->setText(toQString(profile.sliceName(slice)));
    m_title->setToolTip(toQString(profile.sliceName(slice)).toHtmlEscaped());
    m_chip->setText(toQString(kindLabel(kind)));
    m_chip->setStyleSheet(QStringLiteral("background:%1; color:%2; border-radius:4px; padding:1px 6px;")
                              .arg(colour.name(), textOn(colour).name()));
    showSlice(slice);
    showLinks(slice);
    showComparison(slice);
    showSource(slice);
}

void DetailsPanel::showSlice(SliceId slice)
{
    const Profile& profile = *m_viewState.profile();
    const TimeSpan span = profile.sliceSpan(slice);
    m_slice->addHeading(tr("Slice"));
    m_slice->addField(tr("Name"), toQString(profile.sliceName(slice)));
    m_slice->addField(tr("Start"), toQString(formatExactTime(span.beginNs - profile.span.beginNs)))
        ->setToolTip(1, tr("Since the first moment of the profile"));
    m_slice->addField(tr("Duration"), exactDuration(span.lengthNs()));
    m_slice->addField(tr("Self time"), exactDuration(selfTimeNs(profile, slice)));
    if (const auto step = stepOf(profile, slice)) {
        const Step& in = profile.steps[*step];
        m_slice->addField(tr("Step"), toQString(in.name()) + QStringLiteral(", ") + duration(in.host.lengthNs()),
                          in.slice);
    }
    m_slice->addField(tr("Track"), joined(trackPathOf(profile, slice)));
    m_slice->addField(tr("Category"),
                      toQString(profile.strings.view(profile.categories[profile.slices.category[slice.value]])));
    if (profile.originUnixNs)
        m_slice->addField(tr("Unix time"),
                          QString::number(*profile.originUnixNs + span.beginNs) + QStringLiteral(" ns"));
    const auto parents = parentsOf(profile, slice);
    if (!parents.empty()) m_slice->addHeading(tr("Within"));
    for (const SliceId parent : parents)
        m_slice->addField(duration(profile.slices.durNs[parent.value]), toQString(profile.sliceName(parent)), parent);
}

void DetailsPanel::showLinks(SliceId slice)
{
    const Profile& profile = *m_viewState.profile();
    const SliceId launch = launchOf(profile, slice);
    const auto runs = runsOf(profile, slice);
    const SliceKind kind = profile.slices.kind[slice.value];
    if (launch.valid() || !runs.empty() || isRun(kind)) m_relations->addHeading(tr("Link"));
    const auto latency = [&](SliceId from, SliceId to) {
        const std::int64_t ns = launchLatencyNs(profile, from, to);
        return ns < 0 ? tr("%1, clock doubt: the run starts before its launch").arg(exactDuration(ns))
                      : exactDuration(ns);
    };
    if (launch.valid()) {
        m_relations->addField(tr("Launched by"), toQString(profile.sliceName(launch)), launch);
        m_relations->addField(tr("Launch latency"), latency(launch, slice));
        for (const SliceId parent : parentsOf(profile, launch))
            m_relations->addField(tr("within"), toQString(profile.sliceName(parent)), parent);
    } else if (isRun(kind)) {
        m_relations->addNote(tr("The launch of this run is not in the profile."));
    }
    if (runs.size() == 1) m_relations->addField(tr("Launch latency"), latency(slice, runs.front()));
    for (std::size_t place = 0; place < std::min(runs.size(), kRunsListed); ++place)
        m_relations->addField(
            runs.size() == 1
                ? tr("Runs")
                : tr("Run %1, after %2").arg(place + 1).arg(duration(launchLatencyNs(profile, slice, runs[place]))),
            toQString(profile.sliceName(runs[place])), runs[place]);
    if (launch.valid() || !runs.empty() || isRun(kind)) addDoubts(*m_relations, {Figure::Links});
    if (runs.size() > kRunsListed)
        m_relations->addNote(counted(runs.size() - kRunsListed, tr("1 more run: see Connections."),
                                     tr("%1 more runs: see Connections.")));
}

void DetailsPanel::showComparison(SliceId slice)
{
    const Profile& profile = *m_viewState.profile();
    const NameStatistics statistics = compareWithName(profile, slice);
    m_relations->addHeading(counted(statistics.count, tr("Comparison"), tr("All %1 of this name")));
    addDoubts(*m_relations, {Figure::Slices, Figure::Durations});
    if (statistics.count == 1) return m_relations->addNote(tr("No other slice has this name."));
    m_relations->addField(tr("This one"), tr("number %1 by duration, percentile %2")
                                              .arg(toQString(formatCount(statistics.longer + 1)))
                                              .arg(statistics.percentile, 0, 'f', 1));
    m_relations->addField(tr("Minimum"), duration(statistics.leastNs));
    m_relations->addField(tr("Median"), duration(statistics.medianNs));
    m_relations->addField(tr("95th percentile"), duration(statistics.p95Ns));
    m_relations->addField(tr("Maximum"), duration(statistics.greatestNs));
    m_relations->addField(tr("Total"), duration(statistics.totalNs));
}

void DetailsPanel::showSource(SliceId slice)
{
    const auto fields = sourceFieldsOf(*m_viewState.profile(), slice);
    m_source->addHeading(tr("Arguments"));
    if (!fields)
        return m_source->addNote(tr("They cannot be read any more: the file has changed since it was opened."));
    bool arguments = false;
    for (const SourceField& field : *fields) {
        if (!field.argument) continue;
        m_source->addField(toQString(field.key), toQString(field.value));
        arguments = true;
    }
    if (!arguments) m_source->addNote(tr("The file gives none for this slice."));
    m_source->addHeading(tr("As recorded"));
    for (const SourceField& field : *fields)
        if (!field.argument) m_source->addField(toQString(field.key), toQString(field.value));
}

} // namespace stepscope
