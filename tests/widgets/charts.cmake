# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(charts_gallery EXCLUDE_FROM_ALL charts_gallery.cpp charts_fixture.h)
target_include_directories(charts_gallery PRIVATE "${CMAKE_SOURCE_DIR}")
target_compile_definitions(charts_gallery PRIVATE RIDGEPOINT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_link_libraries(charts_gallery PRIVATE rp_charts)
ridgepoint_test(charts_test SOURCES charts_test.cpp charts_fixture.h LIBS rp_charts Qt6::Svg QCustomPlotQt6::QCustomPlotQt6 GUI)

# The charts' pictures; `refresh_golden` writes them anew.
set(chinese "${CMAKE_CURRENT_BINARY_DIR}/charts_zh_CN.qm")
add_custom_command(OUTPUT "${chinese}"
  COMMAND Qt6::lrelease -silent "${CMAKE_SOURCE_DIR}/resources/translations/ridgepoint_zh_CN.ts" -qm "${chinese}"
  DEPENDS "${CMAKE_SOURCE_DIR}/resources/translations/ridgepoint_zh_CN.ts" VERBATIM)
ridgepoint_test(charts_golden_test SOURCES charts_golden_test.cpp charts_fixture.h "${chinese}" LIBS rp_charts GUI)
target_compile_definitions(charts_golden_test PRIVATE RIDGEPOINT_CHINESE="${chinese}")
add_custom_target(refresh_golden
  COMMAND ${CMAKE_COMMAND} -E env RIDGEPOINT_REFRESH_GOLDEN=1 QT_QPA_PLATFORM=offscreen QT_SCALE_FACTOR=1 LC_ALL=C
    "RIDGEPOINT_RESOURCES=${CMAKE_SOURCE_DIR}/resources" $<TARGET_FILE:charts_golden_test>
  VERBATIM)
