// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// All algorithms of the library. So that it is quick to include, it does not include what only
/// some programs need: simulation/ (generators with truth), validation/ and perfmodel/, and the
/// optional components io/ and hdf5/ (targets trackplex::io and trackplex::hdf5). Include their
/// headers by name. The pipeline is left out where the C++ library has no `std::stop_token`.

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/lattice.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/beam/maps/map_pattern.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/candidates/add_overlap_hits.hpp>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/chain/chain.hpp>
#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/core/bessel.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/counted.hpp>
#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/enabled_spaces.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/core/real_fft.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/unroll.hpp>
#include <trackplex/core/workspace.hpp>
#include <trackplex/cylinder/tracking_chain.hpp>
#include <trackplex/detector/collider_finder.hpp>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/geometry/detector.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/histogram/deposit.hpp>
#include <trackplex/histogram/extrema.hpp>
#include <trackplex/kalman/beam_spot.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/lhcb/check_detector.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>
#include <trackplex/lhcb/decode_scifi.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks.hpp>
#include <trackplex/lhcb/scifi/find_long_tracks.hpp>
#include <trackplex/lhcb/scifi/find_scifi_tracks.hpp>
#include <trackplex/lhcb/scifi/match_tracks.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/fit_lines.hpp>
#include <trackplex/lhcb/velo/search_by_triplet.hpp>
#include <trackplex/lhcb/velo/sort_by_phi.hpp>
#include <trackplex/lhcb/velo/velo_beam_states.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/lhcb/velo/windows.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/matriplex/inverse.hpp>
#include <trackplex/matriplex/records.hpp>
#include <trackplex/matriplex/similarity.hpp>
#include <trackplex/montecarlo/transport.hpp>
#include <trackplex/pipeline/stop_flag.hpp>
#include <trackplex/search/hit_windows.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>
#include <trackplex/seeding/truth_seeds.hpp>
#include <trackplex/version.hpp>
#include <trackplex/vertexing/find_vertices.hpp>

#include <version>

#ifdef __cpp_lib_jthread  // elsewhere pipeline.hpp, included by name, says what is missing
#include <trackplex/pipeline/pipeline.hpp>
#endif
