// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>
#include <tuple>

#include "cylinder_events.hpp"
#include "support/data.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::seeding;
using namespace trackplex::tracks;
using trackplex::test::cylinder_field;
using trackplex::test::CylinderEvents;

namespace {

/// Event, and indices of the middle, the inner and the outer hit in their layers.
using Triplet = std::array<int, 4>;
using Params = FindTripletsParams;

CylinderLayers mkfit_layers() {
  CylinderLayers layers;
  layers.size = 10;
  for (int layer = 0; layer < 10; ++layer) layers.radius[layer] = 4. * (layer + 1);
  return layers;
}

/// Axes of z for the layers of the generated events.
std::vector<histogram::RegularAxis<float>> z_axes(double width) {
  std::vector<histogram::RegularAxis<float>> axes;
  for (int layer = 0; layer < 10; ++layer) {
    const double half = 5. + 5. * (layer + 1);
    axes.emplace_back(-half, half, std::max(1, int(2. * half / width)));
  }
  return axes;
}

/// Triplets of events on an execution space, and what became of them.
template <class Space>
struct Finder {
  Space exec;
  hits::LayerHits<float, MemoryOf<Space>> hits;
  using Binned = search::BinnedHits<float, MemoryOf<Space>>;
  Binned binned;
  Triplets<MemoryOf<Space>> triplets;
  HostTripletCounts host_counts;
  StartSeeds<float, MemoryOf<Space>> start;
  SeedOrigins origins;
  Seeds<float, MemoryOf<Space>> seeds;
  TripletCounts counts;

  explicit Finder(const TrackingEvents& events, int azimuths = 256, double z_width = 0.4) {
    using BinHits = search::BinHits<float, Space, Binned>;
    typename BinHits::Scratch scratch;
    hits::upload(exec, events.hits, hits);
    run_algorithm(exec, BinHits{{exec, azimuths, z_axes(z_width)}}, hits, binned, scratch);
    exec.fence();
  }

  template <int Width = test::state_lanes<Space, float>>
  void find(const Params& params, int team_size = 0) {
    using FindTriplets = seeding::FindTriplets<float, Space, kalman::UniformField, Binned, Width>;
    typename FindTriplets::Scratch scratch;
    run_algorithm(exec, FindTriplets{mkfit_layers(), cylinder_field, params, team_size}, hits,
                  binned, triplets, scratch);
    run_algorithm(exec, CountTriplets<Space>{}, triplets, host_counts);
    exec.fence();
    counts = host_counts.total();
    fill_seeds<Width>();
  }
  template <int Width = test::state_lanes<Space, float>>
  void fill_seeds() {
    using FillSeeds = seeding::FillSeeds<float, Space, kalman::UniformField, Binned, Width>;
    run_algorithm(exec, FillSeeds{cylinder_field}, hits, binned, triplets, host_counts, start,
                  origins);
  }

  template <int Width = test::state_lanes<Space, float>>
  std::string fit() {
    using FitSeeds = seeding::FitSeeds<float, Space, kalman::UniformField, Width>;
    run_algorithm(exec, FitSeeds{mkfit_layers(), cylinder_field}, hits, start, seeds);
    return test::seeds_hash(exec, seeds);
  }

  std::vector<Triplet> found() {
    const auto index = to_host(exec, start.hits.index);
    const auto event = to_host(exec, start.hits.event);
    const auto hit = [&](int seed, int layer) {
      return index(triplets.layers[layer] * start.hits.stride() + seed);
    };
    std::vector<Triplet> list;
    for (int seed = 0; seed < start.size(); ++seed)
      list.push_back({event(seed), hit(seed, 1), hit(seed, 0), hit(seed, 2)});
    return list;
  }
};

/// The same without bins, windows or lanes: all triplets of hits.
class EveryTriplet {
 public:
  EveryTriplet(const TrackingEvents& events, const Params& params)
      : events_(events), params_(params) {
    const auto layers = mkfit_layers();
    const double radii[3] = {layers.radius[params.layers[0]], layers.radius[params.layers[1]],
                             layers.radius[params.layers[2]]};
    cuts_ = cylinder_triplet_cuts<float>(params, radii, cylinder_field.tesla);
    if (params.confirm_layer >= 0)
      confirmation_ = triplet_confirmation<float>(
          params, radii, layers.radius[params.confirm_layer], double(cuts_.max_curvature));
  }

  /// In the order of places, which `finder` has.
  template <class Space>
  std::vector<Triplet> find(Finder<Space>& finder) {
    const auto index = to_host(finder.exec, finder.binned.index);
    std::vector<Triplet> all;
    for (int event = 0; event < events_.events(); ++event) {
      std::vector<int> order[3];
      for (int i = 0; i < 3; ++i)
        for (int n = 0; n < events_.hits.size(event, params_.layers[i]); ++n)
          order[i].push_back(index(first(event, i) + n));
      for (const int middle : order[1]) {
        auto list = of_middle_hit(event, middle, order[0], order[2]);
        keep_best(list);
        for (const auto& [chi2, triplet] : list) all.push_back(triplet);
      }
    }
    return all;
  }

 private:
  using Scored = std::pair<float, Triplet>;

  int first(int event, int i) const {
    const int layer = i < 3 ? params_.layers[i] : params_.confirm_layer;
    return events_.hits.offsets[std::size_t(event * events_.hits.layers() + layer)];
  }
  Vector<float, 3> hit(int event, int i, int n) const {
    const auto at = std::size_t(first(event, i) + n);
    return {{events_.hits.x[at], events_.hits.y[at], events_.hits.z[at]}};
  }
  static float radius(const Vector<float, 3>& v) {
    return std::sqrt(std::fma(v(0), v(0), v(1) * v(1)));
  }
  static Vector<float, 3> difference(const Vector<float, 3>& a, const Vector<float, 3>& b) {
    return {{a(0) - b(0), a(1) - b(1), a(2) - b(2)}};
  }

  std::vector<Scored> of_middle_hit(int event, int middle, const std::vector<int>& inner,
                                    const std::vector<int>& outer) const {
    const auto b = hit(event, 1, middle);
    std::vector<Scored> list;
    for (const int i : inner) {
      const auto a = hit(event, 0, i);
      const float z0 = z0_of_doublet(radius(a), a(2), radius(b), b(2));
      const float chi2_of_z0 = cuts_.chi2_of_z0(z0);
      if (!(std::fabs(z0) <= cuts_.max_z0 && chi2_of_z0 <= cuts_.max_chi2)) continue;
      for (const int o : outer) {
        const auto c = hit(event, 2, o);
        const auto shape = triplet_shape<float>(b(0), b(1), difference(a, b), difference(c, b));
        float chi2 = cuts_.chi2(chi2_of_z0, shape);
        if (!cuts_.pass(chi2, shape) || !on_one_side(a, b) || !on_one_side(b, c)) continue;
        if (params_.confirm_layer >= 0) chi2 += added_by_best(event, a, b, c);
        if (chi2 <= cuts_.max_chi2) list.push_back({chi2, {event, middle, i, o}});
      }
    }
    return list;
  }

  static bool on_one_side(const Vector<float, 3>& a, const Vector<float, 3>& b) {
    return a(0) * b(0) + a(1) * b(1) > 0.f;
  }

  /// Of all hits on the layer of the confirmation.
  float added_by_best(int event, const Vector<float, 3>& a, const Vector<float, 3>& b,
                      const Vector<float, 3>& c) const {
    const ExtendedTriplet<float> triplet(b, difference(a, b), difference(c, b));
    float best = 1e9f;
    for (int n = 0; n < events_.hits.size(event, params_.confirm_layer); ++n) {
      const auto d = hit(event, 3, n);
      if (on_one_side(c, d)) best = std::min(best, triplet.chi2(confirmation_, d));
    }
    return best;
  }

  void keep_best(std::vector<Scored>& list) const {
    const auto n = std::size_t(params_.max_per_middle_hit);
    if (list.size() <= n) return;
    std::vector<std::size_t> order(list.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return list[i].first < list[j].first; });
    order.resize(n);
    std::sort(order.begin(), order.end());
    std::vector<Scored> best;
    for (const auto i : order) best.push_back(list[i]);
    list = best;
  }

  const TrackingEvents& events_;
  Params params_;
  CylinderTripletCuts<float> cuts_;
  TripletConfirmation<float> confirmation_{};
};

/// The first triplet that is only in one of the lists, and how many are in each.
std::string difference(const std::vector<Triplet>& found, const std::vector<Triplet>& expected) {
  const auto [a, b] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (a == found.end() && b == expected.end()) return "none";
  const auto text = [](const char* name, auto triplet, auto end) {
    std::string t = name;
    if (triplet != end)
      for (const int i : *triplet) t.append(" ").append(std::to_string(i));
    return t;
  };
  return text("found", a, found.end()) + text(", expected", b, expected.end()) + ", of " +
         std::to_string(found.size()) + " and " + std::to_string(expected.size());
}

/// Particles of low momentum, and vertices far away.
simulation::CylinderTrackParams wild_particles() {
  simulation::CylinderTrackParams params;
  params.min_pt = 0.3;
  params.max_pt = 3.;
  params.vertex_sigma_xy = 0.5;
  params.vertex_sigma_z = 3.;
  params.max_abs_eta = 2.;
  return params;
}

/// Each hit twice, so that triplets tie.
TrackingEvents doubled(const TrackingEvents& events) {
  TrackingEvents twice(events.hits.layers());
  for (int event = 0; event < events.events(); ++event)
    for (int layer = 0; layer < events.hits.layers(); ++layer) {
      const auto group = std::size_t(event * events.hits.layers() + layer);
      for (int repeat = 0; repeat < 2; ++repeat)
        for (auto i = events.hits.offsets[group]; i < events.hits.offsets[group + 1]; ++i) {
          const auto hit = std::size_t(i);
          twice.hits.add(events.hits.x[hit], events.hits.y[hit], events.hits.z[hit],
                         events.hits.covariance[hit]);
        }
      twice.hits.end_layer();
    }
  twice.particle_offsets = events.particle_offsets;
  return twice;
}

Params wild_cuts() {
  Params params;
  params.min_pt = 0.25;
  params.max_d0 = 2.;
  params.max_z0 = 10.;
  params.sigma_d0 = 0.5;
  params.sigma_z0 = 3.;
  params.max_chi2 = 20.;
  return params;
}

/// Of the particles with at least this pT, the part that has a seed; and the seeds per such one.
template <class Space>
std::pair<double, double> efficiency(Finder<Space>& finder, const TrackingEvents& events,
                                     double min_pt) {
  const auto particle = [&](int event, int layer, int hit) {
    return events.particle_of_hit[std::size_t(
        events.hits.offsets[std::size_t(event * events.hits.layers() + layer)] + hit)];
  };
  std::vector<char> has_seed(events.particles.size(), 0);
  const auto found = finder.found();
  for (const auto& [event, b, a, c] : found) {
    const int of_a = particle(event, 0, a);
    if (of_a >= 0 && of_a == particle(event, 1, b) && of_a == particle(event, 2, c))
      has_seed[std::size_t(events.particle_offsets[std::size_t(event)] + of_a)] = 1;
  }
  double wanted = 0., good = 0.;
  for (std::size_t i = 0; i < events.particles.size(); ++i) {
    if (events.particles[i].start(kalman::Parameter::inverse_pt) * min_pt > 1.) continue;
    wanted += 1.;
    good += has_seed[i];
  }
  return {good / wanted, double(found.size()) / double(events.particles.size())};
}

}  // namespace

TEST_CASE("triplets are all that pass the cuts", "[seeding]") {
  const auto check = [](const TrackingEvents& events, const Params& params, int azimuths,
                        double z_width, std::size_t at_least) {
    std::vector<Triplet> expected;
    test::for_each_space([&]<class Space>(std::type_identity<Space>) {
      Finder<Space> finder(events, azimuths, z_width);
      if (expected.empty()) expected = EveryTriplet(events, params).find(finder);
      CAPTURE(std::string(Space().name()));
      CHECK(expected.size() > at_least);
      finder.find(params);
      CHECK(difference(finder.found(), expected) == "none");
      CHECK(finder.counts.dropped == 0);
      if constexpr (test::all_widths) {
        finder.template find<1>(params);
        CHECK(difference(finder.found(), expected) == "none");
      }
      if constexpr (is_host_space<Space>) {
        // A host team of several threads goes the way of a device.
        finder.find(params, int(Space().concurrency()));
        CHECK(difference(finder.found(), expected) == "none");
      }
    });
  };
  const CylinderEvents ordinary({300, 0, 7, 250});
  check(ordinary.events, {}, 256, 0.4, 550);
  check(ordinary.events, {}, 1, 1000., 550);
  const CylinderEvents wild({200, 150}, wild_particles());
  check(wild.events, wild_cuts(), 100, 1., 500);
  auto far_layers = wild_cuts();
  far_layers.layers = {1, 2, 5};
  far_layers.sigma_z = {0.1, 0.2, 0.3};
  check(wild.events, far_layers, 300, 0.2, 500);
  SECTION("confirmed on one more layer") {
    Params confirmed;
    confirmed.confirm_layer = 3;
    check(ordinary.events, confirmed, 256, 0.4, 500);
    auto confirmed_wild = wild_cuts();
    confirmed_wild.confirm_layer = 5;
    confirmed_wild.confirm_sigma_z = 0.2;
    confirmed_wild.max_chi2 = 200.;
    check(wild.events, confirmed_wild, 100, 1., 300);
    // Hits far aside of the prediction, where steep triplets have another z
    auto aside = confirmed_wild;
    aside.sigma_r_phi = 0.03;
    aside.sigma_z = {0.02, 0.02, 0.02};
    aside.confirm_sigma_z = 0.02;
    check(wild.events, aside, 100, 1., 300);
  }
  SECTION("the best of each middle hit") {
    const CylinderEvents small({120}, {});
    for (const int n : {1, 3}) {
      auto few = wild_cuts();
      few.max_per_middle_hit = n;
      check(wild.events, few, 100, 1., 200);
      check(doubled(small.events), few, 100, 1., 200);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("triplets without room are counted", "[seeding]", test::EnabledSpaces) {
  const CylinderEvents generated({250, 20, 250}, wild_particles());
  Finder<TestType> finder(generated.events);
  finder.find(wild_cuts());
  const auto all = finder.found();
  const auto in_event = [](const std::vector<Triplet>& list, int event) {
    return std::count_if(list.begin(), list.end(), [&](auto& t) { return t[0] == event; });
  };
  REQUIRE(in_event(all, 0) > 400);
  REQUIRE(in_event(all, 1) > 10);
  REQUIRE(in_event(all, 1) < 300);

  SECTION("seeds of an event") {
    auto params = wild_cuts();
    params.max_per_event = 300;
    finder.find(params);
    const auto found = finder.found();
    CHECK(in_event(found, 0) == 300);
    CHECK(in_event(found, 2) == 300);
    CHECK(in_event(found, 1) == in_event(all, 1));
    CHECK(finder.counts.overflow == int(all.size() - found.size()));
    CHECK(std::equal(found.begin(), found.begin() + 300, all.begin()));
  }
  SECTION("triplets of a middle hit") {
    auto params = wild_cuts();
    params.max_per_middle_hit = 2;
    finder.find(params);
    CHECK(finder.counts.not_best == int(all.size()) - finder.counts.seeds);
    CHECK(finder.counts.not_best > 0);
  }
  SECTION("inner hits, or pairs") {
    for (auto capacity : {&Params::max_window_hits, &Params::max_pairs}) {
      auto params = wild_cuts();
      params.*capacity = 5;
      finder.find(params);
      const auto found = finder.found();
      CHECK(finder.counts.dropped > 0);
      CHECK(!found.empty());
      CHECK(found.size() < all.size());
      for (const auto& triplet : found)
        REQUIRE(std::find(all.begin(), all.end(), triplet) != all.end());
      if constexpr (test::all_widths) {  // the first ones of each middle hit are examined
        const int dropped = finder.counts.dropped;
        finder.template find<1>(params);
        CHECK(finder.found() == found);
        CHECK(finder.counts.dropped == dropped);
      }
    }
  }
  SECTION("more seeds than there are") {
    auto& end = finder.host_counts.first_seed(std::size_t(finder.host_counts.events));
    end = int(all.size()) + 100;
    finder.fill_seeds();
    const auto found = finder.found();
    CHECK(found.size() == all.size() + 100);
    CHECK(std::equal(all.begin(), all.end(), found.begin()));
    for (auto seed = all.size(); seed < found.size(); ++seed)
      REQUIRE(found[seed] == Triplet{0, -1, -1, -1});
    finder.host_counts.events = 1;
    finder.host_counts.first_seed(1) = 10;
    finder.fill_seeds();
    CHECK(finder.found() == std::vector<Triplet>(all.begin(), all.begin() + 10));
  }
}

TEST_CASE("triplet params without meaning are refused", "[seeding]") {
  using Space = HostExecutor;
  const CylinderEvents generated({5});
  Finder<Space> finder(generated.events);
  const auto refused = [&](auto member, auto value) {
    Params params;
    params.*member = value;
    CHECK_THROWS_AS(finder.find(params), UsageError);
  };
  for (auto cut : {&Params::min_pt, &Params::max_d0, &Params::max_z0, &Params::sigma_d0,
                   &Params::sigma_z0, &Params::max_chi2})
    refused(cut, 0.);
  refused(&Params::min_pt, 0.06);  // does not reach 12 cm
  refused(&Params::max_d0, 4.);
  refused(&Params::sigma_z, Kokkos::Array<double, 3>{});
  for (auto capacity : {&Params::max_per_middle_hit, &Params::max_per_event,
                        &Params::max_window_hits, &Params::max_pairs})
    refused(capacity, 0);
  refused(&Params::layers, Kokkos::Array<int, 3>{0, 2, 2});
  refused(&Params::layers, Kokkos::Array<int, 3>{-1, 1, 2});
  refused(&Params::layers, Kokkos::Array<int, 3>{0, 1, 10});
  refused(&Params::confirm_layer, 2);
  refused(&Params::confirm_layer, 10);
}

TEST_CASE("almost all particles have a seed", "[seeding]") {
  using Space = HostExecutor;
  const CylinderEvents generated({10000});
  Finder<Space> finder(generated.events);
  finder.find({});
  const auto [found, seeds_per_particle] = efficiency(finder, generated.events, 0.7);
  CHECK(found > 0.99);
  CHECK(seeds_per_particle < 165.);
  CHECK(finder.counts.overflow == 0);
  CHECK(finder.counts.dropped == 0);

  Params confirmed;
  confirmed.confirm_layer = 3;
  confirmed.max_chi2 = 16.;
  finder.find(confirmed);
  const auto [found_confirmed, confirmed_per_particle] = efficiency(finder, generated.events, 0.7);
  CHECK(found_confirmed > 0.99);
  CHECK(confirmed_per_particle < 100.);
}

TEST_CASE("almost all particles of mkFit's events have a seed", "[seeding]") {
  using Space = HostExecutor;
  const auto events = io::tracking_events(
      io::read_toy_events(test::data_or_skip("cylinder/toy_2x10k.bin")), "toy_2x10k.bin");
  Finder<Space> finder(events);
  finder.find({});
  const auto [found, seeds_per_particle] = efficiency(finder, events, 0.7);
  CHECK(found > 0.99);
  CHECK(seeds_per_particle < 165.);
}

TEMPLATE_LIST_TEST_CASE("fitted triplets have the same bits with any lanes", "[seeding]",
                        test::EnabledSpaces) {
  const CylinderEvents generated({200, 100}, wild_particles());
  Finder<HostExecutor> expected(generated.events);
  constexpr int one = test::reference_lanes<test::state_lanes<HostExecutor, float>>;
  expected.find<one>(wild_cuts());
  const std::string hash = expected.fit<one>();
  Finder<TestType> finder(generated.events);
  finder.find(wild_cuts());
  CHECK(finder.fit() == hash);
}
