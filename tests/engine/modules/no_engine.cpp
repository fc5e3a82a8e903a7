// SPDX-License-Identifier: GPL-3.0-or-later
// A library that is no engine.
extern "C" int ridgepoint_test_nothing()
{
    return 1;
}
