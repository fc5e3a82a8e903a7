# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET rp_torch)
  ridgepoint_test(test_experiments SOURCES experiment_runs.cpp LIBS rp_torch TIMEOUT 300)
  ridgepoint_test(test_experiment_logic SOURCES experiment_logic.cpp LIBS rp_torch)
  ridgepoint_test(test_device_faults SOURCES test_device_faults.cpp LIBS rp_torch)
  ridgepoint_test(test_anatomy_run SOURCES test_anatomy_run.cpp LIBS rp_torch TIMEOUT 300)
  # The wrapper of the driver's management library needs no CUDA, only a library to load.
  add_library(fake_nvml MODULE fake_nvml.cpp)
  ridgepoint_test(test_nvml SOURCES test_nvml.cpp "${CMAKE_SOURCE_DIR}/core/cuda/nvml.cpp"
    LIBS rp_engine fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
  target_compile_definitions(test_nvml PRIVATE FAKE_NVML="$<TARGET_FILE:fake_nvml>")
  add_dependencies(test_nvml fake_nvml)
endif()
