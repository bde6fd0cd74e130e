# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

# trackplex_add_tests(<domain> SOURCES <file>... [WIDTHS <file>...] [LINK <target>...] [OWN_KERNELS])
#
# The executable test_<domain> with all test sources of one folder. ctest runs it once for each backend of the host:
# <domain>.serial, and <domain>.openmp with two threads; or just <domain> without OpenMP. Threads that wait sleep (OMP_WAIT_POLICY): tests run next to others, and spinning threads would keep the cores from them.
#
# WIDTHS: sources of the executable test_<domain>_widths, of scripts/test --all. There TRACKPLEX_TEST_WIDTHS is defined, and
# kernels run with one lane and lanes of other widths than the default ones, too (tests/support/lane_widths.hpp).
#
# OWN_KERNELS: much of the time goes to kernels, or plain algorithms, that trackplex_kernels does not hold; all is compiled
# with TRACKPLEX_KERNEL_OPTIONS.
function(trackplex_add_tests domain)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_KERNELS" "" "SOURCES;WIDTHS;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_add_tests(${domain} SOURCES <file>... [WIDTHS <file>...] [LINK <target>...] [OWN_KERNELS])")
  endif()
  if(arg_WIDTHS)
    trackplex_add_tests(${domain}_widths SOURCES ${arg_WIDTHS} LINK ${arg_LINK})
    target_compile_definitions(test_${domain}_widths PRIVATE TRACKPLEX_TEST_WIDTHS)
    set_target_properties(test_${domain}_widths PROPERTIES UNITY_BUILD OFF) # each source takes long enough
  endif()
  add_executable(test_${domain} ${arg_SOURCES})
  target_link_libraries(test_${domain} PRIVATE trackplex_test_support ${arg_LINK})
  if(arg_OWN_KERNELS)
    target_compile_options(test_${domain} PRIVATE ${TRACKPLEX_KERNEL_OPTIONS})
  else()
    target_precompile_headers(test_${domain} REUSE_FROM trackplex_test_support)
  endif()

  if(NOT Kokkos_ENABLE_OPENMP)
    add_test(NAME ${domain} COMMAND test_${domain})
    set_tests_properties(${domain} PROPERTIES LABELS ${domain} SKIP_RETURN_CODE 4)
    return()
  endif()
  foreach(backend_and_threads IN ITEMS "serial 1" "openmp 2")
    separate_arguments(backend_and_threads)
    list(POP_FRONT backend_and_threads backend threads)
    set(name ${domain}.${backend})
    add_test(NAME ${name} COMMAND test_${domain})
    set_tests_properties(
      ${name}
      PROPERTIES LABELS ${domain}
                 PROCESSORS ${threads}
                 SKIP_RETURN_CODE 4 # Catch2: every test case was skipped
                 ENVIRONMENT "TRACKPLEX_TEST_BACKEND=${backend};OMP_NUM_THREADS=${threads};OMP_PROC_BIND=false;OMP_WAIT_POLICY=passive")
  endforeach()
endfunction()
