# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests on the emulated device of tests/device, which needs no GPU.
include_guard()

# trackplex_add_device_tests(<domain> SOURCES <file>... [ORDERS <order>...])
#
# The executable test_device_<domain>: the test cases over EnabledSpaces of these sources, on the emulated device. ctest runs
# it as device.<domain> with the threads of a team interleaved, or as device.<domain>.<order> in each of the orders
# (tests/device/emulation/settings.hpp).
function(trackplex_add_device_tests domain)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;ORDERS")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_add_device_tests(${domain} SOURCES <file>... [ORDERS <order>...])")
  endif()
  if(NOT TARGET trackplex_emulated_device)
    return()
  endif()
  add_executable(test_device_${domain} ${arg_SOURCES})
  target_link_libraries(test_device_${domain} PRIVATE trackplex_emulated_device)
  target_precompile_headers(test_device_${domain} REUSE_FROM trackplex_device_precompiled)
  if(NOT arg_ORDERS)
    add_test(NAME device.${domain} COMMAND test_device_${domain})
    trackplex_set_device_test(device.${domain} interleaved)
  endif()
  foreach(order IN LISTS arg_ORDERS)
    add_test(NAME device.${domain}.${order} COMMAND test_device_${domain})
    trackplex_set_device_test(device.${domain}.${order} ${order})
  endforeach()
endfunction()

function(trackplex_set_device_test name order)
  set_tests_properties(${name} PROPERTIES LABELS device SKIP_RETURN_CODE 4 TIMEOUT 600
                                          ENVIRONMENT TRACKPLEX_DEVICE_ORDER=${order})
endfunction()

# The device itself, with the main program of tests; not where the sanitizers keep fibres and pages for themselves.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP)
  message(STATUS "The tests on the emulated device are left out: they need Linux, no sanitizers, and no device of Kokkos' own")
  return()
endif()
set(device "${PROJECT_SOURCE_DIR}/tests/device")
set(emulation "${device}/emulation")
add_library(trackplex_emulated_device STATIC EXCLUDE_FROM_ALL "${emulation}/memory.cpp" "${emulation}/queues.cpp" "${emulation}/teams.cpp"
                                             "${PROJECT_SOURCE_DIR}/tests/support/main.cpp"
                                             "${PROJECT_SOURCE_DIR}/tests/support/source_folder.cpp")
set_target_properties(trackplex_emulated_device PROPERTIES UNITY_BUILD OFF)
target_link_libraries(trackplex_emulated_device PUBLIC trackplex_floating_point Catch2::Catch2)
target_compile_features(trackplex_emulated_device PUBLIC cxx_std_20)
target_include_directories(trackplex_emulated_device PUBLIC "${device}" "${device}/kokkos" "${PROJECT_SOURCE_DIR}/include"
                                                            "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(trackplex_emulated_device PUBLIC TRACKPLEX_EMULATED_DEVICE TRACKPLEX_PROJECT_VERSION="${PROJECT_VERSION}")
# Tests of hosts, which are left out, leave functions without use.
target_compile_options(trackplex_emulated_device PUBLIC -O1 -Wno-unused-function)
set_source_files_properties("${emulation}/memory.cpp" "${emulation}/queues.cpp" "${emulation}/teams.cpp" PROPERTIES COMPILE_OPTIONS -O2)
find_package(Threads REQUIRED)
target_link_libraries(trackplex_emulated_device PUBLIC Threads::Threads)

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled/device.cpp"
     CONTENT "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n")
add_library(trackplex_device_precompiled OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled/device.cpp")
target_link_libraries(trackplex_device_precompiled PRIVATE trackplex_emulated_device)
target_precompile_headers(trackplex_device_precompiled PRIVATE "${device}/only_device.hpp")
