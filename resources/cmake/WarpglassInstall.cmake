# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed, in components that become packages (WarpglassPackages.cmake):
#
#   record   warpglass-record, the cage, the compiler's process; no Qt bin/, lib/warpglass/
#   window   warpglass, its desktop entry, icon, type of file           bin/, share/
#   gpu      the worker, the plug-in, CUDA's device runtime             lib/warpglass/
#   seat     the seat before NVIDIA's driver                            lib/warpglass/
#   virtual  the virtual device                                         lib/warpglass/virtual/
#   library  headers and static libraries for find_package(Warpglass)   include/, lib/
#   bundle   Qt and the other libraries, for the relocatable archive    lib/warpglass/bundled/
#
# bin/ holds what a person types; a program finds the rest by gpu/base/companion.h. Nothing has an absolute path.
include(GNUInstallDirs)
set(private lib/warpglass)
set(bundled ${private}/bundled)
set(WARPGLASS_COMPONENTS record virtual library)

# All that is installed.
add_custom_target(installed)
add_dependencies(installed programs)

# Where the archive's libraries lie from here. DT_RPATH and not DT_RUNPATH: it holds for libraries of libraries, too.
function(warpglass_install_program target component destination from_here)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${from_here}")
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  install(TARGETS ${target} RUNTIME DESTINATION ${destination} COMPONENT ${component}
    LIBRARY DESTINATION ${destination} COMPONENT ${component})
endfunction()

# The manual page and what shells complete, made by the program itself.
function(warpglass_install_descriptions target component)
  set(folder ${CMAKE_BINARY_DIR}/descriptions)
  file(MAKE_DIRECTORY ${folder})
  set(kinds man bash zsh fish)
  set(names ${target}.1.gz ${target}.bash _${target} ${target}.fish)
  set(places ${CMAKE_INSTALL_MANDIR}/man1 share/bash-completion/completions share/zsh/site-functions
    share/fish/vendor_completions.d)
  set(made)
  foreach(kind name place IN ZIP_LISTS kinds names places)
    set(pipe)
    if(kind STREQUAL man)
      set(pipe | gzip -9n)
    endif()
    add_custom_command(OUTPUT ${folder}/${name} COMMAND ${target} --describe ${kind} ${pipe} > ${folder}/${name}
      DEPENDS ${target} COMMENT "Describing ${target} (${kind})")
    list(APPEND made ${folder}/${name})
    set(rename ${name})
    if(kind STREQUAL bash)
      set(rename ${target})
    endif()
    install(FILES ${folder}/${name} DESTINATION ${place} RENAME ${rename} COMPONENT ${component})
  endforeach()
  set(all ALL)
  if(WARPGLASS_SANITIZE) # the programs would have to run without complaint to be built
    set(all)
  endif()
  add_custom_target(${target}_descriptions ${all} DEPENDS ${made})
  add_dependencies(installed ${target}_descriptions)
endfunction()

warpglass_install_program(warpglass-record record bin ../${bundled})
warpglass_install_program(warpglass-cage record ${private} bundled)
warpglass_install_program(warpglass-nvrtc record ${private} bundled)
warpglass_install_descriptions(warpglass-record record)
install(FILES README.md CHANGELOG.md DESTINATION share/doc/warpglass-record COMPONENT record)
install(DIRECTORY docs/ DESTINATION share/doc/warpglass-record/docs COMPONENT record)
install(FILES resources/cmake/WarpglassConfig.cmake DESTINATION lib/cmake/Warpglass COMPONENT record)

warpglass_install_program(warpglass_virtual virtual ${private}/virtual ../bundled)
get_directory_property(virtual_libraries DIRECTORY ${CMAKE_SOURCE_DIR}/gpu/virtual DEFINITION virtual_libraries)
list(TRANSFORM virtual_libraries PREPEND warpglass_)
foreach(name warpglass_cudart12 warpglass_cudart13 warpglass_cuda1 ${virtual_libraries})
  install(TARGETS ${name} LIBRARY DESTINATION ${private}/virtual COMPONENT virtual)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/bin/virtual/libcuda.so DESTINATION ${private}/virtual COMPONENT virtual)

if(TARGET warpglass_cuda)
  list(APPEND WARPGLASS_COMPONENTS gpu seat)
  warpglass_install_program(warpglass-gpu-worker gpu ${private} bundled)
  warpglass_install_program(warpglass_cuda gpu ${private} bundled)
  install(FILES ${CMAKE_BINARY_DIR}/bin/libcudadevrt.a DESTINATION ${private} COMPONENT gpu OPTIONAL)
  warpglass_install_program(warpglass_seat seat ${private} bundled)
endif()

if(TARGET warpglass)
  list(APPEND WARPGLASS_COMPONENTS window)
  set(id org.warpglass.Warpglass)
  warpglass_install_program(warpglass window bin ../${bundled})
  warpglass_install_descriptions(warpglass window)
  install(FILES resources/package/${id}.desktop DESTINATION share/applications COMPONENT window)
  install(FILES resources/package/${id}.xml DESTINATION share/mime/packages COMPONENT window)
  install(FILES resources/package/${id}.metainfo.xml DESTINATION share/metainfo COMPONENT window)
  set(icons share/icons/hicolor/scalable)
  install(FILES resources/icons/warpglass.svg DESTINATION ${icons}/apps RENAME ${id}.svg COMPONENT window)
  install(FILES resources/icons/warpglass.svg DESTINATION ${icons}/mimetypes RENAME application-x-warpglass-trace.svg
    COMPONENT window)
endif()

# The part without Qt: read PTX, emulate, read and write recordings, name metrics.
set(rooms base device trace ptx launch fatbin program kernels emulator metrics probe)
set(libraries warpglass_options)
foreach(room IN LISTS rooms)
  set_target_properties(wg_${room} PROPERTIES EXPORT_NAME ${room})
  list(APPEND libraries wg_${room})
  add_dependencies(installed wg_${room})
  install(DIRECTORY gpu/${room} DESTINATION include/warpglass/gpu COMPONENT library FILES_MATCHING PATTERN "*.h" PATTERN "*.inl")
endforeach()
get_property(emulator_rooms GLOBAL PROPERTY warpglass_emulator_rooms)
foreach(room IN LISTS emulator_rooms)
  string(REGEX REPLACE "^wg_" "" name ${room})
  set_target_properties(${room} PROPERTIES EXPORT_NAME ${name})
endforeach()
list(APPEND libraries ${emulator_rooms})
set_target_properties(warpglass_options PROPERTIES EXPORT_NAME options)
install(TARGETS ${libraries} EXPORT Warpglass ARCHIVE DESTINATION ${private} COMPONENT library)
install(EXPORT Warpglass FILE WarpglassTargets.cmake NAMESPACE Warpglass:: DESTINATION lib/cmake/Warpglass
  COMPONENT library)
install(DIRECTORY resources/examples/ DESTINATION share/doc/libwarpglass-dev/examples COMPONENT library)

foreach(component IN LISTS WARPGLASS_COMPONENTS)
  set(package warpglass-${component})
  if(component STREQUAL window)
    set(package warpglass)
  elseif(component STREQUAL library)
    set(package libwarpglass-dev)
  endif()
  install(FILES LICENSE DESTINATION share/doc/${package} RENAME copyright COMPONENT ${component})
endforeach()

# What the archive carries so that it starts where nothing of it is installed.
if(TARGET warpglass)
  configure_file(resources/cmake/WarpglassBundle.cmake.in ${CMAKE_BINARY_DIR}/WarpglassBundle.cmake @ONLY)
  install(SCRIPT ${CMAKE_BINARY_DIR}/WarpglassBundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)
endif()
