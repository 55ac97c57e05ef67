// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Progress.h"
#include "core/Result.h"
#include "profile/Profile.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

namespace stepscope
{

struct LoadStatus {
    std::uint64_t doneBytes = 0;
    std::uint64_t totalBytes = 0;
    std::uint64_t slices = 0;
    LoadStage stage = LoadStage::Reading;
    std::optional<double> secondsLeft; ///< once there is something to judge by
};

/// Opens profiles on a worker thread, one at a time. Whatever the worker is doing, the interface goes on: cancel()
/// takes effect here at once, and a worker that is given up ends by itself.
class LoadController : public QObject
{
    Q_OBJECT
public:
    explicit LoadController(QObject* parent = nullptr);
    ~LoadController() override;

    /// Gives up what is being loaded, if anything, and starts anew.
    void load(const QString& path);
    void cancel();
    [[nodiscard]] bool loading() const { return m_job != nullptr; }
    [[nodiscard]] QString path() const;

    /// Lets go of a profile on a worker thread: freeing gigabytes takes a while.
    static void release(std::shared_ptr<const Profile> profile);

signals:
    void started(const QString& path);
    void progressed(const stepscope::LoadStatus& status);
    void loaded(std::shared_ptr<const stepscope::Profile> profile);
    void failed(const stepscope::Error& error);
    void cancelled();

private:
    struct Job;
    void finish(const std::shared_ptr<Job>& job);
    void report();

    std::shared_ptr<Job> m_job;
    QTimer m_timer;
    QElapsedTimer m_elapsed;
};

} // namespace stepscope
