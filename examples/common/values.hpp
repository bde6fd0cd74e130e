// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// @file
/// Checks of the values of options, for sources that include CLI11.

namespace CLI {
class Validator;
}

namespace trackplex::program {

/// A check that lets whole numbers of a range pass, also as 1e5 or 2.5e6. Add it with
/// `option->transform()`: it replaces them by their digits.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);

/// A check that lets finite numbers of a range pass. Add it with `option->transform()`.
CLI::Validator finite_number(double low, double high, const std::string& unit = {});

/// A check whose message names the values and whose help text does not repeat them.
CLI::Validator one_of(std::vector<std::string> values);

}  // namespace trackplex::program
