// SPDX-License-Identifier: GPL-3.0-or-later
#include "LoadController.h"

#include "importers/OpenProfile.h"

#include <QPointer>
#include <QThreadPool>

namespace stepscope
{

/// Shared by the interface and the worker; outlives whichever ends first.
struct LoadController::Job {
    QString path;
    LoadProgress progress;
    std::optional<Result<std::shared_ptr<const Profile>>> outcome; ///< written by the worker before finish() is queued
};

namespace
{

constexpr int kReportEveryMs = 50;

/// How much of the time goes into reading; sorting and linking take the rest.
constexpr double kReadingShare = 0.85;

} // namespace

LoadController::LoadController(QObject* parent) : QObject(parent)
{
    m_timer.setInterval(kReportEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &LoadController::report);
}

LoadController::~LoadController()
{
    if (m_job) m_job->progress.cancel();
}

QString LoadController::path() const { return m_job ? m_job->path : QString(); }

void LoadController::load(const QString& path)
{
    if (m_job) m_job->progress.cancel();
    auto job = std::make_shared<Job>();
    job->path = path;
    m_job = job;
    m_elapsed.start();
    m_timer.start();
    emit started(path);
    QThreadPool::globalInstance()->start([job, self = QPointer<LoadController>(this)] {
        job->outcome.emplace(openProfile(job->path.toStdString(), job->progress));
        QMetaObject::invokeMethod(
            qApp,
            [job, self] {
                if (self) self->finish(job);
            },
            Qt::QueuedConnection);
    });
}

void LoadController::cancel()
{
    if (!m_job) return;
    m_job->progress.cancel();
    m_job.reset();
    m_timer.stop();
    emit cancelled();
}

void LoadController::finish(const std::shared_ptr<Job>& job)
{
    if (job != m_job) { // given up meanwhile
        if (job->outcome->ok()) release(job->outcome->take());
        return;
    }
    m_job.reset();
    m_timer.stop();
    if (!job->outcome->ok()) emit failed(job->outcome->error());
    else if (auto profile = job->outcome->take()) emit loaded(std::move(profile));
    else emit cancelled();
}

void LoadController::report()
{
    if (!m_job) return;
    LoadStatus status;
    status.doneBytes = m_job->progress.doneBytes();
    status.totalBytes = m_job->progress.totalBytes();
    status.slices = m_job->progress.slices();
    status.stage = m_job->progress.stage();
    const double seconds = static_cast<double>(m_elapsed.elapsed()) / 1000;
    if (status.totalBytes > 0 && status.doneBytes > 0 && seconds > 0.5) {
        const double share = static_cast<double>(status.doneBytes) / static_cast<double>(status.totalBytes);
        const double all = seconds / (std::min(share, 1.0) * kReadingShare);
        if (status.stage == LoadStage::Reading) status.secondsLeft = all - seconds;
    }
    emit progressed(status);
}

void LoadController::release(std::shared_ptr<const Profile> profile)
{
    if (profile) QThreadPool::globalInstance()->start([kept = std::move(profile)]() mutable { kept.reset(); });
}

} // namespace stepscope
