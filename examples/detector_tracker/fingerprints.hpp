// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// What --fingerprints writes: the hits of each batch, and the tracks that each pass found in it.

#include "find.hpp"

#include <common/fingerprints.hpp>
#include <common/report.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace detector_tracker {

/// Numbers as an array of a step.
template <class T>
chain::StepArray array_of(const std::string& label, const std::vector<T>& numbers,
                          std::size_t elements = 1) {
  return {.label = label,
          .type = (std::is_floating_point_v<T> ? "float" : "int") + std::to_string(8 * sizeof(T)),
          .element_bytes = sizeof(T),
          .tiles = {numbers.size() / elements, elements, 1},
          .data = reinterpret_cast<const char*>(numbers.data())};
}

/// Arrays of the tracks of a pass, in the number type that they were found in.
template <class Real>
struct PassArrays {
  std::vector<std::int32_t> event, n_hits, hits, measurements;
  std::vector<Real> chi2, parameters, covariances;

  template <class TracksOfEvent>
  void add(std::int32_t of_event, const TracksOfEvent& tracks, std::size_t t) {
    const auto its_hits = tracks.hits_of(t);
    event.push_back(of_event);
    n_hits.push_back(std::int32_t(its_hits.size()));
    hits.insert(hits.end(), its_hits.begin(), its_hits.end());
    measurements.push_back(tracks.measurements[t]);
    chi2.push_back(Real(tracks.chi2[t]));
    for (const double x : tracks.states[t].parameters.elements) parameters.push_back(Real(x));
    for (const double x : tracks.states[t].covariance.elements) covariances.push_back(Real(x));
  }

  chain::StepArrays step(int pass) const {
    const std::size_t n = std::max<std::size_t>(event.size(), 1);
    return {
        "pass " + std::to_string(pass),
        {array_of("event", event), array_of("number of hits", n_hits), array_of("hits", hits),
         array_of("measurements", measurements), array_of("chi2", chi2),
         array_of("parameters", parameters, std::max<std::size_t>(parameters.size() / n, 1)),
         array_of("covariances", covariances, std::max<std::size_t>(covariances.size() / n, 1))}};
  }
};

/// Adds a run that found `events`, those of all batches.
template <class Real, class TracksOfEvent>
void add_fingerprints(program::FingerprintFile& file, const program::RunDescription& run,
                      const Batches& batches, const std::vector<TracksOfEvent>& events,
                      std::size_t passes) {
  file.begin_run(run, "");
  auto first = events.begin();
  for (const auto* batch : batches) {
    file.begin_batch(std::size_t(batch->events()));
    file.add({"hits", {array_of("u", batch->u), array_of("v", batch->v)}});
    std::vector<PassArrays<Real>> arrays(passes);
    for (std::int32_t event = 0; event < batch->events(); ++event, ++first)
      for (std::size_t t = 0; t < first->size(); ++t)
        arrays[std::size_t(first->pass[t])].add(event, *first, t);
    for (std::size_t pass = 0; pass < passes; ++pass) file.add(arrays[pass].step(int(pass)));
  }
}

}  // namespace detector_tracker
