// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "results.hpp"

#include <string>

namespace forecast {

/// The rooflines of the devices that have known rates, with the application where its forecast is,
/// from the worst to the best, as an SVG document.
std::string roofline_plot(const Results& results);

}  // namespace forecast
