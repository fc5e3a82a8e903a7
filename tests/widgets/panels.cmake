# SPDX-License-Identifier: GPL-3.0-or-later
foreach(panel IN ITEMS experiment_panel what_if_panel explanation_panel record_tables)
  ridgepoint_test(panels_${panel} SOURCES panels_${panel}.cpp panels_test.h charts_fixture.h LIBS rp_panels GUI)
endforeach()

# Pictures of the panels; a program to run by hand, not a test.
add_executable(panels_gallery EXCLUDE_FROM_ALL panels_gallery.cpp charts_fixture.h)
target_include_directories(panels_gallery PRIVATE "${CMAKE_SOURCE_DIR}")
target_compile_definitions(panels_gallery PRIVATE RIDGEPOINT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_link_libraries(panels_gallery PRIVATE rp_panels)
