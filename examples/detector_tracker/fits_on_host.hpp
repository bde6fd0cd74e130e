// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fits.hpp"

#include <trackplex/core/copy.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace detector_tracker {

/// Copies fits to the host, without fingerprints.
template <class ExecutionSpace, class States, class Results>
std::vector<FittedTrack> fits_on_host(const ExecutionSpace& exec, const States& states,
                                      const Results& results) {
  const auto on_host = kalman::states_on_host(exec, states);
  const auto chi2 = to_host(exec, results.chi2);
  const auto measurements = to_host(exec, results.measurements);
  const auto outliers = to_host(exec, results.outliers);
  const auto reached = to_host(exec, results.reached);
  const auto status = to_host(exec, results.status);
  std::vector<FittedTrack> tracks;
  for (std::size_t i = 0; i < on_host.size(); ++i)
    tracks.push_back({bool(reached(i)), kalman::FitStatus(status(i)), double(chi2(i)),
                      int(measurements(i)), int(outliers(i)), on_host[i]});
  return tracks;
}

inline std::string hash_of_fits(const std::vector<FittedTrack>& tracks) {
  Fingerprint hash;
  hash.add(std::uint64_t(tracks.size()));
  for (const auto& track : tracks) hash.add(track.fingerprint);
  return hash.hex();
}

}  // namespace detector_tracker
