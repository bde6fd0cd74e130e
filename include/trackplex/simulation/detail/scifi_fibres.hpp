// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace trackplex::simulation::detail {

/// Where a particle crosses a mat of the SciFi.
struct ScifiCrossing {
  std::uint32_t mat;  ///< index in lhcb::ScifiGeometry
  double u;           ///< from the edge of the first channel, mm
  double slope;       ///< along u, per z
};

/// The fibres of the SciFi by their positions. Lengths in mm.
class ScifiFibres {
 public:
  explicit ScifiFibres(const lhcb::ScifiGeometry& geometry) : geometry_(geometry) {
    for (std::uint32_t i = 0; i < std::uint32_t(lhcb::scifi_mat_count); ++i)
      if (geometry.length[i] != 0.f) add(i);
    for (auto& mats : zones_)
      std::sort(mats.begin(), mats.end(), [](const Mat& a, const Mat& b) { return a.low < b.low; });
    for (std::size_t layer = 0; layer < planes_.size(); ++layer) {
      const auto& mats = zones_[2 * layer];
      constexpr double nowhere = std::numeric_limits<double>::infinity();
      planes_[layer] = mats.empty() ? Plane{nowhere, 0.} : Plane{mats.front().z, mats.front().dzdy};
    }
  }

  struct Plane {
    double z, dzdy;  ///< z at y = 0
  };
  const Plane& plane(int layer) const { return planes_[std::size_t(layer)]; }

  /// Calls visit(crossing) for each mat of a layer at the place of the flight; returns whether
  /// there is one.
  template <class Visit>
  bool for_each_at(int layer, const Flight& flight, const Visit& visit) const {
    bool met = false;
    for (const Mat& mat : zones_[std::size_t(2 * layer + (flight.y > 0. ? 1 : 0))]) {
      const double x = flight.x - flight.y * mat.dxdy;
      if (mat.low > x) break;
      if (mat.high < x) continue;
      const double u = (x - mat.x) / mat.x_step;
      const double from_begin = (flight.y - mat.y - u * mat.y_step) / mat.length;
      if (from_begin < 0. || from_begin > 1.) continue;
      visit(ScifiCrossing{mat.index, u, (flight.tx - flight.ty * mat.dxdy) / mat.x_step});
      met = true;
    }
    return met;
  }

  /// Indices of all mats.
  const std::vector<std::uint32_t>& mats() const { return mats_; }

  /// Width of a channel, mm.
  double pitch(std::uint32_t mat) const { return 2. * double(geometry_.half_pitch[mat]); }

  /// Calls visit(channel of the mat) for the channels whose middles lie between two distances u.
  template <class Visit>
  void for_each_channel(std::uint32_t mat, double low, double high, const Visit& visit) const {
    constexpr int half_sipm = lhcb::scifi_sipm_channels / 2;
    const double width = pitch(mat), die_gap = double(geometry_.die_gap[mat]);
    for (int die = 0; die < 2 * lhcb::scifi_mat_sipms; ++die) {
      const double begin = die / 2 * double(geometry_.sipm_pitch[mat]) +
                           die % 2 * (half_sipm * width + die_gap) + 0.5 * width;
      if (begin > high || begin + half_sipm * width < low) continue;
      for (int c = 0; c < half_sipm; ++c) {
        const double middle = begin + c * width;
        if (low <= middle && middle <= high) visit(half_sipm * die + c);
      }
    }
  }

 private:
  /// The first edge of a mat, at y = 0 (x, z) and where it begins (y), and its changes along u.
  struct Mat {
    std::uint32_t index;
    double x, y, z, x_step, y_step;
    double dxdy, dzdy, length;
    double low, high;  ///< x that it covers at y = 0
  };

  void add(std::uint32_t i) {
    const auto& g = geometry_;
    const auto at = [i](const std::vector<float>& values) { return double(values[i]); };
    const double dxdy = at(g.dxdy), dzdy = at(g.dzdy), u = at(g.u_begin);
    const double begin_y = at(g.y), y_step = at(g.step_y), x_step = at(g.step_x) - dxdy * y_step;
    Mat mat{i,
            at(g.x) - dxdy * begin_y + u * x_step,
            begin_y + u * y_step,
            0.,
            x_step,
            y_step,
            dxdy,
            dzdy,
            at(g.length),
            0.,
            0.};
    mat.z = at(g.z) - dzdy * begin_y + u * (at(g.step_z) - dzdy * y_step);
    const double width = (lhcb::scifi_mat_sipms - 1.) * at(g.sipm_pitch) +
                         lhcb::scifi_sipm_channels * pitch(i) + at(g.die_gap);
    mat.low = std::min(mat.x, mat.x + width * x_step);
    mat.high = std::max(mat.x, mat.x + width * x_step);
    mats_.push_back(i);
    zones_[std::size_t(lhcb::ScifiChannel{(i + 512u) << 9}.zone())].push_back(mat);
  }

  lhcb::ScifiGeometry geometry_;
  std::vector<std::uint32_t> mats_;
  std::array<std::vector<Mat>, lhcb::scifi_zones> zones_;  ///< ascending in x
  std::array<Plane, lhcb::scifi_layers> planes_{};
};

}  // namespace trackplex::simulation::detail
