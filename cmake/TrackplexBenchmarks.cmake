# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

# trackplex_add_benchmark(<domain> SOURCES <file>... [LINK <target>...] [SMOKE <regular expression>])
#
# The executable bench_<domain>. Its sources register Google Benchmarks; benchmarks/support/main.cpp runs them inside
# Kokkos and records the context. ctest only checks that it runs (bench_<domain>.smoke, label benchmark): all, or those
# whose names match SMOKE.
function(trackplex_add_benchmark domain)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SMOKE" "SOURCES;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_add_benchmark(${domain} SOURCES <file>... [LINK <target>...] [SMOKE <expression>])")
  endif()
  if(NOT arg_SMOKE)
    set(arg_SMOKE .)
  endif()
  add_executable(bench_${domain} "${PROJECT_SOURCE_DIR}/benchmarks/support/main.cpp" ${arg_SOURCES})
  target_include_directories(bench_${domain} PRIVATE "${PROJECT_SOURCE_DIR}/benchmarks")
  target_link_libraries(bench_${domain} PRIVATE trackplex::trackplex benchmark::benchmark ${arg_LINK})
  trackplex_use_kernels(bench_${domain} OPTIONS ${TRACKPLEX_KERNEL_OPTIONS})
  if(TRACKPLEX_ENABLE_TESTS)
    add_test(NAME bench_${domain}.smoke COMMAND bench_${domain} --benchmark_min_time=0.001 "--benchmark_filter=${arg_SMOKE}")
    set_tests_properties(
      bench_${domain}.smoke PROPERTIES LABELS benchmark PROCESSORS 2
                                       ENVIRONMENT "OMP_NUM_THREADS=2;OMP_PROC_BIND=false;OMP_WAIT_POLICY=passive")
  endif()
endfunction()
