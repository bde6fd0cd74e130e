// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <csignal>
#include <limits>
#include <utility>

namespace coulomb {

using montecarlo::HistoryRange;
using montecarlo::TransportCounts;

namespace {

constexpr double seconds_of_batch = 0.3;
constexpr std::uint64_t max_batch = 1 << 30;
constexpr std::uint64_t first_check = 1 << 16;

std::uint64_t step_of_checks(std::uint64_t histories) {
  return std::max(first_check, std::bit_floor(histories) / 16);
}

volatile std::sig_atomic_t signal_came = 0;
extern "C" void note_signal(int number) {
  signal_came = 1;
  std::signal(number, SIG_DFL);  // the next one ends the program
}

}  // namespace

double relative_error(const montecarlo::MomentSums& moments) {
  double largest = 0.;
  for (const auto& estimate :
       {moments.z(), moments.z2(), moments.r2(), moments.cosine(), moments.cosine2()}) {
    const double relative = estimate.error / std::abs(estimate.value);
    if (!(relative <= largest)) largest = relative;  // also what is no number
  }
  return largest;
}

bool is_checked(std::uint64_t histories) {
  return histories > 0 && histories % step_of_checks(histories) == 0;
}

std::uint64_t next_check(std::uint64_t histories) {
  const auto step = step_of_checks(histories);
  const auto steps = histories / step + 1;
  const auto most = std::numeric_limits<std::uint64_t>::max();
  return steps > most / step ? most : steps * step;
}

Schedule::Schedule(const Goal& goal, TransportCounts done, const BatchSize& batch)
    : goal_(goal), counts_(std::move(done)), batch_(batch) {}

std::optional<HistoryRange> Schedule::next() {
  const auto held = counts_.histories.size();
  if (Interruption::requested()) {
    stop_ = Stop::interrupt;
    return std::nullopt;
  }
  if (goal_.precision > 0. && is_checked(held) &&
      relative_error(counts_.moments) <= goal_.precision) {
    stop_ = Stop::precision;
    return std::nullopt;
  }
  const auto missing = counts_.histories.missing(goal_.histories);
  if (missing.empty()) return std::nullopt;
  auto range = missing.front();
  std::uint64_t size = std::min(range.size(), batch_size());
  if (goal_.precision > 0.) size = std::min(size, next_check(held) - held);
  range.end = range.begin + size;
  return range;
}

void Schedule::take(const Batch& batch) {
  counts_ += batch.counts;
  here_ += batch.counts;
  seconds_ += batch.seconds;
  last_seconds_ = batch.seconds;
  last_batch_ = batch.range.size();
}

double Schedule::scatterings() const {
  return here_.moments.sums[int(montecarlo::Moment::scatterings)].value();
}

std::uint64_t Schedule::batch_size() const {
  if (batch_.all > 0) return std::min(batch_.all, max_batch);
  if (last_batch_ == 0) return batch_.first;
  const double growth = std::clamp(seconds_of_batch / std::max(last_seconds_, 1e-6), 0.125, 8.);
  return std::clamp(std::uint64_t(double(last_batch_) * growth), batch_.first, max_batch);
}

std::uint64_t Schedule::expected() const {
  std::uint64_t expected = histories();
  for (const auto& range : counts_.histories.missing(goal_.histories)) expected += range.size();
  const auto held = counts_.histories.size();
  if (goal_.precision == 0.) return expected;
  if (held < first_check) return std::min(expected, histories() + first_check - held);
  const double ratio = relative_error(counts_.moments) / goal_.precision;
  const double more = std::max(0., double(held) * (ratio * ratio - 1.));
  return more < 0x1p63 ? std::min(expected, histories() + std::uint64_t(more)) : expected;
}

Interruption::Interruption() {
  signal_came = 0;
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}
Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}
bool Interruption::requested() { return signal_came != 0; }

}  // namespace coulomb
