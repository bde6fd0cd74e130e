# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# trackplex_kernels: the kernels that detail/<header>.instances.hpp names (include/trackplex/core/kernel_instances.hpp),
# compiled once for tests, examples, programs and benchmarks, with the options TRACKPLEX_KERNEL_OPTIONS. Where programs offer
# only their default lanes, only the kernels for these; without tests, also only those for their default number types.
include_guard()

add_library(trackplex_kernels STATIC EXCLUDE_FROM_ALL)
target_link_libraries(trackplex_kernels PUBLIC trackplex::trackplex $<TARGET_NAME_IF_EXISTS:trackplex::compiled>)
target_compile_options(trackplex_kernels PRIVATE ${TRACKPLEX_KERNEL_OPTIONS})
set_target_properties(trackplex_kernels PROPERTIES UNITY_BUILD_BATCH_SIZE 2) # they take long enough
# Where kernels are compiled for a device, too, each unit has its own.
if(NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP")
  target_compile_definitions(trackplex_kernels PUBLIC TRACKPLEX_INSTANCES)
endif()
# The reader of MAD-X tracks particles: it takes these kernels instead of compiling its own, where the library stays here.
if(TARGET trackplex_compiled AND NOT TRACKPLEX_ENABLE_COMPILED)
  target_link_libraries(trackplex_compiled PRIVATE trackplex_kernels)
endif()

set(instances "float lanes" "double lanes")
set(default_only FALSE)
if(NOT TRACKPLEX_OFFERED_LANES STREQUAL "default")
  list(APPEND instances "float scalar" "double scalar")
  target_compile_definitions(trackplex_kernels PUBLIC TRACKPLEX_SCALAR_INSTANCES)
elseif(TRACKPLEX_OFFERED_REALS STREQUAL "default" AND NOT TRACKPLEX_ENABLE_TESTS)
  set(default_only TRUE)
  target_compile_definitions(trackplex_kernels PUBLIC TRACKPLEX_DEFAULT_INSTANCES)
endif()
cmake_path(SET include_dir NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../include")
set(folder "${CMAKE_CURRENT_BINARY_DIR}/instances")
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${include_dir}" "${include_dir}/trackplex/*.instances.hpp")
if(TRACKPLEX_COMPILED_INSTANCES)
  list(FILTER headers INCLUDE REGEX "${TRACKPLEX_COMPILED_INSTANCES}")
endif()
foreach(type_and_width IN LISTS instances)
  separate_arguments(type_and_width)
  list(POP_FRONT type_and_width type width)
  foreach(header IN LISTS headers)
    file(READ "${include_dir}/${header}" text)
    if(NOT text MATCHES "\nTRACKPLEX_DECLARE_INSTANCES\\(([A-Z_]+), ([a-z_]+), ([a-z]+)\\)")
      message(FATAL_ERROR "${header}: it ends without TRACKPLEX_DECLARE_INSTANCES(NAME, kind, type)")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(lanes 1)
    if(width STREQUAL "lanes")
      set(lanes "(default_lane_width<kernels::Memory, ${type}, KernelKind::${CMAKE_MATCH_2}>)")
    endif()
    if(default_only AND NOT type STREQUAL CMAKE_MATCH_3)
      continue()
    endif()
    string(REGEX REPLACE "^trackplex/(.*)/detail/(.*)\\.instances\\.hpp$" "\\1/\\2" stem "${header}")
    file(CONFIGURE OUTPUT "${folder}/${stem}_${type}_${width}.cpp" CONTENT
         "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <${header}>

namespace trackplex {
TRACKPLEX_${name}_INSTANCES(, ${type}, ${lanes})
}
")
    target_sources(trackplex_kernels PRIVATE "${folder}/${stem}_${type}_${width}.cpp")
  endforeach()
endforeach()

# trackplex_use_kernels(<target> [OPTIONS <option>...])
#
# Links a target to the kernels: its sources compile only those that are not in the library, with the options.
function(trackplex_use_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_use_kernels(${target}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  target_link_libraries(${target} PRIVATE trackplex_kernels)
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
endfunction()
