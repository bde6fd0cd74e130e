// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Chain that finds tracks in any detector of modules, in passes: stage_hits, upload_hits,
/// free_all_hits, and in each pass bin_free_hits, seeding, building, resolve_ambiguities,
/// inflate_covariances, add_overlap_hits, add_inner_hits, fit_tracks, select_tracks, fetch_tracks,
/// collect_tracks. Seeding is find_detector_triplets, count_triplets, fill_seeds and fit_seeds, or
/// count_lines and fill_lines; building has the name of its strategy.

#include <trackplex/chain/chain.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/detector/finder_steps.hpp>
#include <trackplex/detector/inflate_covariances.hpp>
#include <trackplex/detector/select_tracks.hpp>
#include <trackplex/detector/track_finder_params.hpp>
#include <trackplex/hits/split.hpp>
#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/seeding/detector_triplets.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/line_seeds.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::detector {

namespace detail {

/// Algorithms of a track finder, and how they are made.
template <class T, class ExecutionSpace, class Field, class Params, int Width>
struct FinderAlgorithms {
  using Model = typename Params::Model;
  using Memory = MemoryOf<ExecutionSpace>;
  using Hits = hits::DetectorHits<T, Memory>;
  using Binned = search::BinnedDetectorHits<T, Memory>;
  using Bin = search::BinFreeHits<T, ExecutionSpace, Width>;
  using FindTriplets = seeding::FindDetectorTriplets<T, ExecutionSpace, Field, Width>;
  using CountTriplets = seeding::CountTriplets<ExecutionSpace>;
  using FillSeeds = seeding::FillSeeds<T, ExecutionSpace, Field, Binned, Width>;
  using FitSeeds =
      seeding::FitSeeds<T, ExecutionSpace, Field, Width, geometry::Detector<T, Memory>>;
  using CountLines = seeding::CountLines<T, ExecutionSpace>;
  using FillLines = seeding::FillLines<T, ExecutionSpace>;
  using Build = candidates::BuildTracks<typename Params::Strategy, T, ExecutionSpace, Field, Binned,
                                        Width, Model>;
  using Resolve = candidates::ResolveAmbiguities<T, ExecutionSpace, Hits, Model>;
  using Inflate = detector::InflateCovariances<T, ExecutionSpace, Width, Model>;
  using OnOverlaps = AddOverlaps<T, ExecutionSpace, Field, Width, Model>;
  using Before = AddInners<T, ExecutionSpace, Field, Width, Model>;
  using Fit = FitCompleteTracks<T, ExecutionSpace, Field, Width, Model>;
  using Select = detector::SelectTracks<T, ExecutionSpace, Model>;
  using Fetch = FetchTracks<T, ExecutionSpace, Model>;
  using Collect = CollectTracks<T, Memory, Model>;

  template <class Algorithm>
  using InPasses = chain::InPasses<Algorithm>;
  template <class... Seeding>
  using With = chain::Chain<
      ExecutionSpace, chain::Inputs<Events>,
      chain::Steps<StageHits<T>, UploadHits<T, ExecutionSpace>, FreeAllHits<T, ExecutionSpace>,
                   InPasses<Bin>, InPasses<Seeding>..., InPasses<Build>, InPasses<Resolve>,
                   InPasses<Inflate>, InPasses<OnOverlaps>, InPasses<Before>, InPasses<Fit>,
                   InPasses<Select>, InPasses<Fetch>, InPasses<Collect>>>;
  static constexpr bool is_central = std::is_same_v<Model, kalman::CentralTrack>;
  using Chain =
      std::conditional_t<is_central, With<FindTriplets, CountTriplets, FillSeeds, FitSeeds>,
                         With<CountLines, FillLines>>;

  const ExecutionSpace& exec;
  const geometry::DetectorDescription& description;
  const Field& field;
  const Params& params;
  geometry::Navigation<T, Memory> navigation, inwards;

  FinderAlgorithms(const ExecutionSpace& instance, const geometry::DetectorDescription& detector,
                   const geometry::LayerGraph& graph, const Field& in_field,
                   const Params& of_finder)
      : exec(instance),
        description(detector),
        field(in_field),
        params(of_finder),
        navigation(geometry::to_device<T>(exec, detector, graph, params.navigation)),
        inwards(geometry::with_graph(exec, navigation, geometry::reversed(graph))) {}

  Chain chain(const chain::ArenaSize& arena) const {
    const auto& detector = navigation.detector;
    if constexpr (is_central) {
      return with(arena, in_passes([&](const auto& pass) {
                    return FindTriplets(exec, description, field, pass.seeds);
                  }),
                  in_passes([](const auto&) { return CountTriplets(); }),
                  in_passes([&](const auto& pass) {
                    return FillSeeds{field, {.from_z = pass.seeds.beam_z}};
                  }),
                  in_passes([&](const auto& pass) {
                    return FitSeeds{detector, field, true, {.mass = pass.building.mass}};
                  }));
    } else {
      const auto count = [&](const auto& pass) { return CountLines{detector, pass.seeds}; };
      return with(arena, in_passes(count),
                  in_passes([&](const auto& pass) { return FillLines{count(pass)}; }));
    }
  }

 private:
  /// An algorithm of all passes: make(pass) returns that of one.
  template <class Make>
  auto in_passes(const Make& make) const {
    return chain::in_passes(params.passes, make);
  }

  template <class... Seeding>
  With<Seeding...> with(const chain::ArenaSize& arena, InPasses<Seeding>... seeding) const {
    const Bin bin{{{navigation.detector, search::layer_axes<T>(exec, description, params.bins)}}};
    auto options = params.fit;
    options.along = false;
    int number = 0;
    return {
        exec,
        arena,
        /* stage_hits */ {int(description.layers.size())},
        /* upload_hits */ {},
        /* free_all_hits */ {},
        in_passes([&](const auto&) { return bin; }),
        std::move(seeding)...,
        in_passes([&](const auto& pass) {
          return Build{navigation, field, pass.building};
        }),
        in_passes([](const auto& pass) { return Resolve{pass.shared_hits}; }),
        in_passes([&](const auto&) { return Inflate{params.start_spread * params.start_spread}; }),
        in_passes([&](const auto& pass) { return on_overlaps(pass, options); }),
        in_passes([&](const auto& pass) { return before(pass); }),
        in_passes([&](const auto&) {
          return Fit{navigation.detector, field, options};
        }),
        in_passes([](const auto& pass) { return Select{pass.selection}; }),
        in_passes([](const auto&) { return Fetch(); }),
        in_passes([&](const auto&) { return Collect{number++}; })};
  }

  template <class Pass>
  OnOverlaps on_overlaps(const Pass& pass, const kalman::FitOptions& options) const {
    OnOverlaps step{{navigation, field, pass.building, options}};
    step.add.params.max_chi2 = params.added_chi2;
    return step;
  }
  template <class Pass>
  Before before(const Pass& pass) const {
    Before step{{inwards, field, pass.building}};
    auto& limits = step.add.params;
    limits.max_chi2 = params.added_chi2;
    limits.max_holes = 1;
    limits.min_cosine = params.inner_min_cosine;
    limits.max_layers = params.inner_layers + 1;
    return step;
  }
};

/// Checks what the algorithms do not check until they run.
/// @throws UsageError
template <class Params>
void check_finder(const geometry::DetectorDescription& detector, const Params& params) {
  if (params.passes.empty())
    throw UsageError("track_finder", "there is no pass", {},
                     "set `passes`, or use collider_finder_params");
  if (params.inner_layers < 0 || !(params.added_chi2 > 0.) || !(params.start_spread > 0.))
    throw UsageError("track_finder", "a limit is not positive",
                     std::to_string(params.inner_layers) + " inner layers, chi2 " +
                         shortest(params.added_chi2) + ", spread " + shortest(params.start_spread));
  if constexpr (std::is_same_v<typename Params::Model, kalman::ForwardTrack>)
    for (const auto& pass : params.passes)
      seeding::check_lines(pass.seeds, int(detector.layers.size()));
}

}  // namespace detail

/// Chain from `Events` (hits on modules, lists of one event each) to a `TrackList` per event, see
/// `track_finder`.
/// @tparam Field functor that returns B_z, see kalman/field_along_z.hpp, or a vector field, in
/// which tracks are built and fitted; triplets are in its `kalman::turning_field`. In a map,
/// `kalman::HelicesInField` is fast
/// @tparam Params a `TrackFinderParams`, with track model and strategy
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field, class Params = TrackFinderParams<>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
using TrackFinder =
    typename detail::FinderAlgorithms<T, ExecutionSpace, Field, Params, Width>::Chain;

/// Returns the names of the steps of a `TrackFinder` for `Chain::select`: those before the passes,
/// and those of a pass, once for each pass.
/// @param one_pass `TrackFinder::default_steps()`
inline std::vector<std::string> steps_in_passes(std::vector<std::string> one_pass,
                                                std::size_t passes) {
  constexpr int before_passes = 3;
  const std::vector<std::string> of_pass(one_pass.begin() + before_passes, one_pass.end());
  for (std::size_t pass = 1; pass < passes; ++pass)
    one_pass.insert(one_pass.end(), of_pass.begin(), of_pass.end());
  return one_pass;
}

/// Makes the chain that finds tracks in a detector of modules. In each pass the hits that are on no
/// track yet are binned, seeds are found and fitted, tracks are built from them, tracks that share
/// too many hits are removed, hits on overlapping modules and before the first hit are added, and
/// tracks are fitted from their last hit to the first and selected.
///
/// Seeds of central tracks are triplets on helices about the z axis, seeds of forward tracks
/// straight lines upstream of a magnet. All passes are selected; `select` chooses other steps, see
/// `steps_in_passes`.
///
///     auto find_tracks = track_finder<float>(exec, detector, graph, field, params);
///     const std::vector<TrackList<>> tracks = find_tracks(hits::split(hits));
///
/// @tparam T scalar of hits and states
/// @tparam Width number of lanes
/// @throws UsageError if the detector, its graph, or a parameter is not possible
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>, class Field,
          class Params>
TrackFinder<T, ExecutionSpace, Field, Params, Width> track_finder(
    const ExecutionSpace& exec, const geometry::DetectorDescription& detector,
    const geometry::LayerGraph& graph, const Field& field, const Params& params,
    const chain::ArenaSize& arena = {}) {
  using Algorithms = detail::FinderAlgorithms<T, ExecutionSpace, Field, Params, Width>;
  detail::check_finder(detector, params);
  auto finder = Algorithms(exec, detector, graph, field, params).chain(arena);
  finder.select(steps_in_passes(finder.default_steps(), params.passes.size()));
  return finder;
}

}  // namespace trackplex::detector

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/detector/detail/track_finder.instances.hpp>
#endif
