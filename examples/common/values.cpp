// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/values.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace trackplex::program {

namespace {

/// The value of a text, if it is a number in decimal digits, with a point and an exponent where it
/// likes; infinite where it is too large for a double, 0 where it is too small.
std::optional<double> parse_number(std::string_view text) {
  auto unsigned_text = text;
  if (text.starts_with('+') || text.starts_with('-')) unsigned_text.remove_prefix(1);
  if (unsigned_text.find_first_of(".0123456789") != 0) return std::nullopt;  // also nan, inf
  if (text.starts_with('+')) text = unsigned_text;
  double value = 0.;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (rest != text.data() + text.size()) return std::nullopt;
  if (error == std::errc()) return value;
  return std::strtod(std::string(text).c_str(), nullptr);
}

/// A whole number: its digits as they are, or in another form, 1e5, as a double. Nothing where it
/// is none; infinite where it is negative or too large.
std::optional<double> parse_whole(std::string_view text, std::uint64_t& value) {
  const auto number = parse_number(text);
  if (!number || (std::isfinite(*number) && *number != std::floor(*number))) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits && std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc())
    return number;
  if (digits || *number < 0. || *number >= 0x1p64) return std::numeric_limits<double>::infinity();
  value = std::uint64_t(*number);
  return number;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto number = parse_whole(text, value);
        if (!number) return "'" + text + "' is not a whole number";
        if (!std::isfinite(*number) || value < low || value > high)
          return fmt::format("{} is out of range ({} to {})", text, low, high);
        text = std::to_string(value);
        return {};
      },
      "");
}

CLI::Validator finite_number(double low, double high, const std::string& unit) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const auto number = parse_number(text);
        if (!number) return "'" + text + "' is not a number";
        if (text.starts_with('+')) text.erase(0, 1);
        if (!(*number >= low && *number <= high))
          return fmt::format("{} is out of range ({:.15g} to {:.15g}{}{})", text, low, high,
                             unit.empty() ? "" : " ", unit);
        return {};
      },
      "");
}

CLI::Validator one_of(std::vector<std::string> values) {
  return CLI::Validator(
      [values = std::move(values)](std::string& given) -> std::string {
        for (const auto& value : values)
          if (value == given) return {};
        return fmt::format("'{}' is not one of {}", given, fmt::join(values, ", "));
      },
      "");
}

}  // namespace trackplex::program
