# SPDX-License-Identifier: GPL-3.0-or-later
# Finds where libtorch is, and what all parts of the program must know of it before any of them is declared.
#
# TorchConfig.cmake looks its libraries up on the system's path before its own folder, so a libtorch of a Python package
# beside the distribution's would be compiled against one and linked against the other. The cache entries it respects are
# therefore set first, from the folder that the chosen package lies in.
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
  if(EXISTS "${_torch_prefix}/lib/libtorch_cuda.so")
    set(RIDGEPOINT_TORCH_HAS_CUDA TRUE)
  endif()
  # PyTorch's own packages before 2.7 have the strings of libstdc++'s old ABI in their interface. What links the engine's parts
  # must be compiled alike, and fmt, which the distribution built with the new one, be used from its headers.
  file(STRINGS "${Torch_DIR}/TorchConfig.cmake" _old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  if(_old_abi)
    if(RIDGEPOINT_GUI)
      message(FATAL_ERROR "The libtorch at ${_torch_prefix} was built with libstdc++'s old ABI (as PyTorch's packages before "
        "2.7 are), which the window cannot share. Use PyTorch 2.7 or newer, or build without the window: "
        "packaging/headless.sh, or -DRIDGEPOINT_GUI=OFF.")
    endif()
    add_compile_definitions(_GLIBCXX_USE_CXX11_ABI=0 FMT_HEADER_ONLY=1)
  endif()
endif()
