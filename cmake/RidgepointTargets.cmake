# SPDX-License-Identifier: GPL-3.0-or-later
# The project's own ways of declaring a library and a test, so that flags and layers are stated once.
set(RIDGEPOINT_WARNINGS -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -Wnon-virtual-dtor)
if(RIDGEPOINT_WERROR)
  list(APPEND RIDGEPOINT_WARNINGS -Werror)
endif()
# nvcc has options of its own.
set(RIDGEPOINT_WARNINGS "$<$<COMPILE_LANGUAGE:CXX>:${RIDGEPOINT_WARNINGS}>")

# Reading headers is more than half of a compilation here. ccache keeps objects better without precompiled ones.
set(RIDGEPOINT_PCH ON)
if("${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "ccache")
  set(RIDGEPOINT_PCH OFF)
endif()
option(RIDGEPOINT_PRECOMPILED "Precompile the headers that most sources include" ${RIDGEPOINT_PCH})
set(RIDGEPOINT_STD_HEADERS <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory>
    <optional> <set> <string> <string_view> <utility> <vector> <fmt/format.h>)

# ridgepoint_headers(NAME headers... ): precompiles the standard library's and fmt's headers and these for a target;
# ridgepoint_headers_of(NAME OWNER) uses those of another target that is compiled with the same options.
function(ridgepoint_headers name)
  if(RIDGEPOINT_PRECOMPILED)
    target_precompile_headers(${name} PRIVATE ${RIDGEPOINT_STD_HEADERS} ${ARGN})
  endif()
endfunction()
function(ridgepoint_headers_of name owner)
  if(RIDGEPOINT_PRECOMPILED)
    target_precompile_headers(${name} REUSE_FROM ${owner})
  endif()
endfunction()

# ridgepoint_library(NAME sources... ): a static library of one layer.
function(ridgepoint_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${RIDGEPOINT_WARNINGS})
endfunction()

# ridgepoint_test_library(NAME sources... LIBS libs...): what several tests share, compiled once.
function(ridgepoint_test_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_LIBS} Qt6::Test)
  target_compile_options(${name} PRIVATE ${RIDGEPOINT_WARNINGS})
  ridgepoint_test_headers(${name} "" "${arg_LIBS}")
endfunction()

# The tests share two sets of headers, without and with widgets. What is compiled against libtorch's own flags has none.
function(ridgepoint_test_headers name gui libs)
  if(NOT RIDGEPOINT_PRECOMPILED OR "rp_libtorch" IN_LIST libs)
    return()
  endif()
  set(owner rp_test_headers)
  set(headers <QtTest>)
  if(gui)
    set(owner rp_gui_test_headers)
    set(headers <QtWidgets> <QtTest>)
  endif()
  # Qt names each target's own folders by these; nothing here asks for them, and they would keep the headers from being shared.
  set(own_folders -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/${owner}.cpp" CONTENT "")
    add_library(${owner} STATIC "${CMAKE_BINARY_DIR}/${owner}.cpp")
    target_compile_options(${owner} PRIVATE ${RIDGEPOINT_WARNINGS} ${own_folders})
    target_link_libraries(${owner} PRIVATE rp_base Qt6::Test)
    if(gui)
      target_link_libraries(${owner} PRIVATE Qt6::Widgets)
    endif()
    ridgepoint_headers(${owner} ${headers})
  endif()
  target_compile_options(${name} PRIVATE ${own_folders})
  ridgepoint_headers_of(${name} ${owner})
endfunction()

# ridgepoint_test(NAME sources... LIBS libs... [GUI]): one Qt Test executable, C locale; GUI ones on the offscreen
# platform with the pinned font of tests/fixtures/fonts.
function(ridgepoint_test name)
  cmake_parse_arguments(arg "GUI" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_compile_options(${name} PRIVATE ${RIDGEPOINT_WARNINGS})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE RIDGEPOINT_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             RIDGEPOINT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Qt6::Test)
  ridgepoint_test_headers(${name} "${arg_GUI}" "${arg_LIBS}")
  add_test(NAME ${name} COMMAND ${name})
  set(env "LC_ALL=C;TZ=UTC;RIDGEPOINT_RESOURCES=${CMAKE_SOURCE_DIR}/resources")
  if(arg_GUI)
    list(APPEND env "QT_QPA_PLATFORM=offscreen;QT_SCALE_FACTOR=1")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${env}" TIMEOUT ${arg_TIMEOUT})
endfunction()
