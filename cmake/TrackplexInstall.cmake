# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installation and the CMake package: find_package(trackplex [COMPONENTS io hdf5 lzma mpi compiled]).
include_guard()
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/trackplex")

install(TARGETS trackplex EXPORT trackplex-targets FILE_SET HEADERS)
install(EXPORT trackplex-targets NAMESPACE trackplex:: DESTINATION ${package_dir})
foreach(component IN LISTS TRACKPLEX_COMPONENTS)
  install(TARGETS trackplex_${component} EXPORT trackplex-${component}-targets FILE_SET HEADERS)
  install(EXPORT trackplex-${component}-targets NAMESPACE trackplex:: DESTINATION ${package_dir})
endforeach()
set(installed_components ${TRACKPLEX_COMPONENTS})
if(TRACKPLEX_ENABLE_COMPILED)
  install(TARGETS trackplex_compiled EXPORT trackplex-compiled-targets)
  install(EXPORT trackplex-compiled-targets NAMESPACE trackplex:: DESTINATION ${package_dir})
  list(APPEND installed_components compiled)
endif()

configure_package_config_file(cmake/trackplex-config.cmake.in trackplex-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(trackplex-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/trackplex-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/trackplex-config-version.cmake" cmake/TrackplexFind.cmake
              cmake/TrackplexFloatingPoint.cmake cmake/TrackplexFma.cmake cmake/TrackplexKernels.cmake
        DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
