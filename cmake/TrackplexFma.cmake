# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The kernels call fma(). Without the instruction each call is a function of the C library: the same result, ten times slower.
include_guard()
include(CheckCXXSourceCompiles)

# trackplex_check_fma(<target>): warns, once for each set of flags, where the compiler's target has no fused multiply-add.
# TRACKPLEX_NO_FMA_WARNING silences it, and what core/number.hpp says when it is compiled.
function(trackplex_check_fma target)
  if(TRACKPLEX_NO_FMA_WARNING)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS TRACKPLEX_NO_FMA_WARNING)
    return()
  endif()
  get_target_property(imported Kokkos::kokkos IMPORTED)
  if(imported) # it may bring flags for its machine
    set(CMAKE_REQUIRED_LIBRARIES Kokkos::kokkos)
  endif()
  string(MD5 flags "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS} ${Kokkos_DIR}")
  set(CMAKE_REQUIRED_QUIET ON)
  # Where CMake's check does not know the flags (those for nvcc, which Kokkos' launcher of compilers calls), it proves nothing:
  # then the compiler alone warns.
  check_cxx_source_compiles(
    "#if !defined(__x86_64__) || defined(__FMA__) || defined(__CUDACC__) || defined(__HIP__)
     #error there is a fused multiply-add
     #endif
     int main() {}"
    TRACKPLEX_LACKS_FMA_${flags})
  if(TRACKPLEX_LACKS_FMA_${flags})
    message(WARNING "The compiler flags '${CMAKE_CXX_FLAGS}' enable no fused multiply-add instruction: fma() is then computed \
in software, with equal results, but ten times slower. Add -march=native, -march=x86-64-v3 or -mfma to CMAKE_CXX_FLAGS, or set \
TRACKPLEX_NO_FMA_WARNING to silence this.")
  endif()
endfunction()
