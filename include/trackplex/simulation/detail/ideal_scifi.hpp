// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace trackplex::simulation::detail {

/// A regular SciFi. Each quarter of a layer has five modules, six in the last station, of four mats
/// side by side in x; fibres run from y = 0 outward, those of the mat next to the beam from a hole
/// on. Stereo layers are rotated as a whole. Sizes in mm, those of LHCb's description.
class IdealScifi {
 public:
  IdealScifi() {
    for (auto* values : {&scifi_.x, &scifi_.y, &scifi_.z, &scifi_.step_x, &scifi_.step_y,
                         &scifi_.step_z, &scifi_.u_begin, &scifi_.half_pitch, &scifi_.die_gap,
                         &scifi_.sipm_pitch, &scifi_.dxdy, &scifi_.dzdy, &scifi_.length})
      values->assign(lhcb::scifi_mat_count, 0.f);
    for (int quarter = 0; quarter < lhcb::scifi_quarters; ++quarter) {
      const int modules = quarter / quarters_per_layer < 8 ? 5 : 6;
      scifi_.modules.push_back(static_cast<std::uint32_t>(modules));
      for (int i = 0; i < mats_per_module * modules; ++i) add_mat(quarter, i);
      add_banks(quarter, modules);
    }
  }

  const lhcb::ScifiGeometry& geometry() const { return scifi_; }

 private:
  static constexpr int quarters_per_layer = 4, mats_per_module = 4;
  static constexpr int mat_slots = lhcb::scifi_mat_count / lhcb::scifi_quarters;  ///< per quarter
  static constexpr double first_mat = 68.8;  ///< from the beam to the middle of the nearest mat
  static constexpr double mat_step = 130.8, module_step = 530.;
  static constexpr double fibre_length = 2424., hole = 115.;

  /// Mat i from the beam outward; the channels of its module run to the beam in half the quarters.
  void add_mat(int quarter, int i) {
    const int layer = quarter / quarters_per_layer;
    const bool upper = quarter % quarters_per_layer >= 2, right = quarter % 2 == 1;
    const double dxdy = lhcb::scifi_dxdy[layer], dzdy = lhcb::scifi_dzdy;
    const double cosine = 1. / std::sqrt(1. + dxdy * dxdy);
    const bool forward = (dxdy == 0.) != upper;  // channels run to larger x
    const int module_number = i / mats_per_module, from_beam = i % mats_per_module;
    const int number = forward == right ? from_beam : mats_per_module - 1 - from_beam;
    const double across = first_mat + module_step * module_number + mat_step * from_beam;
    const double begin = (upper ? 1. : -1.) * (i == 0 ? hole : 0.) * cosine;
    const double end = (upper ? 1. : -1.) * fibre_length * cosine, sign = forward ? 1. : -1.;
    const auto mat = std::size_t(mat_slots * quarter + mats_per_module * module_number + number);
    const auto set = [mat](auto& values, double value) { values[mat] = static_cast<float>(value); };
    set(scifi_.x, (right ? across : -across) / cosine + dxdy * begin);
    set(scifi_.y, begin);
    set(scifi_.z, lhcb::scifi_z[layer] + dzdy * begin);
    set(scifi_.step_x, sign * cosine);
    set(scifi_.step_y, -sign * dxdy * cosine);
    set(scifi_.step_z, -sign * dxdy * cosine * dzdy);
    set(scifi_.u_begin, -65.16);
    set(scifi_.half_pitch, 0.125);
    set(scifi_.die_gap, 0.22);
    set(scifi_.sipm_pitch, 32.7);
    set(scifi_.dxdy, dxdy);
    set(scifi_.dzdy, dzdy);
    set(scifi_.length, end - begin);
  }

  /// Five banks read the modules of a quarter: one each, or six together.
  void add_banks(int quarter, int modules) {
    constexpr std::array<int, 5> of_six = {0, 4, 9, 14, 19};  // mats where banks begin
    for (int bank = 0; bank < 5; ++bank) {
      const int mat = modules == 5 ? mats_per_module * bank : of_six[bank];
      scifi_.first_channel.push_back(static_cast<std::uint32_t>(
          (mat_slots * (lhcb::scifi_quarters / 3 + quarter) + mat) * lhcb::scifi_mat_channels));
    }
  }

  lhcb::ScifiGeometry scifi_;
};

}  // namespace trackplex::simulation::detail
