// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

namespace trackplex::program {

/// "0:07", "12:34", "1:02:03".
inline std::string duration_text(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

/// One line of a progress bar: label, bar, counts, rate, and the time that is left. A total that
/// is not known (0), or has turned out too small, is not shown.
inline std::string progress_line(const std::string& label, std::size_t done, std::size_t total,
                                 double seconds) {
  constexpr std::size_t bar_width = 30;
  const std::size_t filled = total ? std::min(bar_width, bar_width * done / total) : bar_width;
  const double rate = seconds > 0. ? double(done) / seconds : 0.;
  const std::string left = done >= total ? "in " + duration_text(seconds)
                           : rate > 0.   ? "ETA " + duration_text(double(total - done) / rate)
                                         : "ETA -:--";
  const std::string counts =
      done > total ? std::to_string(done) : fmt::format("{}/{}", done, total);
  return fmt::format("{} [{:=<{}}{: <{}}] {}  {:.3g}/s  {}", label, "", filled, "",
                     bar_width - filled, counts, rate, left);
}

/// A progress bar on stderr, drawn at most ten times a second, on a terminal only.
class ProgressBar {
 public:
  ProgressBar(std::string label, std::size_t total, bool quiet)
      : label_(std::move(label)), total_(total), shown_(!quiet && isatty(STDERR_FILENO)) {
    if (shown_) draw();
  }
  ~ProgressBar() {
    if (!shown_) return;
    draw();
    std::fputc('\n', stderr);
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Changes how much there is to do in all.
  void expect(std::size_t total) { total_ = total; }

  void advance(std::size_t n = 1) {
    done_ += n;
    if (shown_ && Clock::now() - drawn_ > std::chrono::milliseconds(100)) draw();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void draw() {
    drawn_ = Clock::now();
    const double seconds = std::chrono::duration<double>(drawn_ - start_).count();
    const auto line = progress_line(label_, done_, total_, seconds);
    fmt::print(stderr, "\r{}\033[K", line);
    std::fflush(stderr);
  }

  std::string label_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_;
};

}  // namespace trackplex::program
