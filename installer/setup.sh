# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
# Sourced by run.sh and test.sh: installs what is missing and builds. Says nothing when there is nothing to do; what the
# tools say goes to build/setup.log and build/<preset>.log, whose ends are printed when one of them fails.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# What building needs (Debian 12 or later, Ubuntu 24.04 or later), and what the tests need on top.
build_packages=(
    cmake ninja-build g++ ccache pkg-config
    qt6-base-dev libqt6opengl6-dev qt6-svg-dev
    libsimdjson-dev libzstd-dev libisal-dev libarchive-dev zlib1g-dev nlohmann-json3-dev libbenchmark-dev
    libsqlite3-dev libprotobuf-dev protobuf-compiler
    libgl-dev libgl1-mesa-dri fonts-dejavu-core
)
test_packages=(xvfb xauth libxcb-cursor0)
brew_packages=(cmake ninja ccache pkgconf qt simdjson zstd isa-l libarchive nlohmann-json google-benchmark protobuf)

# (An empty array counts as unset in the bash of macOS, hence ${array[@]+...}.)

say() { printf '%s\n' "$*" >&2; }

# quietly LOG COMMAND...: runs the command with its output in build/LOG; on failure prints the end of it and gives up.
quietly() {
    local log=$root/build/$1 status=0
    shift
    mkdir -p "$root/build"
    "$@" >>"$log" 2>&1 </dev/null || status=$?
    ((status == 0)) && return 0
    say "This failed: $*"
    tail -n 40 "$log" >&2
    say "The whole log is in $log"
    exit 1
}

# Prints those of the given Debian packages that are not installed.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true)
    printf '%s\n' "$@" | grep -vxF -f <(printf '%s\n' "$installed" | sed '/^$/d') || true
}

install_debian_packages() {
    local missing as_root=() name known=() unknown=$root/build/unknown-packages
    missing=$(missing_packages "$@")
    if [[ -n $missing && -f $unknown ]]; then missing=$(grep -vxF -f "$unknown" <<<"$missing" || true); fi
    [[ -z $missing ]] && return 0
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            say "These packages are missing, and there is no sudo to install them with:" "${missing//$'\n'/ }"
            exit 1
        fi
        say "Installing with sudo:" "${missing//$'\n'/ }"
        sudo -v
        as_root=(sudo)
    else
        say "Installing:" "${missing//$'\n'/ }"
    fi
    quietly setup.log ${as_root[@]+"${as_root[@]}"} apt-get update
    for name in $missing; do
        # A later release may have merged one package into another: what apt does not know is not asked for again.
        if [[ -n $(apt-cache show "$name" 2>/dev/null) ]]; then
            known+=("$name")
        else
            printf '%s\n' "$name" >>"$unknown"
        fi
    done
    ((${#known[@]} == 0)) && return 0
    quietly setup.log ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "${known[@]}"
}

install_brew_packages() {
    if ! command -v brew >/dev/null; then
        say "Homebrew (https://brew.sh) is needed, and then: brew install ${brew_packages[*]}"
        exit 1
    fi
    if ! brew list --versions "${brew_packages[@]}" >/dev/null 2>&1; then
        say "Installing: ${brew_packages[*]}"
        quietly setup.log brew install "${brew_packages[@]}"
    fi
    local prefix
    prefix=$(brew --prefix)
    export CMAKE_PREFIX_PATH="$prefix${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
}

# install_packages PACKAGE...: the Debian names; other systems get all that Stepscope needs.
install_packages() {
    [[ -n ${STEPSCOPE_SKIP_SETUP:-} ]] && return 0
    if [[ $(uname -s) == Darwin ]]; then
        install_brew_packages
    elif command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
        install_debian_packages "$@"
    else
        say "This system has neither apt nor Homebrew. Please install, under the names that it has for them:"
        say "  a C++20 compiler, cmake 3.22, ninja, pkg-config; ccache if you like"
        say "  Qt 6.4 or later with OpenGL and SVG: qtbase and qtsvg, development files included"
        say "  simdjson, zstd, isa-l, zlib, sqlite, google-benchmark, libarchive, protobuf with its compiler, development files included"
        say "  an OpenGL driver (Mesa), the DejaVu fonts; for the tests also xvfb, xauth and xcb-util-cursor"
        say "In Debian they are called: $*"
        say "Then start this again with STEPSCOPE_SKIP_SETUP=1 in the environment."
        exit 1
    fi
}

# build_preset PRESET [TARGET...]: configures where that has not been done (ninja does it again when a list of sources
# changes), and builds the targets, or everything.
build_preset() {
    local preset=$1 folder=$root/build/$1 targets=()
    shift
    (($# > 0)) && targets=(--target "$@")
    # A tree that was copied or moved here with its project does not work in the new place.
    if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        rm -rf "$folder"
    fi
    mkdir -p "$root/build"
    : >"$root/build/$preset.log"
    cd "$root" || exit 1
    if [[ ! -f $folder/build.ninja ]]; then
        say "Building Stepscope ($preset) for the first time. This takes a few minutes."
        quietly "$preset.log" cmake --preset "$preset"
    fi
    quietly "$preset.log" cmake --build --preset "$preset" ${targets[@]+"${targets[@]}"}
    cd "$OLDPWD" || exit 1
}
