# SPDX-License-Identifier: GPL-3.0-or-later
# The project's own ways of declaring a library and a test, so that flags and layers are stated once.
set(RIDGEPOINT_WARNINGS -Wall -Wextra -Wpedantic -Wshadow=local -Wnon-virtual-dtor)
if(RIDGEPOINT_WERROR)
  list(APPEND RIDGEPOINT_WARNINGS -Werror)
endif()
# nvcc has options of its own.
set(RIDGEPOINT_WARNINGS "$<$<COMPILE_LANGUAGE:CXX>:${RIDGEPOINT_WARNINGS}>")

# ridgepoint_library(NAME sources... ): a static library of one layer.
function(ridgepoint_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${RIDGEPOINT_WARNINGS})
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
