// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/histogram/deposit.hpp>
#include <trackplex/histogram/extrema.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/matriplex/records.hpp>
#include <trackplex/montecarlo/transport.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/truth_seeds.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include "check_launchers.hpp"
#include "support/spaces.hpp"
#include "support/toy_events.hpp"

using namespace trackplex;

namespace {

template <class Space>
struct Fill {
  Kokkos::View<int*, typename Space::memory_space> x;
  KOKKOS_FUNCTION void operator()(Tile<int> tile) const { x(tile.first) = 3; }
};

struct Record {
  float covariance[6];
};

/// Every launcher of the library by name, as a call that can be repeated.
template <class Space>
class Launchers {
  using Memory = typename Space::memory_space;

 public:
  explicit Launchers(const Space& exec)
      : exec_(exec),
        counts_("Trackplex::Test::counts", n),
        offsets_("Trackplex::Test::offsets", n + 1),
        permutation_("Trackplex::Test::permutation", n),
        x_("Trackplex::Test::x", n),
        result_("Trackplex::Test::result", 4),
        records_("Trackplex::Test::records", n),
        events_(test::toy_velo_events()),
        bin_hits_{
            {exec, 100, std::vector<histogram::RegularAxis<float>>(n_layers, {-100., 100., 50})}} {
    calls["for_each_tile"] = [this] {
      for_each_tile<int>(exec_, "Trackplex::Test::fill", n, Fill<Space>{counts_});
    };
    calls["exclusive_scan"] = [this] { exclusive_scan(exec_, counts_, offsets_, n); };
    calls["counting_sort"] = [this] {
      counting_sort(exec_, counts_, n, 5, offsets_, permutation_, workspace_);
    };
    calls["reduce"] = [this] {
      constexpr int width = default_lane_width<Space, double>;
      reduce_array<Sum, width>(exec_, x_, n, result_, workspace_);
      sum_powers<width>(exec_, x_, n, 1., result_, workspace_);
    };
    add_histograms();
    add_transport();
    calls["gather_records"] = [this] {
      gather_records(exec_, records_, EveryRecord{}, n, Member<&Record::covariance>{}, matrices_);
    };
    calls["scatter_records"] = [this] {
      scatter_records(exec_, matrices_, EveryRecord{}, Member<&Record::covariance>{}, records_);
    };
    for (const auto year :
         {lhcb::VeloConstants::y2019, lhcb::VeloConstants::y2020, lhcb::VeloConstants::y2023}) {
      auto& velo = velo_.emplace_back(
          std::make_unique<Velo>(lhcb::velo_chain<float>(exec_, lhcb::velo_params(year))));
      (*velo)(events_);
      calls["velo_" + std::to_string(velo_.size())] = [&velo = *velo] {
        velo.repeat({"sort_by_phi", "search_by_triplet", "fit_lines"});
      };
    }
    constexpr int width = default_lane_width<Space, float>;
    calls["kalman_1_generate"] = [this] {
      simulation::generate_cylinder_tracks<width>(exec_, {}, n_tracks, field_, tracks_);
      simulation::start_near<width>(exec_, tracks_.start, {1., 1., 1., 0.1, 0.1, 0.1}, 1, states_);
    };
    calls["kalman_2_fit"] = [this] {
      kalman::fit_tracks<width>(exec_, states_, field_, tracks_.hits.view(), {}, fits_);
    };
    add_track_building();
    calls["kalman_3_smooth"] = [this] {
      kalman::smooth_tracks<width>(exec_, states_, field_, tracks_.hits.view(), 10, {}, fits_,
                                   smoothed_, steps_);
    };
  }

  test::Calls calls;

 private:
  void add_histograms() {
    using namespace histogram;
    using Real = LanesOf<double, default_lane_width<Space, double>>;
    using MaximumBins = Kokkos::View<MaximumBin<std::int64_t>*, Memory>;
    const Kokkos::View<std::int64_t*, Memory> bins("Trackplex::Test::bins", 50);
    const Kokkos::View<OutsideCounts*, Memory> outside("Trackplex::Test::outside", 1);
    const MaximumBins maximum("Trackplex::Test::maximum", 1);
    const auto positions = positions_on(RegularAxis<double>(-1., 1., 50), x_);
    calls["histogram_value_range"] = [=, this] {
      value_range<Real>(exec_, n, positions, result_, workspace_);
    };
    for (const Strategy strategy :
         {Strategy::global_atomics, Strategy::replicated, Strategy::sorted})
      calls["histogram_deposit_" + std::to_string(int(strategy))] = [=, this] {
        for (const Deposition deposition : {Deposition::nearest, Deposition::linear})
          Deposit<double, Space>{{50, strategy, deposition}}(exec_, n, positions, bins, outside,
                                                             workspace_);
        maximum_bin(exec_, bins, 50, maximum);
      };
  }

  /// Each call runs other histories.
  void add_transport() {
    using namespace montecarlo;
    const auto list =
        tallies(AxisTally<Longitudinal, float>({-1., 1., 200}),
                PlaneTally<Longitudinal, Angle, float>({-1., 1., 300}, {0., 4., 300}));
    const auto transport = std::make_shared<Transport<float, Space, std::decay_t<decltype(list)>>>(
        exec_, TransportParams{1e-3, 33.5, 1}, list);
    const auto next = std::make_shared<std::uint64_t>(0);
    calls["montecarlo_run"] = [=, this] {
      transport->run(exec_, {*next, *next + 1000});
      *next += 1000;
    };
  }

  /// Events of cylinders, on which the later calls work.
  void add_track_building() {
    simulation::CylinderEventParams params;
    params.tracks = n_tracks;
    const auto events = simulation::generate_cylinder_events(exec_, params, 0, 2);
    detector_.size = n_layers;
    for (int layer = 0; layer < n_layers; ++layer)
      detector_.radius[layer] = params.particles.radius(layer);
    hits::upload(exec_, events.hits, layer_hits_);
    seeding::truth_seeds(exec_, events, 3, seeds_);
    calls["building_1_bin_hits"] = [this] {
      run_algorithm(exec_, bin_hits_, layer_hits_, binned_, bin_scratch_);
    };
    calls["building_2_best_hit"] = [this] { build<candidates::BestHit>(); };
    calls["building_3_clone_engine"] = [this] { build<candidates::CloneEngine<6>>(); };
    calls["seeding_1_triplets"] = [this] {
      run_algorithm(exec_, seeding::FindTriplets<float, Space>{detector_, field_}, layer_hits_,
                    binned_, triplets_, triplet_scratch_);
      run_algorithm(exec_, seeding::CountTriplets<Space>{}, triplets_, triplet_counts_);
      exec_.fence();
      run_algorithm(exec_, seeding::FillSeeds<float, Space>{field_}, layer_hits_, binned_,
                    triplets_, triplet_counts_, start_seeds_, origins_);
    };
    calls["seeding_2_fit"] = [this] {
      run_algorithm(exec_, seeding::FitSeeds<float, Space>{detector_, field_}, layer_hits_,
                    start_seeds_, found_seeds_);
    };
  }
  template <class Strategy>
  void build() {
    run_algorithm(exec_, candidates::BuildTracks<Strategy, float, Space>{detector_, field_}, seeds_,
                  binned_, found_);
  }

  using Velo = lhcb::VeloChain<float, Space>;
  static constexpr int n = 20000;
  Space exec_;
  Kokkos::View<int*, Memory> counts_, offsets_, permutation_;
  Kokkos::View<double*, Memory> x_, result_;
  Kokkos::View<Record*, Memory> records_;
  SymMatriplex<float, 3, MemoryOf<Space>> matrices_;
  Workspace<Space> workspace_;
  std::vector<lhcb::VeloEvent> events_;
  std::vector<std::unique_ptr<Velo>> velo_;
  static constexpr int n_tracks = 100;
  kalman::UniformField field_{3.8};
  static constexpr int n_layers = 10;
  hits::LayerHits<float, MemoryOf<Space>> layer_hits_;
  search::BinHits<float, Space> bin_hits_;
  typename search::BinHits<float, Space>::Scratch bin_scratch_;
  search::BinnedHits<float, MemoryOf<Space>> binned_;
  tracks::CylinderLayers detector_;
  seeding::Seeds<float, MemoryOf<Space>> seeds_;
  tracks::FoundTracks<float, MemoryOf<Space>> found_;
  simulation::CylinderTracks<float, MemoryOf<Space>> tracks_;
  kalman::TrackStates<float, MemoryOf<Space>> states_;
  kalman::FitResults<float, MemoryOf<Space>> fits_;
  kalman::SmoothedTracks<float, MemoryOf<Space>> smoothed_;
  kalman::SmootherSteps<float, MemoryOf<Space>> steps_{10, {}};
  seeding::Triplets<MemoryOf<Space>> triplets_;
  typename seeding::FindTriplets<float, Space>::Scratch triplet_scratch_;
  seeding::HostTripletCounts triplet_counts_;
  seeding::StartSeeds<float, MemoryOf<Space>> start_seeds_;
  seeding::SeedOrigins origins_;
  seeding::Seeds<float, MemoryOf<Space>> found_seeds_;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("launchers label what they do and stay on their instance", "[launchers]",
                        test::EnabledSpaces) {
  const auto exec = test::separate_instance<TestType>();
  test::check_labels(exec, Launchers<TestType>(exec).calls);
}

TEMPLATE_LIST_TEST_CASE("a second call allocates nothing and fences no device", "[launchers]",
                        test::EnabledSpaces) {
  const auto exec = test::separate_instance<TestType>();
  test::check_second_calls(exec, Launchers<TestType>(exec).calls);
}

TEST_CASE("the recorder sees kernels, allocations and fences", "[launchers]") {
  const auto events = test::record([] {
    Kokkos::View<int*> x("my allocation", 10);
    Kokkos::parallel_for(
        "my kernel", 10, KOKKOS_LAMBDA(int i) { x(i) = i; });
    Kokkos::fence();
  });
  REQUIRE(!events.kernels.empty());
  CHECK(events.kernels.back().label == "my kernel");
  REQUIRE(!events.allocations.empty());
  CHECK(events.allocations.front() == "my allocation");
#if KOKKOS_VERSION >= 30500
  CHECK(!events.global_fences.empty());  // older ones do not report Kokkos::fence()
#endif
}
