// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

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

}  // namespace

TEMPLATE_LIST_TEST_CASE("generated bunches are the same everywhere", "[reproducibility]",
                        test::EnabledSpaces) {
  test::for_each_width<TestType>([]<int Width>() { check_generated<Width, TestType>(); });
}
