// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/lhcb/scifi/detail/scifi_mats.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace trackplex::lhcb::detail {

TRACKPLEX_INLINE void check_scifi_description(const ScifiGeometry& g) {
  for (const auto* values : {&g.x, &g.y, &g.z, &g.step_x, &g.step_y, &g.step_z, &g.u_begin,
                             &g.half_pitch, &g.die_gap, &g.sipm_pitch, &g.dxdy, &g.dzdy, &g.length})
    if (values->size() != std::size_t(scifi_mat_count))
      throw UsageError(
          "scifi_decoding_table",
          "the geometry does not have " + std::to_string(scifi_mat_count) + " entries for mats");
  const bool fits = g.has_links()
                        ? g.sources.size() == std::size_t(scifi_banks) &&
                              g.sipms.size() == std::size_t(scifi_banks * scifi_bank_links)
                        : g.first_channel.size() == std::size_t(scifi_banks);
  if (!fits)
    throw UsageError("scifi_decoding_table",
                     "the geometry does not describe " + std::to_string(scifi_banks) + " banks");
  for (const auto source : g.sources)
    if (source > 0xffffu)
      throw UsageError("scifi_decoding_table",
                       "the geometry has the source " + std::to_string(source),
                       "a source has 16 bits");
}

/// The mat of a geometry, without row.
TRACKPLEX_INLINE ScifiMat scifi_mat(const ScifiGeometry& g, std::uint32_t index) {
  const double dxdy = g.dxdy[index], dzdy = g.dzdy[index];
  const double u = double(g.u_begin[index]) + double(g.half_pitch[index]);
  ScifiMat mat;
  mat.index = index;
  mat.zone = ScifiChannel{(index + 512u) << 9}.zone();
  mat.y_step = g.step_y[index];
  mat.x_step = double(g.step_x[index]) - dxdy * mat.y_step;
  mat.z_step = double(g.step_z[index]) - dzdy * mat.y_step;
  mat.y = double(g.y[index]) + u * mat.y_step;
  mat.x = double(g.x[index]) - dxdy * double(g.y[index]) + u * mat.x_step;
  mat.z = double(g.z[index]) - dzdy * double(g.y[index]) + u * mat.z_step;
  const double width = (2. * scifi_sipm_channels - 1.) * double(g.half_pitch[index]) +
                       double(g.die_gap[index]) +
                       (scifi_mat_sipms - 1) * double(g.sipm_pitch[index]);
  const double other = mat.x + width * mat.x_step;
  mat.lowest_x = std::min(mat.x, other);
  mat.highest_x = std::max(mat.x, other);
  return mat;
}

TRACKPLEX_INLINE std::vector<ScifiMat> scifi_mats(const ScifiGeometry& geometry) {
  check_scifi_description(geometry);
  std::vector<ScifiMat> mats;
  for (std::uint32_t i = 0; i < std::uint32_t(scifi_mat_count); ++i)
    if (geometry.length[i] != 0.f) mats.push_back(scifi_mat(geometry, i));
  stable_sort(mats, [](const ScifiMat& a, const ScifiMat& b) {
    return std::tie(a.zone, a.lowest_x) < std::tie(b.zone, b.lowest_x);
  });
  constexpr double rounding = 0.01;  // mm, more than that of positions in single precision
  int row = -1;
  double highest = 0.;  // so far in the row
  for (std::size_t i = 0; i < mats.size(); ++i) {
    const bool begins =
        i == 0 || mats[i].zone != mats[i - 1].zone || mats[i].lowest_x > highest + rounding;
    if (begins) ++row;
    highest = begins ? mats[i].highest_x : std::max(highest, mats[i].highest_x);
    mats[i].row = row;
  }
  return mats;
}

TRACKPLEX_INLINE std::vector<std::uint32_t> scifi_link_channels(const ScifiGeometry& geometry) {
  if (geometry.has_links()) return geometry.sipms;
  std::vector<std::uint32_t> channels;
  for (const auto first : geometry.first_channel)
    for (int link = 0; link < scifi_bank_links; ++link)
      channels.push_back(first + std::uint32_t(scifi_sipm_channels * link));
  return channels;
}

TRACKPLEX_INLINE std::vector<int> scifi_banks_of_sources(const ScifiGeometry& geometry) {
  std::vector<int> banks;
  for (int b = 0; b < scifi_banks; ++b) {
    const std::size_t source = geometry.has_links() ? geometry.sources[b] : std::size_t(b);
    if (source >= banks.size()) banks.resize(source + 1, scifi_banks);
    banks[source] = b;
  }
  banks.push_back(scifi_banks);
  return banks;
}

}  // namespace trackplex::lhcb::detail
