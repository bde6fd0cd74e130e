// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <trackplex/trackplex.hpp>

using namespace trackplex;

/// Counts the hits on a layer of event 0 in windows, one per lane.
template <class Real, class Binned, class Space>
struct CountHits {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  Binned binned;
  int layer;
  Kokkos::View<const T*, typename Space::memory_space> phi, z;
  Kokkos::View<int*, typename Space::memory_space> counts;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const search::HitWindow<Real> window{tile.load(phi.data()), Real(T(0.1)), tile.load(z.data()),
                                         Real(T(0.5))};
    Integer n = 0;
    search::for_each_hit_in(
        binned, layer, Integer(0), window, tile.mask(),
        [&](const Integer& /*place*/, const auto& /*hit: x, y, z, phi*/,
            const MaskOf<Real>& inside) { n += select(inside, Integer(1), Integer(0)); });
    tile.store(counts.data(), n);
  }
};

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  constexpr int width = default_lane_width<Space, float>;
  const Space exec;

  // One layer at 20 cm with a hit every 0.001 rad, at z = -10 to 10 cm.
  hits::HostLayerHits<float> host(1);
  for (int i = 0; i < 6283; ++i)
    host.add(20.f * float(cos(0.001 * i)), 20.f * float(sin(0.001 * i)), float(i % 21 - 10),
             {1e-4f, 0.f, 1e-4f, 0.f, 0.f, 1e-2f});
  host.end_layer();
  hits::LayerHits<float, MemoryOf<Space>> hits;
  hits::upload(exec, host, hits);

  // Bins of 0.02 rad and 1 cm.
  const search::BinHits<float, Space> bin_hits{{exec, 314, {{-10.5, 10.5, 21}}}};
  search::BinHits<float, Space>::Scratch scratch;
  search::BinnedHits<float, MemoryOf<Space>> binned;
  run_algorithm(exec, bin_hits, hits, binned, scratch);

  const int n = 100;
  Kokkos::View<float*, Space::memory_space> phi("Trackplex::Guide::phi", n);
  Kokkos::View<float*, Space::memory_space> z("Trackplex::Guide::z", n);
  Kokkos::View<int*, Space::memory_space> counts("Trackplex::Guide::counts", n);
  Kokkos::deep_copy(exec, phi, 3.14f);  // the windows cross the seam
  Kokkos::deep_copy(exec, z, 0.4f);     // hits at z = 0
  using Real = LanesOf<float, width>;
  for_each_tile<Real>(exec, "Trackplex::Guide::count_hits", n,
                      CountHits<Real, decltype(binned), Space>{binned, 0, phi, z, counts});
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  std::printf("%d of %d hits\n", found(0), hits.hits);
}
