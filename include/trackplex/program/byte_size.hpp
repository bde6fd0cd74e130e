// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace trackplex::program {

/// Bytes of a size as people write it: "4096", "64K", "256M", "1.5G" or "1T", in powers of 1024,
/// also with an "iB" or "B" behind ("256MiB"). Nothing where the text is no size above 0.
inline std::optional<std::size_t> parse_byte_size(std::string_view text) {
  double number = 0.;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !(number > 0.)) return std::nullopt;
  auto unit = text.substr(std::size_t(end - text.data()));
  const auto power = unit.empty() ? std::string_view::npos : std::string_view("KMGT").find(unit[0]);
  if (power != std::string_view::npos) {
    number = std::ldexp(number, 10 * (int(power) + 1));
    unit.remove_prefix(1);
    if (unit.starts_with("i") && unit != "iB") return std::nullopt;
    if (unit.starts_with("i")) unit.remove_prefix(1);
  }
  if (!unit.empty() && unit != "B") return std::nullopt;
  number = std::floor(number);
  if (number < 1. || number >= double(std::numeric_limits<std::size_t>::max())) return std::nullopt;
  return std::size_t(number);
}

/// "256 MiB", "1.5 GiB", "17 B": about, with three digits.
inline std::string byte_size_text(std::size_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  double number = double(bytes);
  std::size_t unit = 0;
  for (; number >= 1023.5 && unit + 1 < units.size(); ++unit) number /= 1024.;
  return fmt::format("{:.{}f} {}", number,
                     number >= 99.95 || number == std::floor(number) ? 0
                     : number >= 9.995                               ? 1
                                                                     : 2,
                     units[unit]);
}

}  // namespace trackplex::program
