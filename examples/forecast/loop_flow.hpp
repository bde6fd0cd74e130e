// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/application.hpp>

#include <string>

namespace forecast {

/// The loops of an application, one in another, and its data, as a text.
std::string loop_flow(const trackplex::perfmodel::Application& application);

}  // namespace forecast
