// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/text_file.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// A distribution of a file: one entry for each bin.
struct TallyTable {
  std::string comment;  ///< lines, without their #
  std::vector<double> low, high, density;
  std::vector<std::uint64_t> counts;

  std::size_t size() const { return counts.size(); }
};

}  // namespace trackplex::io

namespace trackplex::io::detail {

inline constexpr std::string_view tally_header = "bin_lo,bin_hi,density,counts";

/// Turns the text of a distribution into a table.
class TallyCsvReader {
 public:
  TallyCsvReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  TallyTable read() {
    TallyTable table;
    std::string_view line;
    bool has_header = false;
    while (next_line(line)) {
      if (line.empty()) continue;
      if (line.front() == '#') {
        line.remove_prefix(line.substr(0, 2) == "# " ? 2 : 1);
        table.comment.append(table.comment.empty() ? "" : "\n").append(line);
      } else if (!has_header) {
        if (line != tally_header)
          refuse({}, "is not the header", "expected " + std::string(tally_header));
        has_header = true;
      } else {
        read_row(line, table);
      }
    }
    if (!has_header) throw InputError({name_}, "has no header " + std::string(tally_header));
    if (table.size() == 0) throw InputError({name_}, "has no bins");
    return table;
  }

 private:
  bool next_line(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const auto end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    at_ = end + 1;
    ++line_;
    return true;
  }

  void read_row(std::string_view line, TallyTable& table) const {
    std::array<std::string_view, 4> fields;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto comma = line.find(',');
      if ((comma == line.npos) != (i == 3)) refuse({}, "has not four fields");
      fields[i] = line.substr(0, comma);
      line.remove_prefix(comma == line.npos ? line.size() : comma + 1);
    }
    const auto low = number<double>(fields[0], "bin_lo"),
               high = number<double>(fields[1], "bin_hi");
    const auto density = number<double>(fields[2], "density");
    if (!(low < high)) refuse("bin_hi", "is not above bin_lo");
    if (!(density >= 0.)) refuse("density", "is below 0");
    constexpr double rounding = 1e-6;  // of decimals
    if (table.size() > 0 && !(std::abs(low - table.high.back()) <= rounding * (high - low)))
      refuse("bin_lo", "is not where the last bin ends");
    table.low.push_back(low);
    table.high.push_back(high);
    table.density.push_back(density);
    table.counts.push_back(number<std::uint64_t>(fields[3], "counts"));
  }

  template <class T>
  T number(std::string_view field, std::string_view column) const {
    T value{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    bool good = error == std::errc() && end == field.data() + field.size();
    if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
    if (!good)
      refuse(column, std::is_integral_v<T> ? "is no number of histories" : "is no finite number",
             "'" + std::string(field.substr(0, 40)) + "'");
    return value;
  }

  [[noreturn]] void refuse(std::string_view column, const std::string& problem,
                           const std::string& why = {}) const {
    std::string place = "line " + std::to_string(line_);
    if (!column.empty()) place.append(", ").append(column);
    throw InputError({name_, place}, problem, why);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 0;
};

}  // namespace trackplex::io::detail
