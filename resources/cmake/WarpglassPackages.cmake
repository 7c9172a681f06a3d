# SPDX-License-Identifier: GPL-3.0-or-later
# Packages of the components (WarpglassInstall.cmake): a .deb each, and one archive of all that starts anywhere.
set(CPACK_PACKAGE_NAME warpglass)
set(CPACK_PACKAGE_VENDOR "The Warpglass authors")
# No summary of the whole: it would stand in place of each package's own first line.
set(CPACK_PACKAGE_CONTACT "The Warpglass authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/resources/cmake/WarpglassPackagesOf.cmake)
set(CPACK_WARPGLASS_COMPONENTS ${WARPGLASS_COMPONENTS})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/bin/virtual)
set(same "(= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_RECORD_PACKAGE_NAME warpglass-record)
set(CPACK_COMPONENT_RECORD_DESCRIPTION "Runs CUDA kernels on an emulator or a GPU and records what every warp did
The program for the command line; it needs no display and no GPU.")
set(CPACK_DEBIAN_RECORD_PACKAGE_RECOMMENDS "warpglass-virtual")
set(CPACK_DEBIAN_RECORD_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, warpglass-gpu, warpglass-seat")

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME warpglass)
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "Shows how a CUDA kernel really runs
Where each block of the grid goes, which lanes are on at every branch, who waits
at a barrier, how a reduction folds: in a window, and as pictures, films and reports.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "warpglass-record ${same}")
# Any Chinese font that is there will do; without one, the smallest: 1.6 MB to fetch, Noto's are 57.
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS
  "qt6-qpa-plugins | libqt6gui6, fonts-wqy-microhei | fonts-noto-cjk | fonts-wqy-zenhei")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "ffmpeg, fonts-noto-cjk")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION education)

set(CPACK_DEBIAN_VIRTUAL_PACKAGE_NAME warpglass-virtual)
set(CPACK_COMPONENT_VIRTUAL_DESCRIPTION "The virtual device: records whole CUDA programs without a GPU
Libraries in a folder of their own that stand in the place of CUDA's while
warpglass-record runs a program.")
set(CPACK_DEBIAN_VIRTUAL_PACKAGE_DEPENDS "warpglass-record ${same}")
# By which the host answers calls of cuBLAS and cuFFT.
set(CPACK_DEBIAN_VIRTUAL_PACKAGE_RECOMMENDS "libopenblas0, libfftw3-double3, libfftw3-single3")

set(CPACK_DEBIAN_GPU_PACKAGE_NAME warpglass-gpu)
set(CPACK_COMPONENT_GPU_DESCRIPTION "Records CUDA kernels on an NVIDIA GPU
The plug-in for the GPU; the driver is the machine's own.")
set(CPACK_DEBIAN_GPU_PACKAGE_DEPENDS "warpglass-record ${same}")

set(CPACK_DEBIAN_SEAT_PACKAGE_NAME warpglass-seat)
set(CPACK_COMPONENT_SEAT_DESCRIPTION "Records whole CUDA programs on an NVIDIA GPU, as they are
Sits between a program and NVIDIA's driver while warpglass-record runs it.")
set(CPACK_DEBIAN_SEAT_PACKAGE_DEPENDS "warpglass-record ${same}")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libwarpglass-dev)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Emulator, recordings and metrics of CUDA kernels for programs of one's own
Headers, static libraries and what find_package(Warpglass) needs.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "warpglass-record ${same}, libfmt-dev, libsqlite3-dev, libzstd-dev, nlohmann-json3-dev, pkg-config | pkgconf")

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
include(CPack)
