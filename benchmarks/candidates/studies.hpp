// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace trackplex::benchmarks {

/// The order of the seeds of an event: that of `seeding::truth_seeds`, the particles', or that of
/// the bins that their last hits are in.
enum class SeedOrder { azimuth, particle, bins };

/// What is measured: the input, and how the work on it is shared out.
struct TrackingCase {
  std::string study = "steps", name;
  int tracks = 10000;  ///< of an event
  int events = 1;
  int batch = 1;  ///< events in flight
  int azimuth_bins = 256;
  double bin_length = 0.5;  ///< cm, along z
  int seeds_per_team = 32;
  SeedOrder order = SeedOrder::azimuth;
  bool best_hit = true, standard = true, clone_engine = true, fit = true;
};

/// What is varied, one thing at a time; "steps" varies nothing.
const std::vector<std::string>& study_names();

/// The cases of a study; what it does not vary is that of `base`. Events have at most `max_tracks`
/// tracks.
std::vector<TrackingCase> cases_of(const std::string& study, const TrackingCase& base,
                                   int max_tracks);

const std::vector<std::string>& seed_order_names();
SeedOrder seed_order(const std::string& name);
const std::string& name_of(SeedOrder order);

}  // namespace trackplex::benchmarks
