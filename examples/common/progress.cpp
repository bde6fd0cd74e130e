// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/progress.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace trackplex::program {

std::string duration_text(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string progress_line(const std::string& label, std::size_t done, std::size_t total,
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

ProgressBar::ProgressBar(std::string label, std::size_t total, bool quiet)
    : label_(std::move(label)), total_(total), shown_(!quiet && isatty(STDERR_FILENO)) {
  if (shown_) draw();
}

ProgressBar::~ProgressBar() {
  if (!shown_) return;
  draw();
  std::fputc('\n', stderr);
}

void ProgressBar::advance(std::size_t n) {
  done_ += n;
  if (shown_ && Clock::now() - drawn_ > std::chrono::milliseconds(100)) draw();
}

void ProgressBar::draw() {
  drawn_ = Clock::now();
  const double seconds = std::chrono::duration<double>(drawn_ - start_).count();
  const auto line = progress_line(label_, done_, total_, seconds);
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
}

}  // namespace trackplex::program
