# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For programs that run on every backend; installed with the package.
include_guard()

# trackplex_offer(<target> [REALS <type>...] [LANES <width>...] [SPACES <space>...] [KIND <kind of kernels>])
#
# What a program offers, for a target that holds a part of it: all parts must agree. Without LANES, one lane and the best
# ones for the kind of its kernels (see KernelKind in core/spaces.hpp); LANES default, these alone.
function(trackplex_offer target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND" "REALS;LANES;SPACES")
  # nvcc itself, without Kokkos' nvcc_wrapper, takes a plain comma for the end of a definition.
  set(comma "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:\\>$<COMMA>")
  foreach(what IN ITEMS REALS LANES SPACES)
    if(arg_${what} STREQUAL "default")
      target_compile_definitions(${target} PRIVATE TRACKPLEX_OFFERED_DEFAULT_${what})
    elseif(arg_${what})
      list(JOIN arg_${what} "${comma}" list)
      target_compile_definitions(${target} PRIVATE TRACKPLEX_OFFERED_${what}=${list})
    endif()
  endforeach()
  if(arg_KIND)
    target_compile_definitions(${target} PRIVATE TRACKPLEX_PROGRAM_KIND=${arg_KIND})
  endif()
endfunction()

# trackplex_add_kernels(<target> SOURCES <file>... [REALS <type>...] [LANES <width>...] [KIND <kind of kernels>]
#                       [LINK <target>...] [OWN_KERNELS])
#
# Compiles the sources once per execution space, the host or a device, and number type, each in a translation unit of its
# own, and links them to the target. They see TRACKPLEX_SPACE, for example trackplex::HostExecutor, and TRACKPLEX_REAL, and
# instantiate their templates for these explicitly.
#
# REALS: the number types that the program offers, its default first; float and double without it. Of these the variable
# TRACKPLEX_OFFERED_REALS selects some; "default" selects the first.
#
# LANES: the lane widths that the program offers on hosts. Without it, those of the variable TRACKPLEX_OFFERED_LANES; else
# one lane and the best ones for KIND. Each costs its share of the time to compile.
#
# The variable TRACKPLEX_OFFERED_SPACES selects execution spaces: HOST, CUDA, HIP.
#
# The variable TRACKPLEX_KERNEL_OPTIONS holds further options for the compiler, for kernels only: optimised kernels in a
# build that is else quick to compile, for example. In Trackplex's own build most kernels are those of the library
# trackplex_kernels; sources with other ones that take their time are marked with OWN_KERNELS to have these options.
function(trackplex_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_KERNELS" "KIND" "SOURCES;REALS;LANES;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trackplex_add_kernels(${target} SOURCES <file>... [REALS <type>...] [LANES <width>...] \
[KIND <kind>] [LINK <target>...] [OWN_KERNELS])")
  endif()
  set(reals ${arg_REALS})
  if(NOT reals)
    set(reals float double)
  endif()
  if(TRACKPLEX_OFFERED_REALS STREQUAL "default")
    list(GET reals 0 reals)
  elseif(TRACKPLEX_OFFERED_REALS)
    list(JOIN TRACKPLEX_OFFERED_REALS "|" selected)
    list(FILTER reals INCLUDE REGEX "^(${selected})$")
  endif()
  if(NOT arg_LANES)
    set(arg_LANES ${TRACKPLEX_OFFERED_LANES})
  endif()
  set(offer REALS ${reals} LANES ${arg_LANES} KIND ${arg_KIND})
  trackplex_offer(${target} ${offer})
  set(hip_space Kokkos::HIP)
  if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 4)
    set(hip_space Kokkos::Experimental::HIP)
  endif()

  foreach(name_and_space IN ITEMS "HOST trackplex::HostExecutor" "CUDA Kokkos::Cuda" "HIP ${hip_space}")
    separate_arguments(name_and_space)
    list(GET name_and_space 0 name)
    list(GET name_and_space 1 space)
    # An installed Kokkos lists its devices; one that is built along has options.
    if(NOT name STREQUAL "HOST" AND NOT name IN_LIST Kokkos_DEVICES AND NOT Kokkos_ENABLE_${name})
      continue()
    endif()
    if(TRACKPLEX_OFFERED_SPACES AND NOT name IN_LIST TRACKPLEX_OFFERED_SPACES)
      continue()
    endif()
    list(APPEND spaces ${space})
    foreach(real IN LISTS reals)
      string(TOLOWER "${target}_${name}_${real}" kernels)
      add_library(${kernels} OBJECT ${arg_SOURCES})
      target_compile_definitions(${kernels} PRIVATE TRACKPLEX_SPACE=${space} TRACKPLEX_REAL=${real})
      trackplex_offer(${kernels} ${offer})
      target_link_libraries(${kernels} PRIVATE trackplex::trackplex ${arg_LINK})
      target_link_libraries(${target} PRIVATE ${kernels})
      set(options ${TRACKPLEX_KERNEL_OPTIONS})
      if(COMMAND trackplex_use_kernels) # a part of Trackplex's own build
        if(NOT arg_OWN_KERNELS)
          set(options "")
        endif()
        trackplex_use_kernels(${kernels} OPTIONS ${options})
      else()
        target_compile_options(${kernels} PRIVATE ${options})
      endif()
    endforeach()
  endforeach()
  if(TRACKPLEX_OFFERED_SPACES)
    trackplex_offer(${target} SPACES ${spaces})
  endif()
endfunction()
