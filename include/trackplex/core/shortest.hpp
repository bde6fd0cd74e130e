// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <string>

namespace trackplex {

/// Returns the shortest decimal that reads back as the same number, for messages; "nan" and "inf"
/// for these.
std::string shortest(double value);
/// Returns the shortest decimal that reads back as the same number in single precision.
std::string shortest(float value);

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/shortest.impl.hpp>
#endif
