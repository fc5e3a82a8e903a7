# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(charts_gallery EXCLUDE_FROM_ALL charts_gallery.cpp charts_fixture.h)
target_include_directories(charts_gallery PRIVATE "${CMAKE_SOURCE_DIR}")
target_compile_definitions(charts_gallery PRIVATE RIDGEPOINT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_link_libraries(charts_gallery PRIVATE rp_charts)
ridgepoint_test(charts_test SOURCES charts_test.cpp charts_fixture.h LIBS rp_charts Qt6::Svg QCustomPlotQt6::QCustomPlotQt6 GUI)
