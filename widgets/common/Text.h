// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <string_view>

namespace stepscope
{

/// The model's UTF-8 as Qt's text.
[[nodiscard]] inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "1 host", "2 hosts": `one` as it stands, `many` with its %1 replaced.
[[nodiscard]] QString counted(std::uint64_t count, const QString& one, const QString& many);

/// A name cut to what tells it apart in a narrow box: no return type, template arguments, parameters, namespaces or
/// folders ("void at::native::foo<4>(int)" -> "foo", "torch/nn/module.py(3): call" -> "module.py(3): call",
/// "aten::add" -> "add").
[[nodiscard]] std::string_view shortName(std::string_view name);

} // namespace stepscope
