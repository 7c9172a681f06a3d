# SPDX-License-Identifier: GPL-3.0-or-later
# For projects of your own: tests that record a CUDA program with Warpglass, and its libraries (below).
#
#   find_package(Warpglass REQUIRED PATHS /path/to/warpglass/resources/cmake)   # or include() this file
#   enable_testing()
#   add_executable(app app.cu)
#   warpglass_add_recording(app.recorded app ARGS 4096)
#
# ctest then runs app on Warpglass' virtual device, without a GPU, and leaves app.recorded/program.wgt in the build
# folder. The test passes or fails as the program does.
#
#   warpglass_add_recording(NAME TARGET
#     [ARGS word...]            the program's arguments
#     [OUTPUT path]             a folder, or FILE.wgt; else NAME in the current build folder
#     [KERNEL regex]            record launches of these kernels only
#     [LAUNCHES 0,3,10-12]      launches that are recorded in detail; else the first of each kernel
#     [DETAIL words]            none, auto, all or block:B,...
#     [BACKEND name] [DEVICE name]
#     [ACCESSES] [TIMING]       record addresses and values; run the timing model
#     [OPTIONS word...]         further options of `warpglass-record program`
#     [WORKING_DIRECTORY path])
#
#   warpglass_add_budgets(NAME SPEC
#     [ONLY name...]            these entries alone
#     [JUNIT path] [SARIF path] [MARKDOWN path] [KEEP folder])
#
# ctest then holds kernels and programs to the numbers that SPEC promises of them (docs/expect.md); the target NAME.update
# writes today's into it.
#
# TARGET gets CUDA's runtime as a shared library (CUDA_RUNTIME_LIBRARY Shared), which the virtual device stands in for.
#
# Programs of your own that emulate kernels, read recordings or name metrics:
#
#   find_package(Warpglass REQUIRED COMPONENTS Libraries)     # of an installed Warpglass (libwarpglass-dev)
#   target_link_libraries(mine PRIVATE Warpglass::kernels Warpglass::emulator Warpglass::metrics)
#
# Libraries: base device trace ptx launch fatbin program kernels emulator metrics probe; headers are "gpu/trace/trace.h"
# and so on, each with an essay at its head. Their interfaces may change with each version.

find_program(WARPGLASS_RECORD warpglass-record DOC "The program that records CUDA programs"
  HINTS ${WARPGLASS_ROOT} ENV WARPGLASS_ROOT ${CMAKE_CURRENT_LIST_DIR}/../..
  ${CMAKE_CURRENT_LIST_DIR}/../../.. # bin beside lib/cmake/Warpglass, as it is installed
  PATH_SUFFIXES bin build/bin ../bin)
if(WARPGLASS_RECORD)
  set(Warpglass_FOUND TRUE)
else()
  set(Warpglass_FOUND FALSE)
  set(Warpglass_NOT_FOUND_MESSAGE "warpglass-record was not found; set WARPGLASS_RECORD to it, or WARPGLASS_ROOT to its folder")
endif()

if("Libraries" IN_LIST Warpglass_FIND_COMPONENTS)
  include(CMakeFindDependencyMacro)
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/WarpglassTargets.cmake)
    foreach(package Threads fmt nlohmann_json SQLite3 PkgConfig)
      find_dependency(${package})
    endforeach()
    if(NOT TARGET PkgConfig::zstd)
      pkg_check_modules(zstd REQUIRED QUIET IMPORTED_TARGET libzstd)
    endif()
    include(${CMAKE_CURRENT_LIST_DIR}/WarpglassTargets.cmake)
    set(Warpglass_Libraries_FOUND TRUE)
  elseif(Warpglass_FIND_REQUIRED_Libraries)
    set(Warpglass_FOUND FALSE)
    set(Warpglass_NOT_FOUND_MESSAGE "Warpglass' libraries are not installed: the package is libwarpglass-dev")
  endif()
endif()

function(warpglass_add_recording name target)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "ACCESSES;TIMING"
    "OUTPUT;KERNEL;LAUNCHES;DETAIL;BACKEND;DEVICE;WORKING_DIRECTORY" "ARGS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "warpglass_add_recording(${name}): \"${ARG_UNPARSED_ARGUMENTS}${ARG_KEYWORDS_MISSING_VALUES}\" is not understood")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "warpglass_add_recording(${name}): there is no target ${target}")
  endif()
  if(NOT WARPGLASS_RECORD)
    message(FATAL_ERROR "warpglass_add_recording(${name}): ${Warpglass_NOT_FOUND_MESSAGE}")
  endif()
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
  if(NOT ARG_OUTPUT)
    set(ARG_OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name})
  endif()
  if(NOT ARG_WORKING_DIRECTORY)
    set(ARG_WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set(words)
  foreach(option KERNEL LAUNCHES DETAIL BACKEND DEVICE)
    if(NOT "${ARG_${option}}" STREQUAL "")
      string(TOLOWER ${option} lower)
      list(APPEND words --${lower} ${ARG_${option}})
    endif()
  endforeach()
  foreach(option ACCESSES TIMING)
    if(ARG_${option})
      string(TOLOWER ${option} lower)
      list(APPEND words --${lower})
    endif()
  endforeach()
  add_test(NAME ${name} WORKING_DIRECTORY ${ARG_WORKING_DIRECTORY}
    COMMAND ${WARPGLASS_RECORD} program ${words} ${ARG_OPTIONS} -o ${ARG_OUTPUT} -- $<TARGET_FILE:${target}> ${ARG_ARGS})
  set_tests_properties(${name} PROPERTIES LABELS warpglass)
endfunction()

function(warpglass_add_budgets name spec)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "JUNIT;SARIF;MARKDOWN;KEEP" "ONLY")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "warpglass_add_budgets(${name}): \"${ARG_UNPARSED_ARGUMENTS}${ARG_KEYWORDS_MISSING_VALUES}\" is not understood")
  endif()
  if(NOT WARPGLASS_RECORD)
    message(FATAL_ERROR "warpglass_add_budgets(${name}): ${Warpglass_NOT_FOUND_MESSAGE}")
  endif()
  get_filename_component(spec ${spec} ABSOLUTE)
  set(words)
  foreach(option JUNIT SARIF MARKDOWN KEEP)
    if(ARG_${option})
      string(TOLOWER ${option} lower)
      list(APPEND words --${lower} ${ARG_${option}})
    endif()
  endforeach()
  foreach(entry IN LISTS ARG_ONLY)
    list(APPEND words --only ${entry})
  endforeach()
  add_test(NAME ${name} COMMAND ${WARPGLASS_RECORD} expect ${spec} ${words})
  set_tests_properties(${name} PROPERTIES LABELS warpglass)
  add_custom_target(${name}.update COMMAND ${WARPGLASS_RECORD} expect ${spec} --update VERBATIM)
endfunction()
