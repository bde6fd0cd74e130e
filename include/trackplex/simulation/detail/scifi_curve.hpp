// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/forward_tables.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <memory>

namespace trackplex::simulation::detail {

/// x of a particle in the SciFi, mm:
/// \f$ x+s\,\Delta z+b\,\Delta z^2(1+c\,\Delta z),\ \Delta z=z-8520\f$ mm.
struct ScifiCurve {
  double x, slope, bend, cubic;

  double at(double z) const {
    const double dz = z - lhcb::forward_z_middle;
    return x + dz * (slope + bend * dz * (1. + cubic * dz));
  }
  double slope_at(double z) const {
    const double dz = z - lhcb::forward_z_middle;
    return slope + bend * dz * (2. + 3. * cubic * dz);
  }
};

/// A straight line: x and y at z = 0, mm, and slopes.
struct VeloLine {
  double x, y, tx, ty;
};

/// The curve of a particle from the VELO. Its chord from first_z to last_z, mm, meets the line of
/// the VELO in the magnet, as the search for long tracks expects (LHCb's Allen of 2020), and has
/// the slope of q/p (1/MeV; of a magnet that points down).
template <class Magnet>
ScifiCurve scifi_curve(const VeloLine& velo, double qop, const Magnet& magnet,
                       double first_z = lhcb::scifi_z[0], double last_z = lhcb::scifi_z[8]) {
  double slope = velo.tx;
  for (int i = 0; i < 40; ++i)  // to the slope with this q/p
    slope += 1000. * (qop - magnet.qop(velo.tx, velo.ty, slope));
  const double magnet_z = lhcb::forward_z_magnet;
  const double x_magnet = velo.x + velo.tx * magnet_z - 0.819493 +
                          slope * (19.3897 + slope * (16.6874 - slope * 375.478));
  const auto chord = [&](double z) { return x_magnet + slope * (z - magnet_z); };
  ScifiCurve curve{0., 0., 0.0287 * qop, 0.};
  const double x4 = chord(lhcb::scifi_z[4]), y4 = velo.y + velo.ty * lhcb::scifi_z[4];
  const double r = std::sqrt(25e-8 * x4 * x4 + 1e-6 * y4 * y4);
  curve.cubic = -(0.000267957 - 8.651e-6 * r + 4.60324e-5 * r * r);
  const double first = curve.at(first_z), last = curve.at(last_z);
  curve.slope = slope - (last - first) / (last_z - first_z);
  curve.x = chord(first_z) - curve.at(first_z);
  return curve;
}

/// The polynomials of the search for long tracks on the host; Kokkos need not run.
class ScifiMagnet {
 public:
  ScifiMagnet() : tables_(std::make_shared<lhcb::ForwardTables>(lhcb::forward_tables())) {
    magnet_.y_table =
        Kokkos::View<double*, Kokkos::HostSpace>(tables_->y.data(), tables_->y.size());
    for (std::size_t i = 0; i < 6; ++i) magnet_.kick[i] = 1000. * tables_->kick[i];
  }

  /// Only y_shift() and qop() may be called.
  const lhcb::ForwardMagnet<double, Kokkos::HostSpace>& operator*() const { return magnet_; }

 private:
  std::shared_ptr<lhcb::ForwardTables> tables_;
  lhcb::ForwardMagnet<double, Kokkos::HostSpace> magnet_;
};

}  // namespace trackplex::simulation::detail
