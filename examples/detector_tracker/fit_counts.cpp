// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_counts.hpp"

#include <fmt/format.h>

namespace detector_tracker {

bool FitCounts::add(kalman::FitStatus status, bool reached) {
  ++tracks;
  statuses.add(status);
  if (!reached) ++lost;
  return reached;
}

void FitCounts::add_fitted(double its_chi2, int its_degrees_of_freedom, int its_outliers) {
  chi2 += its_chi2;
  degrees_of_freedom += its_degrees_of_freedom;
  outliers += std::uint64_t(its_outliers);
}

nlohmann::ordered_json FitCounts::to_json() const {
  return {{"tracks", tracks}, {"fitted", fitted()},   {"lost", lost},
          {"failed", failed}, {"outliers", outliers}, {"status_of_fits", statuses.to_json()}};
}

std::string FitCounts::text(const std::string& end, const std::string& more) const {
  std::string text = fmt::format("{} of {} tracks fitted", fitted(), tracks);
  if (lost > 0) text += fmt::format("; {} without a fit {}", lost, end);
  if (failed > 0) text += fmt::format("; {} without a positive variance", failed);
  if (outliers > 0) text += fmt::format("; {} outliers skipped", outliers);
  text += more + "\n";
  if (const auto of_fits = statuses.text(); !of_fits.empty())
    text += fmt::format("status of the fits: {}\n", of_fits);
  return text;
}

}  // namespace detector_tracker
