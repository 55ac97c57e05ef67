#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fails on an #include that points the wrong way: model knows no Qt and no widgets; widgets know no importers.
set -u
cd "$1" || exit 2
bad=0
forbid() { # folder, pattern, reason
    if grep -rnE "^#include [<\"]($2)" "$1" --include='*.h' --include='*.cpp'; then
        echo "forbidden: $3" >&2
        bad=1
    fi
}
forbid model 'Q[A-Z]|Qt|GL/|widgets/|app/|cli/' "model must not know Qt, widgets or app"
forbid model/core 'io/|profile/|importers/|analysis/' "model/core stands below everything else"
forbid model/io 'profile/|importers/|analysis/' "model/io knows only model/core"
forbid model/profile 'importers/|analysis/' "model/profile knows only core and io"
forbid model/analysis 'importers/' "model/analysis must not know importers"
if [ -d widgets ]; then forbid widgets 'importers/|cli/|MainWindow' "widgets must not know importers or app"; fi
exit $bad
