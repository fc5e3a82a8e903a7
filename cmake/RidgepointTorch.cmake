# SPDX-License-Identifier: GPL-3.0-or-later
# Finds libtorch and offers it as the target rp_libtorch.
#
# TorchConfig.cmake looks its libraries up on the system's path before its own folder, so a libtorch of a Python package
# beside the distribution's would be compiled against one and linked against the other. The cache entries it respects are
# therefore set first, from the folder that the chosen package lies in.
if(RIDGEPOINT_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "75;80;86;89;90;100;120" CACHE STRING "Compute capabilities to compile for")
  endif()
  if(NOT DEFINED TORCH_CUDA_ARCH_LIST)
    # TorchConfig wants the same list in its own spelling: 75 -> 7.5, 120 -> 12.0.
    set(_list "")
    foreach(_arch IN LISTS CMAKE_CUDA_ARCHITECTURES)
      string(REGEX REPLACE "([0-9])[af]?(-real|-virtual)?$" ".\\1" _dotted "${_arch}")
      list(APPEND _list "${_dotted}")
    endforeach()
    set(TORCH_CUDA_ARCH_LIST "${_list}")
  endif()
  # What TorchConfig does to the CUDA language must not undo the list above.
  set(_ridgepoint_cuda_architectures "${CMAKE_CUDA_ARCHITECTURES}")
  # The runtime that libtorch uses too: two copies in one process would each keep their own books.
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()

if(NOT Torch_DIR)
  find_path(Torch_DIR TorchConfig.cmake PATH_SUFFIXES Torch cmake/Torch share/cmake/Torch lib/cmake/Torch)
  if(NOT Torch_DIR)
    unset(Torch_DIR CACHE)
  endif()
endif()
if(Torch_DIR)
  get_filename_component(_torch_prefix "${Torch_DIR}/../../.." ABSOLUTE)
  if(EXISTS "${_torch_prefix}/lib/libtorch.so")
    set(TORCH_LIBRARY "${_torch_prefix}/lib/libtorch.so" CACHE FILEPATH "libtorch of the chosen package")
    set(c10_LIBRARY "${_torch_prefix}/lib/libc10.so" CACHE FILEPATH "libc10 of the chosen package")
    set(RIDGEPOINT_TORCH_LIBDIR "${_torch_prefix}/lib")
  endif()
endif()

find_package(Torch QUIET)
if(NOT Torch_FOUND)
  message(FATAL_ERROR "libtorch was not found. Install libtorch-dev and libopenblas0-pthread, or give the folder that "
    "`python3 -c \"import torch; print(torch.utils.cmake_prefix_path)\"` prints as -DCMAKE_PREFIX_PATH=..., "
    "or build without the engine by -DRIDGEPOINT_ENGINE=OFF (the program then predicts but cannot measure).")
endif()
if(RIDGEPOINT_CUDA)
  set(CMAKE_CUDA_ARCHITECTURES "${_ridgepoint_cuda_architectures}")
  # TorchConfig puts -gencode flags of its own into the CUDA flags; the architectures above say it already.
  string(REGEX REPLACE "-gencode[ ;]arch=[^ ;]+" "" CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS}")
  if(NOT TARGET c10_cuda AND NOT TARGET torch::cudart AND NOT TORCH_CUDA_LIBRARIES)
    message(FATAL_ERROR "The libtorch at ${Torch_DIR} was built without CUDA. Point CMAKE_PREFIX_PATH at one that has it "
      "(the folder printed by `python3 -c \"import torch; print(torch.utils.cmake_prefix_path)\"`), or use the release preset.")
  endif()
endif()
message(STATUS "libtorch ${Torch_VERSION}: ${TORCH_LIBRARY}")

add_library(rp_libtorch INTERFACE)
target_link_libraries(rp_libtorch INTERFACE ${TORCH_LIBRARIES})
target_include_directories(rp_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_compile_options(rp_libtorch INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${TORCH_CXX_FLAGS}>)
foreach(_include IN LISTS TORCH_INCLUDE_DIRS)
  if(EXISTS "${_include}/fmt/format.h")
    # A Python torch brings headers of a fmt of its own, found before the system's, and no library to them.
    target_compile_definitions(rp_libtorch INTERFACE FMT_HEADER_ONLY=1)
  endif()
endforeach()
if(RIDGEPOINT_CUDA)
  target_compile_definitions(rp_libtorch INTERFACE RIDGEPOINT_WITH_CUDA=1)
  target_link_libraries(rp_libtorch INTERFACE CUDA::cudart)
  # libtorch_cuda needs libraries (cuDNN, NCCL, ...) that are found at run time, beside the user's torch.
  target_link_options(rp_libtorch INTERFACE -Wl,--allow-shlib-undefined)
endif()
