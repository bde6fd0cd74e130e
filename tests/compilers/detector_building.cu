// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Binning of hits on modules, all strategies of track building there, hits on neighbouring modules
/// and the selection of tracks, for TRACKPLEX_SPACE: device code of scalars, or host code of lanes.

#include <trackplex/candidates/add_inner_hits.hpp>
#include <trackplex/candidates/add_overlap_hits.hpp>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/detector/select_tracks.hpp>

namespace trackplex {
namespace {

template <class T, class Model, class Space, class Field>
void use(const Space& exec, const geometry::DetectorDescription& description, const Field& field) {
  using Memory = MemoryOf<Space>;
  using Bin = search::BinFreeHits<T, Space>;
  const auto navigation =
      geometry::to_device<T>(exec, description, geometry::find_layer_graph(description));
  const auto hits = hits::to_device<T>(exec, hits::HostDetectorHits(description));
  typename Bin::Taken taken;
  typename Bin::Binned binned;
  typename Bin::Scratch scratch;
  run_algorithm(exec, Bin{{{navigation.detector, search::layer_axes<T>(exec, description)}}}, hits,
                taken, binned, scratch);
  const seeding::Seeds<T, Memory, Model> seeds;
  tracks::FoundTracks<T, Memory, Model> found;
  using namespace candidates;
  const auto build = [&]<class Strategy>(Strategy) {
    using Build = BuildTracks<Strategy, T, Space, Field, typename Bin::Binned,
                              default_lane_width<Space, T>, Model>;
    run_algorithm(exec, Build{navigation, field}, seeds, binned, found);
  };
  build(CloneEngine<4>());
  using Add = AddOverlapHits<T, Space, Field, default_lane_width<Space, T>, Model>;
  typename Add::Hits added;
  typename Add::States ends;
  typename Add::Scratch claims;
  run_algorithm(exec, Add{navigation, field},
                typename Add::Tracks{hits, found.hits, navigation.detector}, binned, found.states,
                added, ends, claims);
  if constexpr (std::is_same_v<Model, kalman::CentralTrack>) {
    using AddInner = AddInnerHits<T, Space, Field>;
    typename AddInner::Hits all;
    typename AddInner::Scratch turned;
    run_algorithm(exec, AddInner{navigation, field},
                  typename AddInner::Tracks{hits, added, navigation.detector}, binned, ends, all,
                  turned);
    build(BestHit());
    build(Standard<4>());
    tracks::KeptTracks<T, Memory> kept;
    using Remove = ResolveAmbiguities<T, Space, typename Bin::Hits>;
    typename Remove::Scratch shared;
    run_algorithm(exec, Remove{}, hits, found, kept, shared);
    using Select = detector::SelectTracks<T, Space>;
    typename Select::Accepted accepted;
    run_algorithm(exec, Select{}, typename Select::Tracks{added}, typename Select::Fits(), taken,
                  accepted);
  }
}

}  // namespace

void use_all(const geometry::DetectorDescription& description) {
  const TRACKPLEX_SPACE exec;
  use<float, kalman::CentralTrack>(exec, description, kalman::UniformField{2.});
  use<double, kalman::CentralTrack>(exec, description, kalman::UniformField{2.});
  use<float, kalman::ForwardTrack>(exec, description, geometry::UniformVectorField{0., 1., 0.});
}

}  // namespace trackplex
