// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/core_text.h"
#include "core/base/error.h"
#include "app/cli/cli.h"
#include "app/gui/guarded_application.h"
#include "app/gui/language.h"
#include "app/gui/main_window.h"
#include "app/gui/report_pdf.h"
#include "app/gui/visible_boxes.h"
#include "core/base/atomic_file.h"
#include "core/session/import.h"
#include "core/session/measured_profile.h"
#include "widgets/chart_view.h"

#include <QApplication>
#include <QFileInfo>
#include <QHashFunctions>
#include <QLocale>
#include <QMessageBox>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

using namespace ridgepoint;

namespace {

/// Qt aborts when it finds no display. We leave with a sentence instead.
std::string g_file; // that the program was started with

void leaveWithoutDisplay(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    if (type == QtFatalMsg) {
        if (!g_file.empty()) { // a file that cannot be opened is the nearer fault
            try {
                readWholeFile(g_file, kMaxImportBytes);
            } catch (const std::exception &fault) {
                std::fprintf(stderr, "ridgepoint: %s\n", fault.what());
                _exit(1);
            }
            std::fprintf(stderr,
                         "ridgepoint: there is no display to open %s on. Start it from a desktop session, or make a report of "
                         "it, which needs none: ridgepoint report %s\n",
                         g_file.c_str(), g_file.c_str());
            _exit(1);
        }
        std::fprintf(
            stderr,
            "ridgepoint: there is no display to open the window on. Start it from a desktop session, or use a verb, "
            "which needs none: ridgepoint --help lists them.\n");
        _exit(1);
    }
    if (type == QtCriticalMsg)
        std::fprintf(stderr, "%s\n", qPrintable(message));
}

/// Standard error belongs to the verb: what Qt remarks about a bare machine (no runtime folder, no session bus) is no
/// fault of the report's.
void criticalOnly(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "%s\n", qPrintable(message));
}

/// Qt for the report verb: the offscreen platform, the C locale. `application` must outlive what is drawn.
void startOffscreen(std::unique_ptr<QApplication> &application)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(criticalOnly);
    QLocale::setDefault(QLocale::c());
    static int argc = 1;
    static char name[] = "ridgepoint";
    static char *argv[] = {name, nullptr};
    if (!QCoreApplication::instance())
        application = std::make_unique<QApplication>(argc, argv);
    std::setlocale(LC_NUMERIC, "C");
}

/// Charts of the report verb, in the light theme.
std::vector<ReportPicture> renderCharts(const Session &session, const std::filesystem::path &folder)
{
    std::vector<ReportPicture> pictures;
    for (const auto &[fileName, caption] : renderSessionCharts(session, QString::fromStdString(folder.string()),
                                                               QSize(960, 600), 2.0, ChartTheme::light()))
        pictures.push_back({fileName.toStdString(), caption.toStdString()});
    return pictures;
}

} // namespace

int main(int argc, char **argv)
{
    // Qt writes the fonts of a PDF in the order of a hash: with a seed that changes, the same report would give other bytes.
    QHashSeed::setDeterministicGlobalSeed();
    if (isCommandLine(argc, argv)) {
        std::unique_ptr<QApplication> offscreen;
        CliHooks hooks;
        hooks.renderCharts = [&offscreen](const Session &session, const std::filesystem::path &folder) {
            startOffscreen(offscreen);
            return renderCharts(session, folder);
        };
        hooks.writePdf = [&offscreen](const Session &session, const std::filesystem::path &folder, const std::vector<ReportPicture> &pictures,
                            const Catalog *catalog, const ReportTranslation &translate) {
            startOffscreen(offscreen);
            return std::filesystem::path(
                writeReportPdf(session, QString::fromStdString(folder.string()), pictures, catalog, translate).toStdString());
        };
        hooks.speak = [&offscreen](const std::string &language) {
            const QString code = QString::fromStdString(language);
            QStringList known;
            for (const Language &one : languages())
                known << one.code;
            if (!known.contains(code))
                throw Error(ErrorKind::Usage, "--language was given '" + language + "', but reports are written in " +
                                                  known.join(QStringLiteral(" or ")).toStdString() + ".");
            startOffscreen(offscreen);
            useLanguage(code);
            return reportTranslation();
        };
        return runCommandLine(argc, argv, hooks);
    }

    const bool replay = argc > 1 && std::string_view(argv[1]) == "--replay";
    if (replay && argc != 3) {
        std::fprintf(stderr, "ridgepoint: --replay takes one session file: ridgepoint --replay SESSION.\n");
        return 2;
    }
    if (argc > 1 && (replay || argv[1][0] != '-'))
        g_file = argv[replay ? 2 : 1];
    qInstallMessageHandler(leaveWithoutDisplay);
    GuardedApplication application(argc, argv);
    qInstallMessageHandler(nullptr);
    // Figures are written with '.' whatever the locale, in fields as in charts and files.
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
    QApplication::setStyle(new VisibleBoxes); // the application owns it
    QApplication::setApplicationName(QStringLiteral("Ridgepoint"));
    QApplication::setOrganizationName(QStringLiteral("ridgepoint"));
    QApplication::setApplicationVersion(QStringLiteral(RIDGEPOINT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("ridgepoint"));

    useLanguage(AppSettings().language());

    int code = 1;
    try {
        WindowServices services;
        services.engine = loadEngine;
        services.catalog = std::make_shared<const Catalog>(Catalog::loadDefault());
        // Which card of a name it is, its hash tells only once it runs; until then the newest one of the name serves.
        services.savedCeilings = [](const std::string &deviceName) {
            std::vector<MeasuredCeilings> found;
            for (const MeasuredProfile &profile : loadMeasuredProfiles(measuredProfileFolder()).profiles) {
                if (profile.calibration.ceilings.deviceName == deviceName)
                    found.push_back(profile.calibration.ceilings);
            }
            return found;
        };
        services.keepCalibration = [](const CalibrationResult &calibration) {
            saveMeasuredProfile(calibration, measuredProfileFolder());
        };
        MainWindow window(std::move(services));
        application.setFaultHandler([&window](const QString &sentence) { window.tellFault(sentence); });
        window.show();
        const QStringList arguments = QApplication::arguments();
        if (replay && arguments.size() > 2)
            window.replaySession(QFileInfo(arguments.at(2)).absoluteFilePath(), 1);
        else if (arguments.size() > 1)
            window.openSession(QFileInfo(arguments.at(1)).absoluteFilePath());
        code = QApplication::exec();
        application.setFaultHandler({}); // the window goes first
    } catch (const std::exception &error) {
        application.setFaultHandler({});
        std::fprintf(stderr, "ridgepoint: %s\n", error.what());
        QMessageBox::critical(nullptr, QStringLiteral("Ridgepoint"), QString::fromUtf8(error.what()));
        code = 1;
    }
    if (RunController::workerLeftBehind())
        std::_Exit(code); // a driver hangs on the other thread: no destructor may run under it
    return code;
}
