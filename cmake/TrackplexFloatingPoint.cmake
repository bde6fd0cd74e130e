# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The flags of the reproducibility contract: no compiler merges a * b + c into one rounding, on any side; kernels call
# fma() where they want one. This is the one exception to "no flags forced on users". Used by the build and by the
# installed package, because it depends on the Kokkos of the user. g++ before 14 also has to leave out the vectorizer of
# straight-line code, which merges a * c - b * d and a * d + b * c all the same (GCC's bug 106902); lanes do not need it.
include_guard()

function(trackplex_disable_contraction target)
  set(options "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang,IntelLLVM>:-ffp-contract=off>"
              "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,14>>:-fno-tree-slp-vectorize>"
              "$<$<COMPILE_LANG_AND_ID:HIP,Clang>:-ffp-contract=off>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-ffp-contract=off>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--fmad=false;-Xcompiler=-ffp-contract=off,-fno-tree-slp-vectorize>")
  # Kokkos compiles CXX sources with nvcc through its nvcc_wrapper, unless the compiler is Clang.
  if(Kokkos_ENABLE_CUDA)
    list(APPEND options "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--fmad=false>")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_COMPILE_OPTIONS "${options}")
endfunction()
