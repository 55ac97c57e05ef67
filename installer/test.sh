#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# installer/test.sh [CTEST OPTION...]: sets up whatever is missing, builds everything, and runs all tests: first as
# released, then those of the model under the address and undefined-behaviour sanitizers.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_packages "${build_packages[@]}" "${test_packages[@]}"
build_preset release
build_preset asan

with_display=()
if [[ $(uname -s) != Darwin ]]; then
    # The tests draw with OpenGL, always through Mesa's software renderer: the same pictures on every machine.
    export QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1
    [[ -n ${DISPLAY:-} ]] || with_display=(xvfb-run -a -s "-screen 0 1920x1200x24 +extension GLX")
fi
if [[ -z ${XDG_RUNTIME_DIR:-} ]]; then
    # Qt warns without one, and a warning fails a test.
    XDG_RUNTIME_DIR=$(mktemp -d)
    export XDG_RUNTIME_DIR
    trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi

cd "$root"
${with_display[@]+"${with_display[@]}"} ctest --preset release --output-on-failure "$@"
ctest --preset asan --output-on-failure
