// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

#include "detector_fits.hpp"

using namespace trackplex;
using namespace trackplex::test;

namespace {

/// Four cylinders of pixels; then, by the direction of the track, tilted planes of strips in the
/// barrel or disks at the ends.
struct BarrelAndDisks {
  using Model = CentralTrack;
  static constexpr int layers = 10;
  template <class T>
  static auto field() {
    return geometry::AxisymmetricFieldMap<T, Memory>(
        Space(), geometry::sample_axisymmetric_field({0., 120., 31}, {-200., 200., 101},
                                                     geometry::FiniteSolenoid{2., 130., 150.}));
  }
  static Parameters<double> start(RandomStream<double>& random) {
    const double phi = random.uniform(-3., 3.), theta = random.uniform(0.6, 2.5);
    return {{0.1 * random.normal(), 0.1 * random.normal(), 2. * random.normal(),
             1. / random.uniform(1., 10.), phi, theta}};
  }
  static Place place(int layer, const Parameters<double>& begin, const Parameters<double>& at) {
    const double phi = std::atan2(at(1), at(0)), c = std::cos(phi), s = std::sin(phi);
    if (layer < 4) return {Surface<double>::cylinder(3. + 4. * layer), {}, {}, 2};
    const double theta = begin(5);
    if (std::fabs(theta - 1.5707963) < 0.6) {  // tilted by 0.2 rad, strips at two angles
      const double r = 24. + 9. * (layer - 4), turn = layer % 2 ? 0.1 : -0.1;
      const Vector3 across{
          {c * std::cos(0.2) - s * std::sin(0.2), s * std::cos(0.2) + c * std::sin(0.2), 0.}};
      const Vector3 along{{-across(1), across(0), 0.}}, z{{0., 0., 1.}};
      return {Surface<double>::plane({{r * c, r * s, 0.}}, across),
              geometry::add_scaled(std::cos(turn) * along, std::sin(turn), z),
              geometry::add_scaled(std::cos(turn) * z, -std::sin(turn), along), layer % 3 ? 1 : 2};
    }
    const double z = (theta < 1.57 ? 1. : -1.) * (28. + 8. * (layer - 4));
    return {Surface<double>::disk(z), {{c, s, 0.}}, {{-s, c, 0.}}, layer % 3 ? 2 : 1};
  }
  static constexpr double sigma_of_start[6] = {0.02, 0.02, 0.02, 0.01, 0.005, 0.005};
};

}  // namespace

TEMPLATE_TEST_CASE(
    "tracks through cylinders, tilted planes and disks in the map of a solenoid have pulls of "
    "width 1",
    "[detectors]", double, float) {
  check_pulls_of<TestType, BarrelAndDisks>();
}
