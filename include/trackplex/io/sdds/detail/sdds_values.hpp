// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Values of SDDS files as text.

#include <trackplex/io/detail/number_from_text.hpp>
#include <trackplex/io/sdds/detail/sdds_text.hpp>
#include <trackplex/io/sdds/sdds_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io::detail {

/// Whether an integer is one of a type in files.
inline bool is_in_range(SddsType type, std::int64_t value) {
  switch (type) {
    case SddsType::int16:
      return std::in_range<std::int16_t>(value);
    case SddsType::uint16:
      return std::in_range<std::uint16_t>(value);
    case SddsType::int32:
      return std::in_range<std::int32_t>(value);
    case SddsType::uint32:
      return std::in_range<std::uint32_t>(value);
    case SddsType::uint64:
      return value >= 0;
    default:
      return true;
  }
}

/// Values of a file as text.
class SddsValueParser {
 public:
  explicit SddsValueParser(std::string file) : file_(std::move(file)) {}

  /// Appends a value, of which `word` is the text with its escapes.
  void append(std::string_view word, const SddsField& field, const char* kind, std::size_t line,
              ColumnValues& values) const {
    std::visit([&](auto& list) { append_to(word, field, kind, line, list); }, values);
  }

 private:
  void append_to(std::string_view word, const SddsField& field, const char*, std::size_t,
                 std::vector<std::string>& list) const {
    list.push_back(without_sdds_escapes(word));
    if (field.type != SddsType::character) return;
    list.back().resize(1);  // an empty one is the zero byte
  }
  template <class Number>
  void append_to(std::string_view word, const SddsField& field, const char* kind, std::size_t line,
                 std::vector<Number>& list) const {
    Number value{};
    const auto what = number_from_text(word, value);
    bool is_good = what == NumberText::number;
    if constexpr (std::is_integral_v<Number>) is_good = is_good && is_in_range(field.type, value);
    if (!is_good)
      refuse_sdds(file_, line,
                  "'" + std::string(word.substr(0, 40)) + "' " +
                      (std::is_integral_v<Number> ? "is no " + std::string(name_of(field.type))
                                                  : problem_of(what)),
                  kind + (" " + field.name));
    list.push_back(value);
  }

  std::string file_;
};

}  // namespace trackplex::io::detail
