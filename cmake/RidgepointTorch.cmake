# SPDX-License-Identifier: GPL-3.0-or-later
# Offers the libtorch that RidgepointTorchLocation.cmake found as the target rp_libtorch.
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
  if(NOT TARGET CUDA::nvToolsExt AND TARGET CUDA::nvtx3)
    # The TorchConfig of older PyTorch names the library that later toolkits replaced by headers.
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
    target_link_libraries(CUDA::nvToolsExt INTERFACE CUDA::nvtx3)
  endif()
endif()

if(RIDGEPOINT_TORCH_HAS_CUDA AND NOT RIDGEPOINT_CUDA)
  # TorchConfig of a libtorch with CUDA wants the whole toolkit, which an engine for the CPU does not need.
  set(Torch_FOUND TRUE)
  set(TORCH_LIBRARIES "${_torch_prefix}/lib/libtorch_cpu.so" "${c10_LIBRARY}")
  set(TORCH_INCLUDE_DIRS "${_torch_prefix}/include" "${_torch_prefix}/include/torch/csrc/api/include")
  include("${Torch_DIR}/TorchConfigVersion.cmake" OPTIONAL)
  set(Torch_VERSION "${PACKAGE_VERSION}")
else()
  find_package(Torch QUIET)
endif()
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
endif()
if(RIDGEPOINT_TORCH_HAS_CUDA)
  # It needs libraries (cuDNN, NCCL, CUPTI, ...) that are found at run time, beside the user's torch.
  target_link_options(rp_libtorch INTERFACE -Wl,--allow-shlib-undefined)
endif()
