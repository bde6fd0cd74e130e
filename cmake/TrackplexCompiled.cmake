# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# trackplex::compiled: a static library of the functions that are no templates, those of the implementation files
# (include/trackplex/core/compiled.hpp), for whoever prefers short compile times to a library without anything to build. Trackplex'
# own tests, programs and benchmarks link to it.
include_guard()

add_library(trackplex_compiled STATIC)
# Batches as large as these: half the time of a source goes to what all include.
set_target_properties(trackplex_compiled PROPERTIES UNITY_BUILD_BATCH_SIZE 8)
if(NOT TRACKPLEX_ENABLE_COMPILED)
  set_target_properties(trackplex_compiled PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
add_library(trackplex::compiled ALIAS trackplex_compiled)
set_target_properties(trackplex_compiled PROPERTIES EXPORT_NAME compiled)
target_compile_definitions(trackplex_compiled PUBLIC TRACKPLEX_COMPILED)
target_link_libraries(trackplex_compiled PUBLIC trackplex::trackplex)

file(GLOB_RECURSE implementations CONFIGURE_DEPENDS RELATIVE "${include_dir}" "${include_dir}/trackplex/*.impl.hpp")
if(TRACKPLEX_NOT_COMPILED)
  list(FILTER implementations EXCLUDE REGEX "${TRACKPLEX_NOT_COMPILED}")
endif()
set(folder "${PROJECT_BINARY_DIR}/compiled")
set(head "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n")
file(CONFIGURE OUTPUT "${folder}/mark.cpp" CONTENT
     "${head}#include <trackplex/core/compiled.hpp>\n\nconst int TRACKPLEX_COMPILED_MARK = 0;\n")
target_sources(trackplex_compiled PRIVATE "${folder}/mark.cpp")
set_source_files_properties("${folder}/mark.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
foreach(implementation IN LISTS implementations)
  string(REGEX REPLACE "^trackplex/([a-z0-9]+)/.*" "\\1" domain "${implementation}")
  if(domain MATCHES "^(io|hdf5|lzma|mpi)$" AND NOT domain IN_LIST TRACKPLEX_COMPONENTS)
    continue()
  endif()
  string(REGEX REPLACE "^trackplex/(.*)\\.impl\\.hpp$" "\\1.cpp" source "${implementation}")
  file(CONFIGURE OUTPUT "${folder}/${source}" CONTENT "${head}#include <${implementation}>\n")
  target_sources(trackplex_compiled PRIVATE "${folder}/${source}")
  if(source MATCHES "/(madx_sequence|pals_lattice)\\.cpp$") # as heavy as eight others
    set_source_files_properties("${folder}/${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endforeach()
foreach(component IN LISTS TRACKPLEX_COMPONENTS)
  target_link_libraries(trackplex_compiled PRIVATE $<BUILD_INTERFACE:trackplex::${component}>)
endforeach()
