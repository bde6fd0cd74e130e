# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For programs that run on every backend; installed with the package.
include_guard()

# trackplex_offer_lanes(<target> [<width>...])
#
# The lane widths that a program offers, for a target that holds a part of it: all parts must agree. Without any, those
# of the library.
function(trackplex_offer_lanes target)
  if(ARGN)
    list(JOIN ARGN "," widths)
    target_compile_definitions(${target} PRIVATE TRACKPLEX_OFFERED_LANES=${widths})
  endif()
endfunction()

# trackplex_add_kernels(<target> SOURCES <file>... [REALS <type>...] [LANES <width>...] [LINK <target>...])
#
# Compiles the sources once per backend of Kokkos and number type (float and double), each in a translation unit of its
# own, and links them to the target. They see TRACKPLEX_SPACE, for example Kokkos::OpenMP, and TRACKPLEX_REAL, and
# instantiate their templates for these explicitly.
#
# LANES: the lane widths that the program offers on hosts. Without it, those of the variable TRACKPLEX_OFFERED_LANES, or
# the library's. Each costs its share of the time to compile; the default widths of the number types must be among them.
#
# The variable TRACKPLEX_KERNEL_OPTIONS holds further options for the compiler, for kernels only: optimised kernels in a
# build that is else quick to compile, for example.
function(trackplex_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;REALS;LANES;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_add_kernels(${target} SOURCES <file>... [REALS <type>...] [LANES <width>...] \
[LINK <target>...])")
  endif()
  if(NOT arg_REALS)
    set(arg_REALS float double)
  endif()
  if(NOT arg_LANES)
    set(arg_LANES ${TRACKPLEX_OFFERED_LANES})
  endif()
  trackplex_offer_lanes(${target} ${arg_LANES})
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
      trackplex_offer_lanes(${kernels} ${arg_LANES})
      target_compile_options(${kernels} PRIVATE ${TRACKPLEX_KERNEL_OPTIONS})
      target_link_libraries(${kernels} PRIVATE trackplex::trackplex ${arg_LINK})
      target_link_libraries(${target} PRIVATE ${kernels})
    endforeach()
  endforeach()
endfunction()
