# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET rp_torch)
  ridgepoint_test(test_experiments SOURCES experiment_runs.cpp LIBS rp_torch TIMEOUT 300)
  ridgepoint_test(test_experiment_logic SOURCES experiment_logic.cpp LIBS rp_torch)
endif()
