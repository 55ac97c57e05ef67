// SPDX-License-Identifier: GPL-3.0-or-later
#include "AppStyle.h"
#include "ExportCommand.h"
#include "MainWindow.h"
#include "cli/InfoCommand.h"

#include <QApplication>
#include <QSurfaceFormat>
#include <QThreadPool>

#include <cstdlib>
#include <iostream>
#include <vector>

namespace
{

using namespace stepscope;

constexpr std::string_view kUsage = "Usage: stepscope [PROFILE]                 open the window\n"
                                    "       stepscope info PROFILE [--json]     what is in it\n"
                                    "       stepscope export PROFILE --view timeline [--step step_41 | --range A..B]"
                                    " --out FILE.png|.svg|.pdf\n";

/// Without a session there is no folder for its runtime files. A picture needs none, so Qt's warning is no news.
void printUnlessAboutSession(QtMsgType, const QMessageLogContext&, const QString& message)
{
    if (!message.startsWith(QLatin1String("QStandardPaths:"))) std::cerr << message.toStdString() << '\n';
}

int runWindow(int argc, char** argv, const QString& path)
{
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    AppStyle style;
    Settings settings = Settings::load();
    style.choose(settings.theme);
    int code = 0;
    {
        MainWindow window(std::move(settings), style);
        window.show();
        if (!path.isEmpty()) window.openPath(path);
        code = QApplication::exec();
    }
    // A load given up may need a moment more to notice; nobody waits for it, and it holds nothing but memory.
    constexpr int kPatienceMs = 100;
    if (!QThreadPool::globalInstance()->waitForDone(kPatienceMs)) std::_Exit(code);
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication::setOrganizationName(QStringLiteral("Stepscope"));
    QCoreApplication::setApplicationName(QStringLiteral("Stepscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(STEPSCOPE_VERSION));
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    const std::string_view first = arguments.empty() ? std::string_view() : arguments.front();
    const auto rest = std::span(arguments).subspan(arguments.empty() ? 0 : 1);
    if (first == "info") return runInfo(rest, std::cout, std::cerr);
    if (first == "export") {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(printUnlessAboutSession);
        const QApplication application(argc, argv);
        return runExport(rest);
    }
    if (first == "--version") {
        std::cout << "stepscope " STEPSCOPE_VERSION "\n";
        return kExitDone;
    }
    if (first == "--help" || first == "-h") {
        std::cout << kUsage;
        return kExitDone;
    }
    if (arguments.size() > 1 || (first.starts_with("-") && first.size() > 1)) {
        std::cerr << kUsage;
        return kExitUsage;
    }
    return runWindow(argc, argv, QString::fromLocal8Bit(first.data(), static_cast<qsizetype>(first.size())));
}
