// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace trackplex::program {

/// "0:07", "12:34", "1:02:03".
std::string duration_text(double seconds);

/// One line of a progress bar: label, bar, counts, rate, and the time that is left. A total that
/// is not known (0), or has turned out too small, is not shown.
std::string progress_line(const std::string& label, std::size_t done, std::size_t total,
                          double seconds);

/// A progress bar on stderr, drawn at most ten times a second, on a terminal only.
class ProgressBar {
 public:
  ProgressBar(std::string label, std::size_t total, bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Changes how much there is to do in all.
  void expect(std::size_t total) { total_ = total; }

  void advance(std::size_t n = 1);

 private:
  using Clock = std::chrono::steady_clock;

  void draw();

  std::string label_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_;
};

}  // namespace trackplex::program
