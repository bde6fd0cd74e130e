# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

# What Open MPI asks for where root runs it, as containers do, and where there are more ranks than cores. Other MPIs ignore it.
set(mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
                    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none OMP_PROC_BIND=false
                    OMP_WAIT_POLICY=passive)

# trackplex_mpi_test(<name> <ranks> <threads> <label> <command>...): a test that mpirun starts. A rank that fails alone leaves
# the others waiting, so that there is a limit of time.
function(trackplex_mpi_test name ranks threads label)
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} ${ARGN})
  set_tests_properties(
    ${name}
    PROPERTIES LABELS "mpi;${label}"
               PROCESSORS 2
               TIMEOUT 300
               ENVIRONMENT "${mpi_environment};OMP_NUM_THREADS=${threads}")
endfunction()

# trackplex_add_ranks_test(<program> <script>): the test <program>.ranks, in which a Python script runs the program on many ranks
# (tests/support/ranks.py).
function(trackplex_add_ranks_test program script)
  if(NOT Python3_FOUND OR NOT TARGET trackplex::mpi OR NOT MPIEXEC_EXECUTABLE)
    return()
  endif()
  list(JOIN MPIEXEC_PREFLAGS " " flags)
  trackplex_program_file(file ${program})
  add_test(NAME ${program}.ranks COMMAND ${Python3_EXECUTABLE} "${script}" ${file})
  set_tests_properties(
    ${program}.ranks
    PROPERTIES LABELS "mpi;${program}"
               PROCESSORS 2
               TIMEOUT 300
               ENVIRONMENT "${mpi_environment};TRACKPLEX_OFFERED_LANES=${TRACKPLEX_OFFERED_LANES};TRACKPLEX_MPIEXEC=${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} {ranks} ${flags}")
endfunction()

# trackplex_add_mpi_tests(<domain> RANKS <n>... SOURCES <file>... [LINK <target>...])
#
# The executable test_<domain>, which all ranks run: <domain>.ranks<n>, with two threads on 2 ranks and one on others.
function(trackplex_add_mpi_tests domain)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;SOURCES;LINK")
  add_executable(test_${domain} main.cpp ${arg_SOURCES})
  target_include_directories(test_${domain} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(test_${domain} PRIVATE trackplex_kernels trackplex::mpi Catch2::Catch2 ${arg_LINK})
  foreach(ranks IN LISTS arg_RANKS)
    set(threads 1)
    if(ranks EQUAL 2)
      set(threads 2)
    endif()
    trackplex_mpi_test(${domain}.ranks${ranks} ${ranks} ${threads} ${domain} $<TARGET_FILE:test_${domain}>)
  endforeach()
endfunction()
