// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Where functions that are not templates are defined. Their headers declare them; the
/// definitions are in implementation files, `detail/<header>.impl.hpp`. In the default header-only
/// mode each header includes its implementation file at its end. With the macro TRACKPLEX_COMPILED,
/// which linking to `trackplex::compiled` defines, the definitions are in that library and
/// compiled only there.

#if defined(TRACKPLEX_COMPILED)

/// Specifier of a definition in an implementation file.
#define TRACKPLEX_INLINE

// The layout of lanes depends on the instruction set. A source that is compiled for another one
// than the library does not link: the undefined symbol names the reason.
#if defined(__AVX512F__)
#define TRACKPLEX_COMPILED_MARK trackplex_compiled_needs_the_march_of_this_source_which_has_AVX512
#elif defined(__AVX2__) && defined(__FMA__)
#define TRACKPLEX_COMPILED_MARK trackplex_compiled_needs_the_march_of_this_source_which_has_AVX2
#elif defined(__AVX__)
#define TRACKPLEX_COMPILED_MARK trackplex_compiled_needs_the_march_of_this_source_which_has_AVX
#else
#define TRACKPLEX_COMPILED_MARK trackplex_compiled_needs_the_march_of_this_source_which_has_no_AVX
#endif
extern "C" const int TRACKPLEX_COMPILED_MARK;
namespace trackplex::detail {
[[gnu::used]] static const int* const same_instruction_set = &TRACKPLEX_COMPILED_MARK;
}

#else
#define TRACKPLEX_INLINE inline
#endif
