// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/check_detector.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::lhcb {
namespace detail {

/// Whether the rows of the matrix are orthonormal, to one in a thousand.
TRACKPLEX_INLINE bool is_orthonormal(const std::array<float, 12>& transform) {
  constexpr double tolerance = 1e-3;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      double product = i == j ? -1. : 0.;
      for (int k = 0; k < 3; ++k)
        product += double(transform[3 * i + k]) * double(transform[3 * j + k]);
      if (!(std::abs(product) < tolerance)) return false;
    }
  return true;
}

TRACKPLEX_INLINE std::string UtHybrid::problem() const {
  const auto outside = [](std::uint32_t n, std::uint32_t last) { return n < 1 || n > last; };
  if (strips == 0) return "it is connected, but its board has no strips";
  if (outside(station, 2)) return "there is no station " + std::to_string(station);
  if (outside(layer, 2)) return "there is no layer " + std::to_string(layer);
  if (outside(region, ut_regions)) return "there is no region " + std::to_string(region);
  const auto of_layer = ut_region_offsets.begin() + region_index();
  if (outside(sector, std::uint32_t(of_layer[1] - of_layer[0])))
    return "there is no sector " + std::to_string(sector) + " in its region";
  if (channel != ut_channel(station, layer, region, sector))
    return "its channel " + std::to_string(channel) + " is not that of its sector, " +
           std::to_string(ut_channel(station, layer, region, sector));
  return {};
}

}  // namespace detail

TRACKPLEX_INLINE void check_velo_pixel_geometry(const VeloPixelGeometry& geometry,
                                                std::string_view where) {
  detail::check_ascending(geometry.module_z, where, "module_z");
  detail::check_ascending(geometry.column_x, where, "column_x");
  detail::check_positive(geometry.column_pitch, where, "column_pitch");
  for (std::size_t sensor = 0; sensor < geometry.transforms.size(); ++sensor) {
    const auto& transform = geometry.transforms[sensor];
    if (!detail::is_orthonormal(transform))
      throw InputError({std::string(where), "transforms", sensor},
                       "its matrix is not orthonormal (to one in a thousand)");
    for (int k = 9; k < 12; ++k)
      if (!std::isfinite(transform[k]))
        throw InputError({std::string(where), "transforms", sensor},
                         "its translation is not finite");
  }
}

namespace detail {

/// Checks the positions of a mat that exists.
TRACKPLEX_INLINE void check_scifi_mat(const ScifiGeometry& g, std::size_t m,
                                      std::string_view where) {
  const auto fail = [&](const char* field, float value, const std::string& problem) {
    throw InputError({std::string(where), field, m}, shortest(value) + " " + problem);
  };
  const auto check_pitch = [&](const std::vector<float>& pitch, const char* field) {
    if (!(pitch[m] > 0.f)) fail(field, pitch[m], "is not positive");
  };
  check_pitch(g.half_pitch, "half_pitch");
  check_pitch(g.sipm_pitch, "sipm_pitch");
  if (!(g.die_gap[m] >= 0.f)) fail("die_gap", g.die_gap[m], "is negative");
  constexpr double tolerance = 2e-3, slope_tolerance = 0.02;
  double length2 = 0.;
  for (const float step : {g.step_x[m], g.step_y[m], g.step_z[m]})
    length2 += double(step) * double(step);
  if (!(std::abs(length2 - 1.) < tolerance))
    fail("step_x", g.step_x[m], "is not of a direction of length 1 (to one in a thousand)");
  const int layer = ScifiChannel{std::uint32_t(m + 512) << 9}.layer();
  if (!(std::abs(double(g.dxdy[m]) - scifi_dxdy[layer]) < slope_tolerance))
    fail("dxdy", g.dxdy[m], "is not the slope of layer " + std::to_string(layer));
  if (!(std::abs(double(g.dzdy[m]) - scifi_dzdy) < slope_tolerance))
    fail("dzdy", g.dzdy[m], "is not the slope of the layers");
}

/// Mats of the modules of each quarter, by their index; others do not exist.
TRACKPLEX_INLINE std::vector<bool> scifi_mats_of_modules(const ScifiGeometry& g,
                                                         std::string_view where) {
  constexpr std::uint32_t mats_per_module = 4, max_modules = 8, mats_per_quarter = 32;
  check_count(g.modules, scifi_quarters, where, "modules");
  std::vector<bool> exist(scifi_mat_count);
  for (std::uint32_t q = 0; q < std::uint32_t(scifi_quarters); ++q) {
    if (g.modules[q] > max_modules)
      throw InputError({std::string(where), "modules", q},
                       std::to_string(g.modules[q]) + " is more than 8");
    for (std::uint32_t m = 0; m < mats_per_module * g.modules[q]; ++m)
      exist[mats_per_quarter * q + m] = true;
  }
  return exist;
}

/// Checks the lists of banks of either form.
TRACKPLEX_INLINE void check_scifi_readout(const ScifiGeometry& g, const std::vector<bool>& mats,
                                          std::string_view where) {
  const auto is_sipm = [&](std::uint32_t id) {
    const auto mat = ScifiChannel{id}.mat();
    return mat < mats.size() && mats[mat] && id % scifi_sipm_channels == 0;
  };
  const auto fail = [&](const char* field, std::size_t i, std::uint32_t value,
                        const char* problem) {
    throw InputError({std::string(where), field, i}, std::to_string(value) + " " + problem);
  };
  if (!g.has_links()) {
    check_count(g.first_channel, scifi_banks, where, "first_channel");
    check_count(g.sources, 0, where, "sources");
    check_count(g.sipms, 0, where, "sipms");
    for (std::size_t b = 0; b < g.first_channel.size(); ++b)
      if (!is_sipm(g.first_channel[b]))
        fail("first_channel", b, g.first_channel[b], "is not the first channel of a SiPM");
    return;
  }
  check_count(g.sources, scifi_banks, where, "sources");
  check_count(g.sipms, std::size_t(scifi_banks) * scifi_bank_links, where, "sipms");
  constexpr std::size_t all_sources = 0x10000;
  std::vector<bool> sources(all_sources), sipms(std::size_t(scifi_mat_count) * scifi_mat_sipms);
  for (std::size_t b = 0; b < g.sources.size(); ++b) {
    if (g.sources[b] >= all_sources) fail("sources", b, g.sources[b], "has more than 16 bits");
    if (sources[g.sources[b]])
      fail("sources", b, g.sources[b], "is the source of a bank before it");
    sources[g.sources[b]] = true;
  }
  for (std::size_t i = 0; i < g.sipms.size(); ++i) {
    if (!is_sipm(g.sipms[i])) continue;  // not connected
    const ScifiChannel first{g.sipms[i]};
    const std::size_t sipm =
        first.mat() * scifi_mat_sipms + std::size_t(first.in_mat() / scifi_sipm_channels);
    if (sipms[sipm]) fail("sipms", i, g.sipms[i], "is read by a link before it");
    sipms[sipm] = true;
  }
}

}  // namespace detail

TRACKPLEX_INLINE void check_scifi_geometry(const ScifiGeometry& geometry, std::string_view where) {
  const auto mats = detail::scifi_mats_of_modules(geometry, where);
  detail::check_scifi_readout(geometry, mats, where);
  const auto check = [&](const std::vector<float>& numbers, const char* field) {
    detail::check_count(numbers, scifi_mat_count, where, field);
    detail::check_finite(numbers, where, field);
  };
  check(geometry.x, "x");
  check(geometry.y, "y");
  check(geometry.z, "z");
  check(geometry.step_x, "step_x");
  check(geometry.step_y, "step_y");
  check(geometry.step_z, "step_z");
  check(geometry.u_begin, "u_begin");
  check(geometry.half_pitch, "half_pitch");
  check(geometry.die_gap, "die_gap");
  check(geometry.sipm_pitch, "sipm_pitch");
  check(geometry.dxdy, "dxdy");
  check(geometry.dzdy, "dzdy");
  check(geometry.length, "length");
  for (std::size_t m = 0; m < mats.size(); ++m) {
    if ((geometry.length[m] != 0.f) != mats[m])
      throw InputError({std::string(where), "length", m},
                       mats[m] ? "is 0, but its quarter has this mat"
                               : "is not 0, but its quarter has no such mat");
    if (mats[m]) detail::check_scifi_mat(geometry, m, where);
  }
}

TRACKPLEX_INLINE void check_ut_boards(const UtBoards& boards, std::string_view where) {
  detail::check_count(boards.strips_per_hybrid, UtBoards::count, where, "strips_per_hybrid");
  constexpr std::size_t hybrids = UtBoards::count * UtBoards::hybrids_per_board;
  detail::check_count(boards.station, hybrids, where, "station");
  detail::check_count(boards.layer, hybrids, where, "layer");
  detail::check_count(boards.region, hybrids, where, "region");
  detail::check_count(boards.sector, hybrids, where, "sector");
  detail::check_count(boards.channel, hybrids, where, "channel");
  for (std::size_t b = 0; b < boards.size(); ++b)
    if (boards.strips_per_hybrid[b] != 0 && boards.strips_per_hybrid[b] != ut_strips_per_sector)
      throw InputError({std::string(where), "strips_per_hybrid", b},
                       std::to_string(boards.strips_per_hybrid[b]) + " is neither 0 nor " +
                           std::to_string(ut_strips_per_sector));
  std::vector<bool> seen(ut_sectors);
  for (std::size_t i = 0; i < hybrids; ++i) {
    const detail::UtHybrid hybrid(boards, i);
    if (!hybrid.connected()) continue;
    std::string problem = hybrid.problem();
    if (problem.empty() && seen[hybrid.sector_index()])
      problem = "a hybrid before it is connected to the same sector";
    if (!problem.empty())
      throw InputError({std::string(where), "hybrid", i}, problem,
                       "hybrids of board b are 6 b to 6 b + 5");
    seen[hybrid.sector_index()] = true;
  }
}

TRACKPLEX_INLINE void check_ut_geometry(const UtGeometry& geometry, std::string_view where) {
  detail::check_count(geometry.first_strip, ut_sectors, where, "first_strip");
  const auto check = [&](const std::vector<float>& numbers, const char* field) {
    detail::check_count(numbers, ut_sectors, where, field);
    detail::check_finite(numbers, where, field);
  };
  check(geometry.pitch, "pitch");
  check(geometry.length, "length");
  check(geometry.x_per_strip, "x_per_strip");
  check(geometry.y_per_strip, "y_per_strip");
  check(geometry.z_per_strip, "z_per_strip");
  check(geometry.x, "x");
  check(geometry.y, "y");
  check(geometry.z, "z");
  check(geometry.cosine, "cosine");
  detail::check_positive(geometry.pitch, where, "pitch");
  detail::check_positive(geometry.length, where, "length");
  detail::check_positive(geometry.cosine, where, "cosine");
  for (std::size_t s = 0; s < geometry.size(); ++s) {
    if (geometry.first_strip[s] > ut_strips_per_sector)
      throw InputError({std::string(where), "first_strip", s},
                       std::to_string(geometry.first_strip[s]) + " is more than " +
                           std::to_string(ut_strips_per_sector));
    if (geometry.cosine[s] > 1.f)
      throw InputError({std::string(where), "cosine", s},
                       shortest(geometry.cosine[s]) + " is more than 1");
  }
}

TRACKPLEX_INLINE void check_ut_magnet_tables(const UtMagnetTables& tables, std::string_view where) {
  constexpr auto nodes = UtMagnetTables::bdl_nodes;
  detail::check_count(tables.deflection, UtMagnetTables::deflection_nodes * ut_layers, where,
                      "deflection");
  detail::check_positive(tables.deflection, where, "deflection");
  detail::check_count(tables.bdl, std::size_t(nodes[0] * nodes[1] * nodes[2]), where, "bdl");
  detail::check_finite(tables.bdl, where, "bdl");
}

TRACKPLEX_INLINE void check_polarity(float polarity, std::string_view where) {
  if (polarity != -1.f && polarity != 1.f)
    throw InputError({std::string(where), "polarity"}, shortest(polarity) + " is neither -1 nor 1");
}

TRACKPLEX_INLINE void check_detector(const Detector& detector, std::string_view where) {
  check_velo_pixel_geometry(detector.velo, where);
  check_ut_boards(detector.ut_boards, where);
  check_ut_geometry(detector.ut, where);
  check_ut_magnet_tables(detector.magnet, where);
  check_beam(detector.beam_x, detector.beam_y, where);
  check_polarity(detector.polarity, where);
  if (detector.scifi) check_scifi_geometry(*detector.scifi, where);
}

}  // namespace trackplex::lhcb
