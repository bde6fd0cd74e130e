// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Binning of hits, windows and all strategies of track building, for TRACKPLEX_SPACE: device code
/// of scalars, or host code of lanes.

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/candidates/shared_hits.hpp>

namespace trackplex {
namespace {

/// What the launchers do not call.
template <class Real, class Integers>
struct KeepTheBest {
  Integers numbers;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    const TeamLanes<Real, Member> team(member);
    const auto better = [](int a, int b) { return a < b; };
    team.single([&] {
      candidates::BoundedHeap<candidates::StridedEntries<int>, decltype(better)> heap(
          {numbers.data(), 2}, 10, better);
      for (int i = 0; i < 20; ++i) heap.push(numbers(i));
      heap.replace_worst(3);
      heap.sort();
    });
    candidates::merge_best(
        team, 20, 10, [&](int i) { return numbers(i); }, better,
        [&](int place, int i) { numbers(place) = i; });
  }
};

template <class T, class Coordinate, class Axis, class Space>
void use(const Space& exec, const std::vector<Axis>& axes) {
  constexpr int width = default_lane_width<Space, T>;
  search::LayerHits<T, MemoryOf<Space>> hits;
  search::upload(exec, search::HostLayerHits<float>(10), hits);
  search::BinnedHits<T, MemoryOf<Space>, Coordinate, Axis> binned(exec, 100, axes);
  Workspace<Space> workspace;
  search::bin_hits<width>(exec, hits, binned, workspace);
  seeding::Seeds<T, MemoryOf<Space>> seeds;
  const seeding::CylinderLayers detector;
  const kalman::UniformField field{3.8};
  candidates::FoundTracks<T, MemoryOf<Space>> found;
  using namespace candidates;
  build_tracks<BestHit, width>(exec, seeds, binned, detector, field, {}, found);
  build_tracks<Standard<6>, width>(exec, seeds, binned, detector, field, {}, found);
  build_tracks<CloneEngine<6>, width>(exec, seeds, binned, detector, field, {}, found);
  KeptTracks<T, MemoryOf<Space>> kept;
  remove_shared_hits(exec, hits, found, {}, kept, workspace);
}

[[maybe_unused]] void use_all() {
  const TRACKPLEX_SPACE exec;
  use<float, search::AlongZ>(exec, std::vector<histogram::RegularAxis<float>>());
  use<double, search::AlongEta>(exec, std::vector<histogram::VariableAxis<double>>());
  using Integers = Kokkos::View<int*, typename TRACKPLEX_SPACE::memory_space>;
  for_each_team(exec, "KeepTheBest", 1, KeepTheBest<float, Integers>{Integers("numbers", 20)});
}

}  // namespace
}  // namespace trackplex
