# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the package says where something is missing: cmake -DSOURCE=<project that uses it> -DBINARY=<folder> -DGENERATOR=...
# -DSETTINGS=<initial cache> -DPREFIX=<installation> -DPACKAGE=<folder of the package in it> -DPROCESSOR=... -DARCHITECTURE=<of Kokkos> -P messages.cmake
file(REMOVE_RECURSE "${BINARY}")

# configure(<folder> <argument>...): sets output to what CMake says on a line, and status.
function(configure folder)
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}/${folder}" -G "${GENERATOR}" -C "${SETTINGS}" ${ARGN}
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(status ${status} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
function(expect text times)
  string(REGEX MATCHALL "${text}" found "${output}")
  list(LENGTH found number)
  if(NOT number EQUAL times)
    message(FATAL_ERROR "'${text}' stands ${number} times, not ${times}, in: ${output}")
  endif()
endfunction()

# No fused multiply-add: one warning, which can be silenced.
if(PROCESSOR MATCHES "x86_64|AMD64" AND NOT ARCHITECTURE) # of Kokkos, whose flags may enable it
  set(no_fma [[enable no fused multiply-add instruction: fma\(\) is then computed in software]])
  configure(no_fma -DCMAKE_CXX_FLAGS=-mno-fma)
  expect("${no_fma}" 1)
  configure(silent -DCMAKE_CXX_FLAGS=-mno-fma -DTRACKPLEX_NO_FMA_WARNING=ON)
  expect("${no_fma}" 0)
  configure(fma -DCMAKE_CXX_FLAGS=-mfma)
  expect("${no_fma}" 0)
endif()

# A component that this installation lacks, and one that does not exist.
if(NOT EXISTS "${PREFIX}/${PACKAGE}/trackplex-io-targets.cmake")
  return()
endif()
file(COPY "${PREFIX}/" DESTINATION "${BINARY}/prefix")
file(REMOVE "${BINARY}/prefix/${PACKAGE}/trackplex-io-targets.cmake")
configure(missing_component "-DCMAKE_PREFIX_PATH=" "-Dtrackplex_DIR=${BINARY}/prefix/${PACKAGE}")
expect("The component io is not in this installation: when Trackplex was configured, one of its dependencies" 1)
if(status EQUAL 0)
  message(FATAL_ERROR "configured without the component io")
endif()
