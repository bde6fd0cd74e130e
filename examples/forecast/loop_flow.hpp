// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/application.hpp>

#include <string>

namespace forecast {

/// The loops of an application as boxes inside each other, with trip counts, instructions, calls
/// and branches, and its streams as arrows, as an SVG document.
std::string loop_flow(const trackplex::perfmodel::Application& application);

}  // namespace forecast
