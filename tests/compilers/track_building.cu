// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Binning of hits, windows and all strategies of track building, for TRACKPLEX_SPACE: device code
/// of scalars, or host code of lanes.

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>

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
  hits::LayerHits<T, MemoryOf<Space>> hits;
  hits::upload(exec, hits::HostLayerHits<float>(10), hits);
  using Binned = search::BinnedHits<T, MemoryOf<Space>, Coordinate, Axis>;
  using BinHits = search::BinHits<T, Space, Binned>;
  Binned binned;
  typename BinHits::Scratch scratch;
  run_algorithm(exec, BinHits{{exec, 100, axes}}, hits, binned, scratch);
  seeding::Seeds<T, MemoryOf<Space>> seeds;
  const tracks::CylinderLayers detector;
  const kalman::UniformField field{3.8};
  tracks::FoundTracks<T, MemoryOf<Space>> found;
  using namespace candidates;
  const auto build = [&]<class Strategy>(Strategy) {
    run_algorithm(exec,
                  BuildTracks<Strategy, T, Space, kalman::UniformField, Binned>{detector, field},
                  seeds, binned, found);
  };
  build(BestHit());
  build(Standard<6>());
  build(CloneEngine<6>());
  tracks::KeptTracks<T, MemoryOf<Space>> kept;
  typename ResolveAmbiguities<T, Space>::Scratch shared;
  run_algorithm(exec, ResolveAmbiguities<T, Space>{}, hits, found, kept, shared);
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
