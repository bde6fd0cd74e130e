# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target trackplex_quick_tests: all programs but those of the tests that only scripts/test --all runs; and the target
# trackplex_domain_tests: the tests of each domain, which the sanitizers take. Included when all other targets exist.
include_guard()

# Folders that are left out, as the labels of their tests are in scripts/test; and of the other folders, the short examples, the
# tests on the emulated device and those of other widths than the default ones, test_<domain>_widths.
set(slow_folders benchmarks tests/benchmarks tests/compiled tests/compilers tests/device tests/install tests/reproducibility)

# trackplex_programs_below(<folder> <variable>): the programs of a folder and those below it, as a list of targets.
function(trackplex_programs_below folder variable)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  set(found "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" AND NOT target MATCHES "^(test_device|[0-9]+)_|_widths$")
      list(APPEND found ${target})
    endif()
  endforeach()
  foreach(subfolder IN LISTS subfolders)
    cmake_path(RELATIVE_PATH subfolder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
    if(NOT name IN_LIST slow_folders AND NOT subfolder MATCHES "/_deps/")
      trackplex_programs_below("${subfolder}" below)
      list(APPEND found ${below})
    endif()
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

trackplex_programs_below("${PROJECT_SOURCE_DIR}" programs)
add_custom_target(trackplex_quick_tests)
if(programs)
  add_dependencies(trackplex_quick_tests ${programs})
endif()

# The others of quick tests repeat what domains do (short examples, launches of all kernels) or take too long
# with the sanitizers (the Monte Carlo; matriplex to compile), or need MPI, which keeps memory to its end. The test preset
# asan-domains leaves out the same.
list(FILTER programs INCLUDE REGEX "^test_")
list(FILTER programs EXCLUDE REGEX "^test_mpi")
list(REMOVE_ITEM programs test_launchers test_matriplex test_montecarlo)
add_custom_target(trackplex_domain_tests)
if(programs)
  add_dependencies(trackplex_domain_tests ${programs})
endif()
