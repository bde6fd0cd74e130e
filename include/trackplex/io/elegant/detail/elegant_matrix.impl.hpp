// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/elegant/elegant_matrix.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>

namespace trackplex::io {

namespace detail {

/// Reader of the rows of one map: `C:`, `Ri:`, `Tij:` with k = 1 to j and `Qijk:` with l = 1 to k.
class ElegantMatrixRow {
 public:
  ElegantMatrixRow(const std::string& line, const std::string& file, int number)
      : line_(line), place_{file, "line " + std::to_string(number)} {
    const auto colon = line.find(':');
    if (colon == std::string::npos || colon < 1 || colon > 4) return;
    const std::string_view name = std::string_view(line).substr(0, colon);
    const auto kind = std::string_view("CRTQ").find(name[0]);
    if (kind == std::string_view::npos || kind + 1 != name.size()) return;
    for (std::size_t i = 1; i < name.size(); ++i) {
      if (name[i] < '1' || name[i] > '6') return;
      index_[i - 1] = name[i] - '0';
    }
    kind_ = int(kind);
    numbers_ = colon + 1;
  }

  /// 0 for C, 1 for R, 2 for T, 3 for Q; -1 for other lines.
  int kind() const { return kind_; }

  void add_to(beam::TransferMap& map) const {
    const int n = kind_ < 2 ? 6 : index_[kind_ - 1];
    std::istringstream stream(line_.substr(numbers_));
    stream.imbue(std::locale::classic());
    for (int k = 1; k <= n; ++k) {
      double value = 0.;
      if (!(stream >> value))
        throw InputError(place_, "a number is missing", std::to_string(n) + " are expected");
      if (kind_ == 0) map.C(k) = value;
      if (kind_ == 1) map.R(index_[0], k) = value;
      if (kind_ == 2) map.T(index_[0], index_[1], k) = value;
      if (kind_ == 3) map.Q(index_[0], index_[1], index_[2], k) = value;
    }
    std::string rest;
    if (stream >> rest) throw InputError(place_, "there is more than a row: '" + rest + "'");
  }

 private:
  const std::string& line_;
  InputPlace place_;
  int kind_ = -1;
  std::size_t numbers_ = 0;
  std::array<int, 3> index_{};
};

}  // namespace detail

TRACKPLEX_INLINE beam::TransferMap parse_elegant_matrix(std::string_view text,
                                                        const std::string& name) {
  beam::TransferMap map;
  std::istringstream lines{std::string(text)};
  std::string line;
  bool begun = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    const detail::ElegantMatrixRow row(line, name, number);
    if (row.kind() < 0) continue;
    if (row.kind() == 0 && begun) break;  // the next map
    if (row.kind() != 0 && !begun) continue;
    begun = true;
    map.order = std::max(map.order, row.kind());
    row.add_to(map);
  }
  if (!begun) throw InputError({name}, "there is no map", "no line begins with 'C:'");
  return map;
}

TRACKPLEX_INLINE beam::TransferMap read_elegant_matrix(const std::filesystem::path& path) {
  return parse_elegant_matrix(read_file(path), path.string());
}

}  // namespace trackplex::io
