// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_results.hpp"

#include "vertex_pulls.hpp"

#include <common/fit_statuses.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace detector_tracker {

using trackplex::program::Json;

namespace {

class Sums {
 public:
  void add(const Track& track, const FittedTrack& fit) {
    ++tracks_;
    statuses_.add(fit.status);
    if (!fit.reached) {
      ++lost_;
    } else if (!pulls_.add(track.truth, fit.state)) {
      ++failed_;
    } else {
      chi2_ += fit.chi2;
      degrees_of_freedom_ += fit.measurements - VertexPulls::size;
      outliers_ += std::uint64_t(fit.outliers);
    }
  }

  FitResults results() const {
    const bool empty = pulls_.count() == 0;
    return {empty, to_json(), empty ? Json::array() : Json{pulls_.plot()}, text()};
  }

 private:
  Json to_json() const {
    Json json = {{"tracks", tracks_},     {"fitted", pulls_.count()},
                 {"lost", lost_},         {"failed", failed_},
                 {"outliers", outliers_}, {"status_of_fits", statuses_.to_json()}};
    if (pulls_.count() == 0) return json;
    json["chi2_per_degree_of_freedom"] = chi2_ / double(degrees_of_freedom_);
    json["pulls"] = pulls_.to_json(0, VertexPulls::of_momentum - 1);
    json["impact_pulls"] = pulls_.to_json(VertexPulls::of_momentum, VertexPulls::size - 1);
    json["resolution"] = pulls_.resolution();
    return json;
  }

  std::string text() const {
    std::string text = fmt::format("{} of {} tracks fitted", pulls_.count(), tracks_);
    if (lost_ > 0) text += fmt::format("; {} without a fit at the vertex", lost_);
    if (failed_ > 0) text += fmt::format("; {} without a positive variance", failed_);
    if (outliers_ > 0) text += fmt::format("; {} outliers skipped", outliers_);
    const bool empty = pulls_.count() == 0;
    if (!empty) text += fmt::format("; chi2/ndf {:.3f}", chi2_ / double(degrees_of_freedom_));
    text += "\n";
    if (const auto statuses = statuses_.text(); !statuses.empty())
      text += fmt::format("status of the fits: {}\n", statuses);
    return empty ? text : text + "\n" + pulls_.text();
  }

  std::uint64_t tracks_ = 0;
  std::uint64_t lost_ = 0;    ///< fits that did not reach the vertex
  std::uint64_t failed_ = 0;  ///< have a variance that is not positive
  std::uint64_t outliers_ = 0;
  trackplex::program::FitStatuses statuses_;  ///< of all tracks
  double chi2_ = 0.;
  std::int64_t degrees_of_freedom_ = 0;
  VertexPulls pulls_;
};

}  // namespace

FitResults fit_results(const std::vector<Track>& tracks, const std::vector<FittedTrack>& fits) {
  Sums sums;
  for (std::size_t i = 0; i < tracks.size(); ++i) sums.add(tracks[i], fits[i]);
  return sums.results();
}

}  // namespace detector_tracker
