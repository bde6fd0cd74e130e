// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

#include "detector_fits.hpp"

using namespace trackplex;
using namespace trackplex::test;

namespace {

/// Disks and tilted planes about the z axis, on both sides of a magnet.
struct Spectrometer {
  using Model = ForwardTrack;
  static constexpr int layers = 12;
  template <class T>
  static auto field() {
    const geometry::DipoleField dipole{1.2, 40., 100., 20.};
    return geometry::FieldMap<T, Memory>(
        Space(),
        geometry::sample_field({-80., 80., 17}, {-25., 25., 11}, {-40., 220., 66},
                               [&](double x, double y, double z) { return dipole(x, y, z); }),
        geometry::OutsideOfMap::zero);
  }
  static Parameters<double> start(RandomStream<double>& random) {
    const double charge = random.uniform() < 0.5 ? -1. : 1.;
    return {{random.normal(), random.normal(), -5., 0.05 * random.normal(), 0.02 * random.normal(),
             charge / random.uniform(2., 20.)}};
  }
  static Place place(int layer, const Parameters<double>& /*begin*/,
                     const Parameters<double>& /*at*/) {
    const double z = layer < 6 ? 5. * layer : 60. + 12. * layer, turn = 0.3 * (layer % 3 - 1);
    const Vector3 u{{std::cos(turn), std::sin(turn), 0.}}, v{{-std::sin(turn), std::cos(turn), 0.}};
    if (layer % 4 == 1) return {Surface<double>::disk(z), u, v, 2};
    const Vector3 tilted = std::cos(0.2) * u;
    const Vector3 axis{{tilted(0), tilted(1), -std::sin(0.2)}};
    return {Surface<double>::plane({{0., 0., z}}, geometry::cross(axis, v)), axis, v, 1};
  }
  static constexpr double sigma_of_start[6] = {0.02, 0.02, 0., 0.001, 0.001, 0.005};
};

}  // namespace

TEMPLATE_TEST_CASE("tracks through planes in the map of a dipole have pulls of width 1",
                   "[detectors]", double, float) {
  check_pulls_of<TestType, Spectrometer>();
}
