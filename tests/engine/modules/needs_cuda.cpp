// SPDX-License-Identifier: GPL-3.0-or-later
// An engine module whose library is not found at run time, as on a machine whose libtorch is for the CPU alone.
extern "C" int ridgepoint_test_nothing();

extern "C" int ridgepoint_engine_abi()
{
    return ridgepoint_test_nothing();
}
