# SPDX-License-Identifier: GPL-3.0-or-later
# One folder, one static library. A folder's CMakeLists.txt names what it may call and nothing else:
# the arrows of the design are checked by the linker and by these lists.

add_library(warpglass_options INTERFACE)
target_include_directories(warpglass_options INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
  $<INSTALL_INTERFACE:include/warpglass>)
target_compile_features(warpglass_options INTERFACE cxx_std_20)
# What follows is about building Warpglass; who uses its libraries has options of their own.
target_compile_options(warpglass_options INTERFACE
  $<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wno-missing-field-initializers>)
# GCC 12 sees overlaps and overflows in std::string's inlined copies that are not there (its bug 105329); inside a
# precompiled header it no longer knows them for the system's.
target_compile_options(warpglass_options INTERFACE
  $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>>)
# Code with sanitizers in it makes GCC warn of overflows that cannot happen; the plain builds watch over warnings.
if(WARPGLASS_WERROR AND NOT WARPGLASS_SANITIZE)
  target_compile_options(warpglass_options INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(WARPGLASS_SANITIZE)
  target_compile_options(warpglass_options INTERFACE -fsanitize=${WARPGLASS_SANITIZE} -fno-omit-frame-pointer)
  if(WARPGLASS_SANITIZE MATCHES "undefined")
    # A check before every access through a pointer: more than half of the time to compile. A null pointer or an object
    # that is too small stops under the address sanitizer as well.
    target_compile_options(warpglass_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  target_link_options(warpglass_options INTERFACE -fsanitize=${WARPGLASS_SANITIZE})
endif()

# Precompiled headers: what most files of a kind read, parsed once. warpglass_pch (no Qt), warpglass_pch_gtest,
# warpglass_pch_qt and warpglass_pch_qttest are made on first use; targets with other compiler options make their own.
# Sources still include what they use: a file compiles without any of this (CMAKE_DISABLE_PRECOMPILE_HEADERS=ON).
set(warpglass_std_headers <algorithm> <array> <cstdint> <cstring> <functional> <map> <memory> <optional> <span> <string>
  <string_view> <unordered_map> <utility> <variant> <vector>)
function(warpglass_pch_target name)
  if(TARGET ${name})
    return()
  endif()
  set(headers ${warpglass_std_headers})
  set(link warpglass_options)
  if(name MATCHES "gtest")
    list(APPEND headers <gtest/gtest.h>)
    list(APPEND link GTest::gtest)
  endif()
  if(name MATCHES "qttest")
    list(APPEND headers <QtTest> <QtWidgets>)
    list(APPEND link Qt6::Widgets Qt6::Test)
  elseif(name MATCHES "qt")
    list(APPEND headers <QtGui> <QWidget>)
    list(APPEND link Qt6::Widgets)
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/pch/${name}.cpp CONTENT "// only carries a precompiled header\n")
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/pch/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${link})
  target_precompile_headers(${name} PRIVATE ${headers})
  if(name MATCHES "test$") # of the tests alone
    target_compile_options(${name} PRIVATE ${WARPGLASS_TEST_OPTIONS})
  endif()
  if(name MATCHES "qttest")
    warpglass_without_test_folders(${name})
  endif()
endfunction()
# Qt defines macros with a test program's folders, which its test header reads: nothing here asks for them, and programs that
# differ in them could not share a precompiled header.
function(warpglass_without_test_folders target)
  target_compile_options(${target} PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
endfunction()
function(warpglass_reuse_pch target name)
  warpglass_pch_target(${name})
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# warpglass_sources(OUT ROOM...): the sources and headers of these subfolders of the calling folder ("." is itself).
function(warpglass_sources out)
  set(found)
  foreach(room IN LISTS ARGN)
    file(GLOB more CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.h)
    list(APPEND found ${more})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# CMake looks for Q_OBJECT again when a file that it knows has changed, not when there is a new one: with another list of
# sources than at the last configuring, its mark of being done goes.
function(warpglass_look_again target sources)
  set(known ${CMAKE_CURRENT_BINARY_DIR}/${target}.sources)
  set(before)
  if(EXISTS ${known})
    file(READ ${known} before)
  endif()
  if(NOT "${before}" STREQUAL "${sources}")
    file(REMOVE ${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/timestamp)
    file(WRITE ${known} "${sources}")
  endif()
endfunction()

# warpglass_library(TARGET SOURCES ... LINK ... [OWN_PCH | PCH_OF TARGET]): precompiled headers by what it links, of its own,
# or those of another target with the same options; moc only where a header says Q_OBJECT.
function(warpglass_library target)
  cmake_parse_arguments(ARG "OWN_PCH" "PCH_OF" "SOURCES;LINK" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PUBLIC warpglass_options ${ARG_LINK})
  set(pch warpglass_pch)
  if("${ARG_LINK}" MATCHES "Qt6::|wg_view")
    set(pch warpglass_pch_qt)
  endif()
  if(ARG_OWN_PCH)
    target_precompile_headers(${target} PRIVATE ${warpglass_std_headers})
  elseif(ARG_PCH_OF)
    target_precompile_headers(${target} REUSE_FROM ${ARG_PCH_OF})
  else()
    warpglass_reuse_pch(${target} ${pch})
  endif()
  foreach(file IN LISTS ARG_SOURCES)
    if(file MATCHES "\\.h$")
      file(STRINGS ${file} objects REGEX "Q_OBJECT")
      if(objects)
        set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOGEN_ORIGIN_DEPENDS OFF)
        warpglass_look_again(${target} "${ARG_SOURCES}")
        break()
      endif()
    endif()
  endforeach()
endfunction()

# warpglass_closed(TARGET): the linker shows that a library calls nothing but what it links: all of it, with only that, leaves
# no name open. (A program links everything, so that nobody would notice there.)
function(warpglass_closed target)
  if(NOT WARPGLASS_TESTS OR WARPGLASS_SANITIZE OR WARPGLASS_COVERAGE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/closed/empty.cpp CONTENT "// a library is made of another one's objects\n")
  add_library(${target}_closed MODULE ${CMAKE_BINARY_DIR}/closed/empty.cpp)
  set_target_properties(${target}_closed PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/closed)
  target_link_libraries(${target}_closed PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,${target}>)
  target_link_options(${target}_closed PRIVATE LINKER:-z,defs)
endfunction()

# warpglass_module(NAME [ROOMS ...] [LINK ...] [OWN_PCH]): the library wg_NAME from every .cpp of the calling folder and
# of the subfolders named as its rooms.
function(warpglass_module name)
  cmake_parse_arguments(ARG "OWN_PCH" "" "ROOMS;LINK" ${ARGN})
  warpglass_sources(sources . ${ARG_ROOMS})
  set(own)
  if(ARG_OWN_PCH)
    set(own OWN_PCH)
  endif()
  warpglass_library(wg_${name} SOURCES ${sources} LINK ${ARG_LINK} ${own})
endfunction()

# Code whose speed is measured: -O3 where the rest has -O2.
function(warpglass_hot target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_FLAGS_RELEASE MATCHES "-O2")
    target_compile_options(${target} PRIVATE -O3)
  endif()
endfunction()

# Code that waits for people: -O1 where the rest has -O2, in two thirds of the time to compile. What draws is in views/.
function(warpglass_unhurried target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_FLAGS_RELEASE MATCHES "-O2")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# warpglass_program(TARGET [PCH]): executables use the libraries' precompiled headers: the same kind of position
# independence, therefore.
function(warpglass_program target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  if(ARGN)
    warpglass_reuse_pch(${target} ${ARGN})
  endif()
endfunction()
# The presets compile the tests themselves with -O1, in a third less time; what they test stays as it is.
function(warpglass_test_program target)
  warpglass_program(${target} ${ARGN})
  # Compiled several at a time, a file's unnamed namespace looks to GCC like a header's.
  target_compile_options(${target} PRIVATE ${WARPGLASS_TEST_OPTIONS}
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  target_compile_definitions(${target} PRIVATE WARPGLASS_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WARPGLASS_BINARY_DIR="${CMAKE_BINARY_DIR}")
endfunction()

# warpglass_gtest(NAME [LONG] [LINK ...]): one GoogleTest program from every .cpp of the calling folder; each case is a
# ctest, under the label "long" if that is said.
function(warpglass_gtest name)
  cmake_parse_arguments(ARG "LONG" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  warpglass_test_program(test_${name} warpglass_pch_gtest)
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(ARG_LONG)
    set(label LABELS long)
  endif()
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
    PROPERTIES ${warpglass_test_properties} ${label})
endfunction()

# warpglass_qtests(NAME [LINK ...]): one Qt Test program from every .cpp of the calling folder, run off-screen; each
# test_*.cpp is a ctest with a process of its own.
function(warpglass_qtests name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(test_${name} ${sources} ${CMAKE_SOURCE_DIR}/tests/qt_tests.cpp)
  warpglass_test_program(test_${name} warpglass_pch_qttest)
  warpglass_without_test_folders(test_${name})
  # Each test class ends with its own moc output.
  set_target_properties(test_${name} PROPERTIES AUTOMOC ON AUTOGEN_ORIGIN_DEPENDS OFF)
  warpglass_look_again(test_${name} "${sources}")
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} Qt6::Test)
  foreach(file IN LISTS sources)
    get_filename_component(file ${file} NAME_WE)
    if(file MATCHES "^test_")
      add_test(NAME ${file} COMMAND test_${name} ${file})
      set_tests_properties(${file} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen" ${warpglass_test_properties})
    endif()
  endforeach()
endfunction()
