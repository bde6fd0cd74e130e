// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <trackplex/beam/optics/dynamic_aperture.hpp>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "tracked_bunches.hpp"

using namespace trackplex;

namespace {

/// Bunches of both profiles, with all that a generator does.
template <class T, int Width, class Space>
std::string generated_hash() {
  const Space exec;
  Workspace<Space> workspace;
  simulation::BunchParams params{
      .particles = 10007,
      .x = {.emittance = 1e-8, .beta = 10., .alpha = -1.5, .dispersion = 0.3},
      .sigma_delta = 1e-3,
      .chirp = 4.,
      .modulation_wavelength = 1e-4,
      .modulation_depth = 0.2};
  Fingerprint hash;
  for (const auto profile : {simulation::BunchProfile::gaussian, simulation::BunchProfile::flat})
    for (const bool exact : {false, true}) {
      params.profile = profile;
      params.exact_moments = exact;
      const auto bunch = simulation::generate_bunch<T, Space, Width>(exec, params, workspace);
      test::add(hash, exec, bunch);
      test::add(hash, beam::moments_of(exec, bunch, workspace));
    }
  return hash.hex();
}

template <int Width, class Space>
void check_generated() {
  CAPTURE(Width);
  const auto& golden = test::generated_bunches_golden;
  CHECK(generated_hash<float, Width, Space>() == golden.single_precision);
  CHECK(generated_hash<double, Width, Space>() == golden.double_precision);
}

/// Starts around an orbit of a ring with sextupoles, with tunes and losses.
template <class T, int Width, class Space>
std::string aperture_hash() {
  using namespace beam;
  BeamLine ring;
  for (int cell = 0; cell < 3; ++cell)
    for (const Element& element :
         {Element{"QF", CanonicalQuadrupole{.length = 0.2, .k1 = 1.5, .slices = 2}},
          Element{"S", CanonicalSextupole{.length = 0.1, .k2 = 30., .slices = 1}},
          Element{"D", ExactDrift{0.7}},
          Element{"QD", CanonicalQuadrupole{.length = 0.2, .k1 = -1.5, .slices = 2}},
          Element{"D", ExactDrift{0.8}}})
      ring.push_back(element);
  PeriodicOptics optics;  // about those of the ring
  optics.start.x = {5.5, -1.5};
  optics.start.y = {2.5, 0.625};
  optics.start.dispersion[0] = 0.125;
  optics.tune_x = optics.tune_y = 0.25;
  ApertureScan<T, Space, ElementTypes<>, Width> scan(Space(), ring, 1000.,
                                                     {1e-5, 0., 0., 1e-6, 0., 1e-3}, optics);
  const ApertureGrid grid{.columns = 23, .rows = 9, .x_max = 0.02, .y_max = 0.015};
  Fingerprint hash;
  int lost = 0;
  for (const auto& start : scan(grid, 65, [](int) {})) {
    hash.add(start.x).add(start.y).add(start.loss.turn).add(start.loss.element);
    lost += start.loss.element != Loss::none;
    if (start.loss.element != Loss::none) continue;
    hash.add(start.tune_x).add(start.tune_y).add(start.diffusion);
  }
  CHECK(lost > 20);
  CHECK(lost < grid.size() - 20);
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("the dynamic aperture is the same everywhere", "[reproducibility]",
                        test::EnabledSpaces) {
  const auto& golden = test::dynamic_aperture_golden;
  // with the lanes that kernels of lines are compiled for
  constexpr bool is_host = is_host_space<TestType>;
  constexpr int of_float = is_host ? test::line_lanes<float> : 1;
  constexpr int of_double = is_host ? test::line_lanes<double> : 1;
  CHECK(aperture_hash<float, of_float, TestType>() == golden.single_precision);
  CHECK(aperture_hash<double, of_double, TestType>() == golden.double_precision);
  CHECK(aperture_hash<double, 1, TestType>() == golden.double_precision);
}

TEMPLATE_LIST_TEST_CASE("generated bunches are the same everywhere", "[reproducibility]",
                        test::EnabledSpaces) {
  test::for_each_width<TestType>([]<int Width>() { check_generated<Width, TestType>(); });
}
