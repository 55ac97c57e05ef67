// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/SqliteFixture.h"

#include <QFile>
#include <sqlite3.h>

namespace stepscope::test
{

OpenDatabase::OpenDatabase(const std::string& path, const QByteArray& sql)
{
    sqlite3* handle = nullptr;
    if (sqlite3_open(path.c_str(), &handle) != SQLITE_OK) qFatal("cannot make a test database");
    m_handle = handle;
    run(sql);
}

OpenDatabase::~OpenDatabase() { sqlite3_close(static_cast<sqlite3*>(m_handle)); }

void OpenDatabase::run(const QByteArray& sql)
{
    char* message = nullptr;
    if (sqlite3_exec(static_cast<sqlite3*>(m_handle), sql.constData(), nullptr, nullptr, &message) != SQLITE_OK)
        qFatal("test database: %s", message);
}

QByteArray databaseOf(const QByteArray& sql)
{
    const TempFolder folder;
    const std::string path = folder.path("made.sqlite");
    {
        const OpenDatabase database(path, "PRAGMA page_size=1024; BEGIN; " + sql + "; COMMIT");
    }
    return contentOf(path);
}

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll();
}

} // namespace stepscope::test
