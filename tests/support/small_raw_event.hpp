// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <trackplex/lhcb/check_detector.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <vector>

namespace trackplex::test {

using Words = std::vector<std::uint32_t>;

/// Three VP banks (one without super-pixels) and two UT banks of whole words.
inline lhcb::RawEvent small_raw_event() {
  lhcb::RawEvent event;
  event.name = "small";
  event.run = 6718861;
  event.number = (std::uint64_t(3) << 32) + 6001;
  event.vp.version = 2;
  event.vp.push_back(0, Words{2, 0x80001234, 0x005fbf01});
  event.vp.push_back(7, Words{0});
  event.vp.push_back(207, Words{1, 0x000000ff});
  event.ut.version = 3;
  event.ut.push_back(0, Words{0x00800003, 0x00051ff9, 0x00002ffc, 0xabcdef01});
  event.ut.push_back(239, Words{0x00800000});
  return event;
}

inline lhcb::McEvent small_mc_event() {
  lhcb::McParticle q;
  q.key = 1111;
  q.pid = -211;
  q.p = 11808.f;
  q.pt = 401.f;
  q.eta = 4.075f;
  q.phi = -1.438f;
  q.origin_x = 0.01f;
  q.origin_y = 0.02f;
  q.origin_z = -73.f;
  q.is_long = q.has_velo = q.has_ut = q.from_strange = q.from_signal = true;
  q.mother_key = 5;
  q.mother_pid = 310;
  q.origin_mother_key = 6;
  q.origin_mother_pid = -521;
  q.origin_mother_pt = 2.5f;
  q.origin_mother_tau = 0.25f;
  q.charge = -1.f;
  q.n_vertices = 9;
  q.velo_ids = {0x819812fb, 0x81b808ee};
  q.ut_ids = {0xb12cc467};
  q.scifi_ids = {0xa0000001, 0xa0000002, 0xa0000003};
  lhcb::McEvent event{"small", {q, q}, {{12, 0.5, -0.25, 33.}, {3, 0., 0., -7.}}};
  event.particles[1].key = 2;
  event.particles[1].velo_ids.clear();
  event.particles[1].scifi_ids.clear();
  return event;
}

/// Sensors that are not turned, and all sectors of the UT on the first boards.
inline lhcb::Detector small_detector() {
  lhcb::Detector detector;
  for (int m = 0; m < lhcb::velo_modules; ++m)
    detector.velo.module_z[m] = float(lhcb::velo_module_z[m]);
  for (int c = 0; c < lhcb::velo_pixel_columns; ++c) {
    detector.velo.column_x[c] = 0.055f * float(c);
    detector.velo.column_pitch[c] = 0.055f;
  }
  for (auto& transform : detector.velo.transforms)
    transform = {1.f, 0.f, 0.f, 0.f, 0.f, -1.f, 0.f, 1.f, 0.f, 3.f, 4.f, 5.f};

  auto& boards = detector.ut_boards;
  const int used = (lhcb::ut_sectors + 5) / 6;
  for (int b = 0; b < lhcb::UtBoards::count; ++b)
    boards.strips_per_hybrid.push_back(b < used ? 512 : 0);
  for (std::uint32_t region = 0; region < 12; ++region) {
    const int sectors = lhcb::ut_region_offsets[region + 1] - lhcb::ut_region_offsets[region];
    for (int sector = 1; sector <= sectors; ++sector) {
      boards.station.push_back(region / 6 + 1);
      boards.layer.push_back(region / 3 % 2 + 1);
      boards.region.push_back(region % 3 + 1);
      boards.sector.push_back(std::uint32_t(sector));
      boards.channel.push_back(lhcb::ut_channel(region / 6 + 1, region / 3 % 2 + 1, region % 3 + 1,
                                                std::uint32_t(sector)));
    }
  }
  for (auto* numbers :
       {&boards.station, &boards.layer, &boards.region, &boards.sector, &boards.channel})
    numbers->resize(6 * lhcb::UtBoards::count);

  auto& ut = detector.ut;
  ut.first_strip.assign(lhcb::ut_sectors, 1);
  for (auto* numbers : {&ut.pitch, &ut.length, &ut.x_per_strip, &ut.y_per_strip, &ut.z_per_strip,
                        &ut.x, &ut.y, &ut.z, &ut.cosine})
    for (int s = 0; s < lhcb::ut_sectors; ++s) numbers->push_back(0.5f + 0.0001f * float(s));

  detector.magnet.deflection.assign(124, 1.25f);
  for (int i = 0; i < 3751; ++i) detector.magnet.bdl.push_back(0.001f * float(i));
  detector.beam_x = 0.5f;
  detector.beam_y = -0.25f;
  return detector;
}

}  // namespace trackplex::test
