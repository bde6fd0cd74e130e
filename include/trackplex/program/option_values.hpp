// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/table_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// Values of options: every option with a number takes one of these checks, every option with an
/// output file add_output().

namespace trackplex::program {

/// The limit of counts that nothing else limits.
inline constexpr std::uint64_t max_count = 1'000'000'000;

namespace detail {

/// A number in decimal digits, with a point and an exponent where it likes.
struct DecimalNumber {
  bool negative = false;
  std::string digits;  ///< without leading zeros
  long exponent = 0;   ///< of ten, that the digits are to be multiplied by

  static std::optional<DecimalNumber> parse(std::string_view text) {
    DecimalNumber number;
    const auto at = [&](char c) { return !text.empty() && text.front() == c; };
    if (at('+') || at('-')) {
      number.negative = at('-');
      text.remove_prefix(1);
    }
    bool has_digit = false, after_point = false;
    for (; !text.empty() && !at('e') && !at('E'); text.remove_prefix(1)) {
      const char c = text.front();
      if (c == '.' && !after_point) {
        after_point = true;
      } else if (c >= '0' && c <= '9') {
        has_digit = true;
        number.exponent -= after_point;
        if (c != '0' || !number.digits.empty()) number.digits += c;
      } else {
        return std::nullopt;
      }
    }
    if (!has_digit) return std::nullopt;
    if (text.empty()) return number;
    text.remove_prefix(at('e') || at('E') ? 1 : 0);
    if (at('+')) {
      text.remove_prefix(1);
      if (at('-')) return std::nullopt;
    }
    int exponent = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, exponent);
    if (rest != end || error == std::errc::invalid_argument) return std::nullopt;
    constexpr int limit = 1'000'000;
    if (error != std::errc()) exponent = text.front() == '-' ? -limit : limit;
    number.exponent += std::clamp(exponent, -limit, limit);
    return number;
  }

  bool is_whole() const {
    const auto last = digits.find_last_not_of('0');
    return last == std::string::npos || long(digits.size() - 1 - last) + exponent >= 0;
  }

  /// The absolute value of a whole number, or nothing from 2^64 on.
  std::optional<std::uint64_t> magnitude() const {
    if (digits.empty()) return 0;
    const long places = long(digits.size()) + exponent;
    if (places > 20) return std::nullopt;
    std::string text = digits.substr(0, std::size_t(places));
    text.append(std::size_t(places) - text.size(), '0');
    std::uint64_t value = 0;
    const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
    return error == std::errc() ? std::optional(value) : std::nullopt;
  }
};

}  // namespace detail

/// A check that lets whole numbers of a range pass, also as 1e5 or 2.5e6. Add it with
/// `option->transform()`: it replaces them by their digits.
inline CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const auto number = detail::DecimalNumber::parse(text);
        if (!number || !number->is_whole()) return "'" + text + "' is not a whole number";
        const auto value = number->magnitude();
        const bool negative = number->negative && value != 0u;
        if (negative || !value || *value < low || *value > high)
          return fmt::format("{} is out of range ({} to {})", text, low, high);
        text = std::to_string(*value);
        return {};
      },
      "");
}

/// A check that lets finite numbers of a range pass. Add it with `option->transform()`.
inline CLI::Validator finite_number(double low, double high, const std::string& unit = {}) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        if (!detail::DecimalNumber::parse(text)) return "'" + text + "' is not a number";
        if (text.starts_with('+')) text.erase(0, 1);
        double value = 0.;
        const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
        if (error != std::errc() || !(value >= low && value <= high))
          return fmt::format("{} is out of range ({:.15g} to {:.15g}{}{})", text, low, high,
                             unit.empty() ? "" : " ", unit);
        return {};
      },
      "");
}

/// whole_number() or finite_number(), as the type of the value asks for.
template <class Value>
CLI::Validator number_of_type(double low, double high) {
  if constexpr (std::is_integral_v<Value>)
    return whole_number(std::uint64_t(low), std::uint64_t(high));
  else
    return finite_number(low, high);
}

/// A check whose message names the values and whose help text does not repeat them.
inline CLI::Validator one_of(std::vector<std::string> values) {
  return CLI::Validator(
      [values](std::string& given) -> std::string {
        for (const auto& value : values)
          if (value == given) return {};
        return fmt::format("'{}' is not one of {}", given, fmt::join(values, ", "));
      },
      "");
}

/// Adds an option with a file that the program writes. Where it cannot be written is found out
/// before the work, and is an Error, as it is later. `endings` are those of the file's kinds, such
/// as ".svg"; devices, such as /dev/null, need none.
inline CLI::Option* add_output(CLI::App& app, const std::string& name, std::string& file,
                               const std::string& text, std::vector<std::string> endings = {}) {
  const auto check = [endings = std::move(endings)](std::string& path) -> std::string {
    if (path.empty()) return "the name of the file is empty";
    if (path.starts_with('-')) return "'" + path + "' is no file; if it is, write ./" + path;
    check_output(path);
    std::error_code error;
    bool known = endings.empty() || std::filesystem::is_character_file(path, error);
    for (const auto& ending : endings)
      known = known || (path.ends_with(ending) && path.size() > ending.size());
    return known ? "" : fmt::format("'{}' does not end in {}", path, fmt::join(endings, " or "));
  };
  return app.add_option(name, file, text)
      ->type_name("FILE")
      ->check(CLI::Validator(check, ""), "output")
      ->group("Output");
}

/// The same for tables, in the forms that `io::TableFile` has and, with their own endings, others.
/// Files beside that of the first table are checked, too.
inline CLI::Option* add_table_output(CLI::App& app, const std::string& name, std::string& file,
                                     const std::string& text, std::vector<std::string> beside = {},
                                     std::vector<std::string> other_endings = {}) {
  auto endings = other_endings;
  endings.insert(endings.end(), {".csv", ".h5"});
  const auto check = [beside = std::move(beside),
                      other_endings = std::move(other_endings)](std::string& path) -> std::string {
    for (const auto& ending : other_endings)
      if (path.ends_with(ending)) return {};
    if (auto problem = io::problem_of_table_name(path); !problem.empty()) return problem;
    for (const auto& table : beside) check_output(io::file_of_table(path, table));
    return {};
  };
  return add_output(app, name, file, text, std::move(endings))->check(CLI::Validator(check, ""));
}

/// @throws UsageError where two options of add_output name the same file
inline void check_outputs_differ(CLI::App& app) {
  std::map<std::filesystem::path, std::string> options;
  for (CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    try {
      (void)option->get_validator("output");
    } catch (const CLI::OptionNotFound&) {
      continue;
    }
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(option->results().front(), error);
    if (std::filesystem::is_character_file(path, error)) continue;
    const auto [other, is_new] = options.emplace(path, option->get_name());
    if (!is_new)
      throw UsageError(option->get_name(), "the same file as for " + other->second,
                       path.filename().string());
  }
}

/// The same for a new folder.
inline CLI::Option* add_output_folder(CLI::App& app, const std::string& name, std::string& folder,
                                      const std::string& text) {
  const auto check = [](std::string& path) -> std::string {
    namespace fs = std::filesystem;
    if (path.empty()) return "the name of the folder is empty";
    std::error_code error;
    if (fs::exists(path, error) && !(fs::is_directory(path, error) && fs::is_empty(path, error)))
      return path + " is there already; name a new or empty folder";
    check_output_folder(path);
    return {};
  };
  return app.add_option(name, folder, text)
      ->type_name("DIR")
      ->check(CLI::Validator(check, ""))
      ->group("Output");
}

}  // namespace trackplex::program
