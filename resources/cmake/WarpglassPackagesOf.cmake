# SPDX-License-Identifier: GPL-3.0-or-later
# Read by CPack once a generator: .debs are one a component, the archive is all of them with the libraries they need.
set(CPACK_COMPONENTS_ALL ${CPACK_WARPGLASS_COMPONENTS})
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_GROUPING IGNORE)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  list(APPEND CPACK_COMPONENTS_ALL bundle)
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_PACKAGE_FILE_NAME warpglass-${CPACK_PACKAGE_VERSION}-linux-x86_64)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
