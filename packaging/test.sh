#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs every test. Arguments go to ctest (-R NAME, -j N ...).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages
build --target all
cd "$BUILD"
exec ctest --output-on-failure --no-tests=error "$@"
