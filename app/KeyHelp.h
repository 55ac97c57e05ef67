// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace stepscope
{

/// The list of keys and gestures.
class KeyHelp : public QDialog
{
    Q_OBJECT
public:
    explicit KeyHelp(QWidget* parent = nullptr);
};

} // namespace stepscope
