# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures, builds and runs the project optional, where packages are missing or half installed:
# cmake -DSOURCE=... -DBINARY=... -DGENERATOR=... -DSETTINGS=<initial cache> -DCOMPONENTS="<those that the program must have>"
#       [-DMESSAGE=<what CMake says>] [-DWITHOUT="<package>..."] [-DHALF="<package>=<target>..."] [-DDEFINITION=<for CMake>]
#       [-DTARGET_OF_PARENT=...] [-DINSTALLED=ON] -P optional.cmake
file(REMOVE_RECURSE "${BINARY}")
set(arguments "-DCMAKE_MODULE_PATH=${BINARY}/modules" "-DTARGET_OF_PARENT=${TARGET_OF_PARENT}" "-DINSTALLED=${INSTALLED}"
              ${DEFINITION})
separate_arguments(WITHOUT)
foreach(package IN LISTS WITHOUT)
  list(APPEND arguments -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()

# What find_package finds of a half-installed package: headers that do not compile, as those of an HDF5 with MPI without MPI, and no
# library.
file(WRITE "${BINARY}/include/hdf5.h" "#include <no/mpi.h>\n")
separate_arguments(HALF)
foreach(package_and_target IN LISTS HALF)
  string(REGEX MATCH "(.+)=(.+)" package_and_target "${package_and_target}")
  file(WRITE "${BINARY}/modules/Find${CMAKE_MATCH_1}.cmake" "set(${CMAKE_MATCH_1}_FOUND TRUE)
set(${CMAKE_MATCH_1}_CXX_FOUND TRUE)
add_library(${CMAKE_MATCH_2} INTERFACE IMPORTED)
target_include_directories(${CMAKE_MATCH_2} INTERFACE \"${BINARY}/include\")
target_link_libraries(${CMAKE_MATCH_2} INTERFACE \"${BINARY}/missing_library.so\")
")
endforeach()

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}/build" -G "${GENERATOR}" -C "${SETTINGS}" ${arguments}
                OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE COMMAND_ERROR_IS_FATAL ANY)
if(MESSAGE AND NOT output MATCHES "${MESSAGE}")
  message(FATAL_ERROR "CMake does not say: ${MESSAGE}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}/build" --target components COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${BINARY}/build/components" OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "components: ${COMPONENTS}" expected)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the program should have the components: ${COMPONENTS}")
endif()
