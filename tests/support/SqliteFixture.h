// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/TempFiles.h"

#include <QByteArray>
#include <string>

namespace stepscope::test
{

/// The bytes of a database that these statements make. Fails the test program if one of them is wrong.
[[nodiscard]] QByteArray databaseOf(const QByteArray& sql);

/// Writes such a database into the folder and leaves it open in write-ahead mode, with rows in its log; closed with the
/// object.
class OpenDatabase
{
public:
    OpenDatabase(const std::string& path, const QByteArray& sql);
    ~OpenDatabase();
    OpenDatabase(const OpenDatabase&) = delete;
    OpenDatabase& operator=(const OpenDatabase&) = delete;
    void run(const QByteArray& sql);

private:
    void* m_handle = nullptr;
};

[[nodiscard]] QByteArray contentOf(const std::string& path);

} // namespace stepscope::test
