#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# installer/run.sh [PROFILE]: sets up and builds whatever is missing, then opens the profile, or the bundled sample.
# Without a display it writes pictures to build/views instead.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if (($# > 1)) || [[ ${1:-} == -h || ${1:-} == --help ]]; then
    say "Usage: installer/run.sh [PROFILE]"
    say "Opens a profile (a file or a folder), or the bundled sample. Without a display it draws it into build/views."
    [[ ${1:-} == -h || ${1:-} == --help ]] && exit 0
    exit 2
fi

sample=$root/build/release/share/stepscope/sample
profile=${1:-$sample}
if (($# == 1)) && [[ ! -e $profile ]]; then
    say "There is no $profile"
    exit 1
fi

[[ $profile == */* ]] || profile=./$profile # or a file named `info` would be taken for the command

install_packages "${build_packages[@]}"
build_preset release stepscope stepscope_sample
stepscope=$root/build/release/bin/stepscope

if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} || $(uname -s) == Darwin ]]; then
    exec "$stepscope" "$profile"
fi

# Prints the profile's middle step, as step_41; nothing where it has no steps.
middle_step() {
    local steps first last
    steps=$("$stepscope" info "$profile" --json | tr -d ' \n\t' | sed -n 's/.*"steps":{\([^}]*\)}.*/\1/p')
    first=$(sed -n 's/.*"first":"\{0,1\}\(step_\)\{0,1\}\([0-9][0-9]*\).*/\2/p' <<<"$steps")
    last=$(sed -n 's/.*"last":"\{0,1\}\(step_\)\{0,1\}\([0-9][0-9]*\).*/\2/p' <<<"$steps")
    [[ -n $first && -n $last ]] || return 0
    printf 'step_%d\n' $(((first + last) / 2))
}

# draw NAME OPTION...: one picture of the timeline.
draw() {
    local picture=$root/build/views/$1.png
    shift
    "$stepscope" export "$profile" --view timeline "$@" --out "$picture"
    say "  $picture"
}

export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
mkdir -p "$root/build/views"
say "There is no display here, so these pictures were drawn instead of a window:"
draw timeline
step=step_41 # the slow one of the sample
(($# == 0)) || step=$(middle_step)
[[ -z $step ]] || draw "$step" --step "$step"
