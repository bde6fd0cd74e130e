// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// All of Trackplex but the optional parts: io/ (target trackplex::io) and program/ (target
/// trackplex::program).

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/counted.hpp>
#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/enabled_spaces.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/quad.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/workspace.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/lhcb/velo_tracking.hpp>
#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/matriplex/inverse.hpp>
#include <trackplex/matriplex/records.hpp>
#include <trackplex/matriplex/similarity.hpp>
#include <trackplex/search/sort_by_phi.hpp>
#include <trackplex/search/windows.hpp>
#include <trackplex/seeding/fit_lines.hpp>
#include <trackplex/seeding/search_by_triplet.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/simulation/velo_generator.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>
#include <trackplex/validation/pulls.hpp>
#include <trackplex/validation/tracking_quality.hpp>
#include <trackplex/validation/truth_matching.hpp>
#include <trackplex/validation/velo_validation.hpp>
#include <trackplex/version.hpp>
