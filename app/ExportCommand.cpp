// SPDX-License-Identifier: GPL-3.0-or-later
#include "ExportCommand.h"

#include "AppStyle.h"
#include "PictureExport.h"
#include "cli/InfoCommand.h"
#include "common/Text.h"
#include "common/ViewState.h"
#include "core/DecimalTime.h"
#include "core/Format.h"
#include "importers/OpenProfile.h"
#include "profile/StepName.h"
#include "timeline/TimelinePane.h"

#include <QFileInfo>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>

namespace stepscope
{

namespace
{

constexpr std::string_view kUsage =
    "Usage: stepscope export PROFILE --view timeline [--step step_41 | --range A..B] [--size WxH] [--theme light|dark]"
    " --out FILE.png|.svg|.pdf\n"
    "       A and B are times since the profile's first moment, with a unit: 1.2s..1.35s, 500us..2ms\n";

struct ExportRequest {
    std::string profile;
    std::string step;
    std::string range;
    std::string out;
    QSize size{1600, 900};
    ThemeChoice theme = ThemeChoice::Light;
};

std::optional<QSize> parseSize(std::string_view text)
{
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    int width = 0;
    int height = 0;
    const auto read = [](std::string_view part, int& value) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc() && end == part.data() + part.size() && value >= 200 && value <= 20'000;
    };
    if (!read(text.substr(0, cross), width) || !read(text.substr(cross + 1), height)) return std::nullopt;
    return QSize(width, height);
}

std::optional<ExportRequest> parse(std::span<const std::string_view> arguments)
{
    ExportRequest request;
    for (std::size_t place = 0; place < arguments.size(); ++place) {
        const std::string_view argument = arguments[place];
        if (!argument.starts_with("--")) {
            if (!request.profile.empty()) return std::nullopt;
            request.profile = argument;
            continue;
        }
        if (place + 1 == arguments.size()) return std::nullopt;
        const std::string value(arguments[++place]);
        if (argument == "--step") request.step = value;
        else if (argument == "--range") request.range = value;
        else if (argument == "--out") request.out = value;
        else if (argument == "--theme" && value == "dark") request.theme = ThemeChoice::Dark;
        else if (argument == "--theme" && value == "light") request.theme = ThemeChoice::Light;
        else if (argument == "--size") {
            const auto size = parseSize(value);
            if (!size) return std::nullopt;
            request.size = *size;
        } else if (argument != "--view" || value != "timeline") return std::nullopt;
    }
    const bool both = !request.step.empty() && !request.range.empty();
    if (request.profile.empty() || request.out.empty() || both) return std::nullopt;
    return request;
}

/// "1.35s" in ns.
std::optional<std::int64_t> parseTime(std::string_view text)
{
    struct Unit {
        std::string_view name;
        std::string_view exponent; ///< of ten, from the unit to microseconds
    };
    for (const Unit& unit : {Unit{"ns", "e-3"}, Unit{"us", "e0"}, Unit{"ms", "e3"}, Unit{"s", "e6"}})
        if (text.ends_with(unit.name))
            return nsFromMicroseconds(
                std::string(text.substr(0, text.size() - unit.name.size())).append(unit.exponent));
    return std::nullopt;
}

std::optional<TimeSpan> parseRange(const Profile& profile, std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto begin = parseTime(text.substr(0, dots));
    const auto end = parseTime(text.substr(dots + 2));
    if (!begin || !end || *end <= *begin) return std::nullopt;
    return TimeSpan{profile.span.beginNs + *begin, profile.span.beginNs + *end};
}

std::optional<std::size_t> findStep(const Profile& profile, std::string_view name)
{
    const auto wanted = parseStepName(name);
    for (std::size_t step = 0; wanted && step < profile.steps.size(); ++step)
        if (profile.steps[step].number == wanted->number) return step;
    return std::nullopt;
}

/// Shows what was asked for; false with a sentence on stderr if the profile does not have it.
bool aim(ViewState& state, const ExportRequest& request)
{
    const Profile& profile = *state.profile();
    if (!request.step.empty()) {
        const auto step = findStep(profile, request.step);
        if (!step) {
            std::cerr << "There is no step \"" << request.step << "\" in the profile; "
                      << (profile.steps.empty()
                              ? "it has no steps"
                              : "it has " + profile.steps.front().name() + " to " + profile.steps.back().name())
                      << ".\n";
            return false;
        }
        state.goToStep(*step);
    } else if (!request.range.empty()) {
        const auto range = parseRange(profile, request.range);
        if (!range) {
            std::cerr << "The range \"" << request.range << "\" is not like 1.2s..1.35s.\n";
            return false;
        }
        state.setRange(*range);
    }
    return true;
}

} // namespace

int runExport(std::span<const std::string_view> arguments)
{
    const auto request = parse(arguments);
    if (!request) {
        std::cerr << kUsage;
        return kExitUsage;
    }
    LoadProgress progress;
    auto opened = openProfile(request->profile, progress);
    if (!opened.ok()) {
        std::cerr << opened.error().sentence() << '\n';
        return kExitUnreadable;
    }
    AppStyle style;
    style.choose(request->theme);
    ViewState state;
    TimelinePane timeline(state);
    timeline.resize(request->size);
    state.setProfile(opened.take());
    if (!aim(state, *request)) return kExitUsage;
    const QString title = QFileInfo(QString::fromStdString(request->profile)).fileName() + QStringLiteral("  ·  ") +
                          toQString(formatDuration(state.range().lengthNs()));
    const QString problem = writePicture(timeline, request->size, title, QString::fromStdString(request->out));
    if (problem.isEmpty()) return kExitDone;
    std::cerr << problem.toStdString() << '\n';
    return kExitUsage;
}

} // namespace stepscope
