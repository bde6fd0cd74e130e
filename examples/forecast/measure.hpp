// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel.hpp"

#include <common/report.hpp>
#include <trackplex/perfmodel/forecast.hpp>

#include <functional>
#include <string>
#include <vector>

namespace forecast {

/// Runs each kernel `repeat` times after a warm-up, with data in the cache and in memory: what it
/// takes on one core, in ns of processor time per work item, and what was forecast.
/// `after_each()` is called after each of the two.
trackplex::program::Json measure_kernels(const std::vector<Kernel>& kernels,
                                         const trackplex::perfmodel::Device& core, int repeat,
                                         const std::function<void()>& after_each);

std::string comparison_table(const trackplex::program::Json& comparisons);

}  // namespace forecast
