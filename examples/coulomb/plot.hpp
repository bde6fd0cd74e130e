// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "results.hpp"

#include <map>
#include <string>

namespace coulomb {

/// The longitudinal and the transverse distribution as an SVG document, on a scale of powers of 10;
/// with reference files their points, and the ratio of both below.
std::string plot(const Results& results, const std::map<std::string, Reference>& references);

}  // namespace coulomb
