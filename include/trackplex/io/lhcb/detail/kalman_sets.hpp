// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/number_from_text.hpp>
#include <trackplex/lhcb/fit/kalman_tables.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// Words of a text, with numbers of lines for messages.
class TextWords {
 public:
  /// Keeps views of both.
  TextWords(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  /// Next word; empty at the end.
  std::string_view next() {
    while (!text_.empty() && is_space(text_.front())) drop(1);
    std::size_t size = 0;
    while (size < text_.size() && !is_space(text_[size])) ++size;
    const auto word = text_.substr(0, size);
    drop(size);
    return word;
  }
  /// Next word on this line; empty at its end.
  std::string_view next_on_line() {
    while (!text_.empty() && is_space(text_.front()) && text_.front() != '\n') drop(1);
    return text_.empty() || text_.front() == '\n' ? std::string_view() : next();
  }
  /// The word as a finite number.
  double number(std::string_view word, const char* of) const {
    double value = 0.;
    const auto text = number_from_text(word, value);
    if (word.empty()) refuse(std::string(of) + " is missing", "the file ends early");
    if (text != NumberText::number) refuse("'" + std::string(word) + "' " + problem_of(text), of);
    if (!std::isfinite(value)) refuse("'" + std::string(word) + "' is not finite", of);
    return value;
  }
  /// Throws an error with the file and the line.
  [[noreturn]] void refuse(const std::string& problem, std::string_view why,
                           std::string_view suggestion = {}) const {
    throw InputError({name_, "line " + std::to_string(line_)}, problem, why, suggestion);
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void drop(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) line_ += text_[i] == '\n';
    text_.remove_prefix(n);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t line_ = 1;
};

/// Values of a set of parameters; those that the file does not have are 0.
using KalmanSet = std::array<double, 32>;

/// Sets of a file of parameters, by their numbers.
class KalmanSets {
 public:
  /// Reads params_NAME.txt of a folder.
  KalmanSets(const std::filesystem::path& folder, const std::string& name)
      : file_((folder / ("params_" + name + ".txt")).string()) {
    const auto text = read_file(file_);
    TextWords words(text, file_);
    for (auto key = words.next(); !key.empty(); key = words.next()) add(words, key);
  }
  /// A set.
  const KalmanSet& operator[](int set) const {
    const auto found = sets_.find(set);
    if (found == sets_.end())
      throw InputError({file_}, "it has no set " + std::to_string(set),
                       "parameters of the Kalman filter");
    return found->second;
  }

 private:
  void add(TextWords& words, std::string_view key) {
    const auto wrong = [&] {
      words.refuse("'" + std::string(key) + "' is no name of a set", "such as TParams_0_300:");
    };
    const auto last = key.rfind('_');
    if (!key.ends_with(':') || last == key.npos || last == 0) wrong();
    const auto first = key.rfind('_', last - 1);
    int set = 0;
    if (first == key.npos ||
        number_from_text(key.substr(first + 1, last - first - 1), set) != NumberText::number)
      wrong();
    const auto [place, is_new] = sets_.try_emplace(set);
    if (!is_new) words.refuse("it has set " + std::to_string(set) + " twice", std::string(key));
    std::size_t n = 0;
    for (auto word = words.next_on_line(); !word.empty(); word = words.next_on_line()) {
      if (n == place->second.size()) words.refuse("a set has too many values", "at most 32");
      place->second[n++] = words.number(word, "a parameter");
    }
  }

  std::string file_;
  std::map<int, KalmanSet> sets_;
};

/// Step in the VELO by the values of the file; below likewise.
inline lhcb::KalmanVelo<double> kalman_velo(const KalmanSet& p) {
  return {1e-5 * p[4], 1000. * p[5], 1e-5 * p[1], p[2], p[6], p[7]};
}
inline lhcb::KalmanToUt<double> kalman_to_ut(const KalmanSet& p) {
  lhcb::KalmanToUt<double> step;
  step.ty_bend = p[0];
  step.y_fraction = p[5];
  step.kick = 10. * p[8];
  step.kick_z = 0.01 * p[9];
  step.kick_ty2 = 100. * p[10];
  step.magnet_z = 1000. * p[16];
  step.magnet_z_z = p[17];
  step.magnet_z_z2 = 1e-5 * p[18];
  step.magnet_z_ty2 = 1000. * p[19];
  step.noise = {p[20], p[6], p[15], p[3], p[4], p[21]};
  return step;
}
inline lhcb::KalmanLayer<double> kalman_layer(const KalmanSet& p) {
  return {p[0],
          p[3],
          0.1 * p[5],
          1000. * p[6],
          1e-7 * p[7],
          p[10],
          {p[2], p[4], p[12], p[15], p[14], p[17]}};
}
inline lhcb::KalmanToScifi<double> kalman_to_scifi(const KalmanSet& p) {
  lhcb::KalmanToScifi<double> step;
  step.qop = 1e-4 * p[18];
  step.qop2 = p[19];
  step.x1 = 100. * p[9];
  step.x2 = 1e5 * p[10];
  step.x3 = 1e10 * p[11];
  step.y1 = 100. * p[3];
  step.tx1 = p[6];
  step.tx2 = 1e5 * p[7];
  step.tx3 = 1e8 * p[8];
  step.ty1 = p[0];
  step.noise = {100. * p[13], 100. * p[16], p[12], p[15], p[14], p[17]};
  return step;
}
inline lhcb::KalmanToPlane<double> kalman_to_plane(const KalmanSet& p) {
  return {p[5], 1e4 * p[6], p[8], p[0]};
}

}  // namespace trackplex::io::detail
