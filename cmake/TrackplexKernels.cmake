# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For programs that run on every backend; installed with the package.
include_guard()

# trackplex_add_kernels(<target> SOURCES <file>... [REALS <type>...] [LINK <target>...])
#
# Compiles the sources once per backend of Kokkos and number type (float and double), each in a translation unit of its
# own, and links them to the target. They see TRACKPLEX_SPACE, for example Kokkos::OpenMP, and TRACKPLEX_REAL, and
# instantiate their templates for these explicitly.
function(trackplex_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;REALS;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_add_kernels(${target} SOURCES <file>... [REALS <type>...] [LINK <target>...])")
  endif()
  if(NOT arg_REALS)
    set(arg_REALS float double)
  endif()
  set(hip_space Kokkos::HIP)
  if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 4)
    set(hip_space Kokkos::Experimental::HIP)
  endif()

  foreach(backend_and_space IN ITEMS "SERIAL Kokkos::Serial" "OPENMP Kokkos::OpenMP" "CUDA Kokkos::Cuda"
                                     "HIP ${hip_space}")
    separate_arguments(backend_and_space)
    list(GET backend_and_space 0 backend)
    list(GET backend_and_space 1 space)
    # An installed Kokkos lists its devices; one that is built along has options.
    if(DEFINED Kokkos_DEVICES)
      if(NOT backend IN_LIST Kokkos_DEVICES)
        continue()
      endif()
    elseif(NOT Kokkos_ENABLE_${backend})
      continue()
    endif()
    foreach(real IN LISTS arg_REALS)
      string(TOLOWER "${target}_${backend}_${real}" kernels)
      add_library(${kernels} OBJECT ${arg_SOURCES})
      target_compile_definitions(${kernels} PRIVATE TRACKPLEX_SPACE=${space} TRACKPLEX_REAL=${real})
      target_link_libraries(${kernels} PRIVATE trackplex::trackplex ${arg_LINK})
      target_link_libraries(${target} PRIVATE ${kernels})
    endforeach()
  endforeach()
endfunction()
