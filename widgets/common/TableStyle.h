// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace stepscope
{

/// The look of every table of the program: one line a row, no grid, cells with room between them, left-aligned
/// headings; rows are chosen one at a time.
void styleTable(QTableView& table);

} // namespace stepscope
