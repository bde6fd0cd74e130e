// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

#include "beam/elements/every_element.hpp"
#include "check_launchers.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

/// A spectrum of numbers, as one team's work.
template <class Real, class Space>
struct Transform {
  RealFft<MemoryOf<Space>> fft;
  Kokkos::View<double*, typename Space::memory_space> x, spectrum;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    typename RealFft<MemoryOf<Space>>::Scratch(carver, fft.size());
    return carver.bytes();
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const typename RealFft<MemoryOf<Space>>::Scratch scratch(carver, fft.size());
    fft.forward(team, scratch, x.data(),
                ComplexArray{spectrum.data(), spectrum.data() + fft.n_frequencies()});
  }
};

/// Launchers of beams by name.
template <class Space>
class BeamLaunchers {
  using T = float;
  using Tracker = beam::LineTracker<T, Space>;
  template <class U>
  using Array = Kokkos::View<U*, typename Space::memory_space>;

 public:
  explicit BeamLaunchers(const Space& exec)
      : exec_(exec),
        drifts_(exec, {{"d", beam::Drift{1.}}}, {0., 0.}),
        elements_(exec, test::every_element(), {}, {3}),
        with_charge_(
            exec, {{"charge", beam::Charge{1e-9}},
                   {"qf", beam::Quadrupole{0.2, 1.5}},
                   {"lsc", beam::SpaceChargeDrift{.length = 0.5, .bins = 64}},
                   {"kick",
                    beam::SpaceChargeDrift{.effective_length = 0.1, .bins = 64, .smoothing = true}},
                   {"qd", beam::Quadrupole{0.2, -1.5}}}),
        moments_("Trackplex::Test::moments", 1) {
    const auto bunch = [&] { return simulation::generate_bunch<T>(exec_, params(), workspace_); };
    drifting_ = bunch();
    passing_ = bunch();
    charged_ = bunch();
    auto table = beam::download(exec, drifting_);
    for (int i = 3; i < table.size(); i += 7) table.losses[i] = {0, i};
    lost_ = beam::upload<T>(exec, table);
    add_tracking();
    add_bunches();
    add_transform();
    exec.fence();
  }

  test::Calls calls;
  /// What returns a new bunch, and allocates it.
  test::Calls makers;

 private:
  static simulation::BunchParams params() { return {.particles = 20000}; }

  void add_tracking() {
    calls["track_drifts"] = [this] { drifts_.track(drifting_, 3); };
    calls["track_elements"] = [this] {
      elements_.track(passing_, 2, [this](int, int, const auto& bunch) {
        beam::SumMoments<Space>{}(exec_, bunch, moments_, workspace_);
      });
    };
    calls["track_space_charge"] = [this] { with_charge_.track(charged_, 2); };
  }

  void add_bunches() {
    calls["sum_moments"] = [this] {
      beam::SumMoments<Space>{}(exec_, drifting_, moments_, workspace_);
    };
    calls["remove_lost"] = [this] {
      lost_.set_share(lost_.size_with_lost());
      lost_.may_have_lost = true;
      CHECK(beam::remove_lost(exec_, lost_, workspace_) == 2857);
    };
    makers["generate_bunch"] = [this] {
      made_.push_back(simulation::generate_bunch<T>(exec_, params(), workspace_));
    };
    makers["generate_bunch_exactly"] = [this] {
      auto exact = params();
      exact.exact_moments = true;
      made_.push_back(simulation::generate_bunch<T>(exec_, exact, workspace_));
    };
  }

  void add_transform() {
    constexpr int n = 256;
    const Array<double> x("Trackplex::Test::x", n), spectrum("Trackplex::Test::spectrum", n + 2);
    const Transform<LanesOf<double, default_lane_width<Space, double>>, Space> transform{
        RealFft<MemoryOf<Space>>(exec_, n), x, spectrum};
    calls["real_fft"] = [=, this] {
      for_each_team(exec_, "Trackplex::Test::transform", 1, transform);
    };
  }

  Space exec_;
  Workspace<Space> workspace_;
  Tracker drifts_, elements_, with_charge_;
  beam::Bunch<T, MemoryOf<Space>> drifting_, passing_, charged_, lost_;
  Array<beam::MomentSums> moments_;
  std::vector<beam::Bunch<T, MemoryOf<Space>>> made_;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("launchers of beams label what they do and stay on their instance",
                        "[launchers]", test::EnabledSpaces) {
  const auto exec = test::separate_instance<TestType>();
  BeamLaunchers<TestType> launchers(exec);
  test::check_labels(exec, launchers.calls);
  test::check_labels(exec, launchers.makers);
}

TEMPLATE_LIST_TEST_CASE("a second call for beams allocates nothing and fences no device",
                        "[launchers]", test::EnabledSpaces) {
  const auto exec = test::separate_instance<TestType>();
  test::check_second_calls(exec, BeamLaunchers<TestType>(exec).calls);
}

TEMPLATE_LIST_TEST_CASE("a second bunch allocates itself and nothing else, and fences no device",
                        "[launchers]", test::EnabledSpaces) {
  const auto exec = test::separate_instance<TestType>();
  BeamLaunchers<TestType> launchers(exec);
  for (const auto& [name, make] : launchers.makers) {
    CAPTURE(name);
    make();
    exec.fence();
    const auto events = test::record(make);
    exec.fence();
    const std::string beam = "Trackplex::Beam::";
    CHECK(events.allocations == std::vector{beam + "coordinates", beam + "ids", beam + "losses"});
    CHECK(events.global_fences == std::vector<std::string>{});
  }
}
