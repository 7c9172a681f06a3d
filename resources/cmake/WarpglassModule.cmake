# SPDX-License-Identifier: GPL-3.0-or-later
# One folder, one static library. A folder's CMakeLists.txt names what it may call and nothing else:
# the arrows of the design are checked by the linker and by these lists.

add_library(warpglass_options INTERFACE)
target_include_directories(warpglass_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(warpglass_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers)
# GCC 12 sees overlaps in std::string's operator+ that are not there (its bug 105329).
target_compile_options(warpglass_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Code with sanitizers in it makes GCC warn of overflows that cannot happen; the plain builds watch over warnings.
if(WARPGLASS_WERROR AND NOT WARPGLASS_SANITIZE)
  target_compile_options(warpglass_options INTERFACE -Werror)
endif()
if(WARPGLASS_SANITIZE)
  target_compile_options(warpglass_options INTERFACE -fsanitize=${WARPGLASS_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(warpglass_options INTERFACE -fsanitize=${WARPGLASS_SANITIZE})
endif()

# warpglass_module(NAME [LINK ...]): the library wg_NAME from every .cpp of the calling folder.
function(warpglass_module name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  if(NOT sources) # a folder with headers to come: its name can be linked, it adds nothing
    add_library(wg_${name} INTERFACE)
    target_link_libraries(wg_${name} INTERFACE warpglass_options ${ARG_LINK})
    return()
  endif()
  add_library(wg_${name} STATIC ${sources})
  set_target_properties(wg_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(wg_${name} PUBLIC warpglass_options ${ARG_LINK})
endfunction()

# warpglass_gtest(NAME [LINK ...]): one GoogleTest program from every .cpp of the calling folder; each case is a ctest.
function(warpglass_gtest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_compile_definitions(test_${name} PRIVATE WARPGLASS_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WARPGLASS_BINARY_DIR="${CMAKE_BINARY_DIR}")
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

# warpglass_qtest(FILE [LINK ...]): one Qt Test program from FILE.cpp, run off-screen.
function(warpglass_qtest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${name}.cpp)
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} Qt6::Test)
  target_compile_definitions(${name} PRIVATE WARPGLASS_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WARPGLASS_BINARY_DIR="${CMAKE_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen" TIMEOUT 600)
endfunction()
