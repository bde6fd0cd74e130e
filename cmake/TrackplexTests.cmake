# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

# trackplex_add_tests(<domain> SOURCES <file>... [TABLES <table>...|all] [LINK <target>...] [OWN_KERNELS])
#
# The executable test_<domain> with all test sources of one folder. ctest runs it once per number of threads, because
# Kokkos fixes its thread pool at start: <domain>.threads1 and <domain>.threads2, or just <domain> without OpenMP.
# Threads that wait sleep (OMP_WAIT_POLICY): tests run next to others, and spinning threads would keep the cores from them.
#
# TABLES: those of cmake/kernels whose kernels the tests run. OWN_KERNELS: much of the time goes to kernels, or plain
# algorithms, that are in none; all is compiled with TRACKPLEX_KERNEL_OPTIONS.
function(trackplex_add_tests domain)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_KERNELS" "" "SOURCES;TABLES;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_add_tests(${domain} SOURCES <file>... [TABLES <table>...] [LINK <target>...] [OWN_KERNELS])")
  endif()
  add_executable(test_${domain} ${arg_SOURCES})
  target_link_libraries(test_${domain} PRIVATE trackplex_test_support ${arg_LINK})
  set(options "")
  if(arg_OWN_KERNELS)
    set(options ${TRACKPLEX_KERNEL_OPTIONS})
  endif()
  trackplex_use_kernels(
    test_${domain}
    TABLES ${arg_TABLES}
    HEADERS <catch2/catch_approx.hpp> <catch2/catch_template_test_macros.hpp> <catch2/catch_test_macros.hpp>
            <catch2/generators/catch_generators_all.hpp> <catch2/matchers/catch_matchers_all.hpp>
    LINK Catch2::Catch2
    OPTIONS ${options})

  if(NOT Kokkos_ENABLE_OPENMP)
    add_test(NAME ${domain} COMMAND test_${domain})
    set_tests_properties(${domain} PROPERTIES LABELS ${domain} SKIP_RETURN_CODE 4)
    return()
  endif()
  foreach(threads IN ITEMS 1 2)
    set(name ${domain}.threads${threads})
    add_test(NAME ${name} COMMAND test_${domain})
    set_tests_properties(
      ${name}
      PROPERTIES LABELS ${domain}
                 PROCESSORS ${threads}
                 SKIP_RETURN_CODE 4 # Catch2: every test case was skipped
                 ENVIRONMENT "OMP_NUM_THREADS=${threads};OMP_PROC_BIND=false;OMP_WAIT_POLICY=passive")
  endforeach()
endfunction()
