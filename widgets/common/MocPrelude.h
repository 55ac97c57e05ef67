// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Qt's moc 6.4 stumbles over libstdc++'s <concepts> unless it has read the library's own configuration before.
#include <version>
