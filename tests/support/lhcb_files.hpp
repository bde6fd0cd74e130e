// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include "support/data.hpp"

#include <cstring>
#include <fstream>
#include <iterator>

/// The ten raw events of LHCb, read without the io component: for tests below it. Trusts the files.

namespace trackplex::test {

class FileWords {
 public:
  explicit FileWords(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  template <class T>
  T read() {
    T value;
    REQUIRE(at_ + sizeof value <= bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  std::vector<T> read(std::size_t n) {
    std::vector<T> values(n);
    REQUIRE(at_ + n * sizeof(T) <= bytes_.size());
    if (n > 0) std::memcpy(values.data(), bytes_.data() + at_, n * sizeof(T));
    at_ += n * sizeof(T);
    return values;
  }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

inline std::vector<std::string> lhcb_event_names() {
  std::vector<std::string> names;
  for (int number = 6001; number <= 6010; ++number)
    names.push_back("6718861_" + std::to_string(number) + ".bin");
  return names;
}

inline lhcb::UtBoards lhcb_ut_boards() {
  FileWords file(data_or_skip("lhcb-raw/geometry/ut_boards.bin"));
  lhcb::UtBoards boards;
  const auto n = file.read<std::uint32_t>();
  boards.strips_per_hybrid = file.read<std::uint32_t>(n);
  for (auto* values :
       {&boards.station, &boards.layer, &boards.region, &boards.sector, &boards.channel})
    *values = file.read<std::uint32_t>(lhcb::UtBoards::hybrids_per_board * n);
  return boards;
}

inline lhcb::UtGeometry lhcb_ut_geometry() {
  FileWords file(data_or_skip("lhcb-raw/geometry/ut_geometry.bin"));
  lhcb::UtGeometry g;
  const auto n = file.read<std::uint32_t>();
  g.first_strip = file.read<std::uint32_t>(n);
  for (auto* values : {&g.pitch, &g.length, &g.x_per_strip, &g.y_per_strip, &g.z_per_strip, &g.x,
                       &g.y, &g.z, &g.cosine})
    *values = file.read<float>(n);
  return g;
}

inline lhcb::RawEvent lhcb_ut_event(const std::string& name) {
  FileWords file(data_or_skip("lhcb-raw/banks/UT") / name);
  lhcb::RawEvent event;
  event.name = name;
  event.ut.version = 3;
  const auto n = file.read<std::uint32_t>();
  const auto offsets = file.read<std::uint32_t>(n + 1);
  for (std::uint32_t bank = 0; bank < n; ++bank) {
    const auto source = file.read<std::uint32_t>();
    event.ut.push_back(std::uint16_t(source),
                       file.read<std::uint32_t>((offsets[bank + 1] - offsets[bank]) / 4 - 1));
  }
  return event;
}

/// In the form until 2021.
inline lhcb::ScifiGeometry lhcb_scifi_geometry() {
  FileWords file(data_or_skip("lhcb-scifi/geometry/scifi_geometry.bin"));
  lhcb::ScifiGeometry g;
  file.read<std::uint32_t>(5);
  g.modules = file.read<std::uint32_t>(lhcb::scifi_quarters);
  file.read<std::uint32_t>(3);
  g.first_channel = file.read<std::uint32_t>(lhcb::scifi_banks);
  const auto n = file.read<std::uint32_t>();
  for (auto* values : {&g.x, &g.y, &g.z, &g.step_x, &g.step_y, &g.step_z, &g.u_begin, &g.half_pitch,
                       &g.die_gap, &g.sipm_pitch, &g.dxdy, &g.dzdy, &g.length})
    *values = file.read<float>(n);
  REQUIRE(file.left() == 0);
  return g;
}

inline lhcb::RawEvent lhcb_scifi_event(const std::string& name) {
  FileWords file(data_or_skip("lhcb-scifi/banks/FTCluster") / name);
  lhcb::RawEvent event;
  event.name = name;
  event.scifi.version = 5;
  const auto n = file.read<std::uint32_t>();
  const auto offsets = file.read<std::uint32_t>(n + 1);
  for (std::uint32_t bank = 0; bank < n; ++bank) {
    const auto source = file.read<std::uint32_t>();
    event.scifi.push_back(std::uint16_t(source),
                          file.read<std::uint32_t>((offsets[bank + 1] - offsets[bank]) / 4 - 1));
  }
  return event;
}

inline lhcb::McEvent lhcb_mc_event(const std::string& name) {
  FileWords file(data_or_skip("lhcb-raw/MC_info/tracks") / name);
  lhcb::McEvent event;
  event.name = name;
  event.particles.resize(file.read<std::uint32_t>());
  for (auto& q : event.particles) {
    q.key = file.read<std::uint32_t>();
    q.pid = file.read<std::int32_t>();
    for (float* value : {&q.p, &q.pt, &q.eta, &q.phi, &q.origin_x, &q.origin_y, &q.origin_z})
      *value = file.read<float>();
    for (bool* flag : {&q.is_long, &q.is_down, &q.has_velo, &q.has_ut, &q.has_scifi, &q.from_beauty,
                       &q.from_charm, &q.from_strange})
      *flag = file.read<std::int8_t>() != 0;
    q.mother_key = file.read<std::uint32_t>();
    q.origin_mother_key = file.read<std::int32_t>();
    q.origin_mother_pid = file.read<std::int32_t>();
    for (float* value : {&q.origin_mother_pt, &q.origin_mother_tau, &q.charge})
      *value = file.read<float>();
    q.n_vertices = file.read<std::uint32_t>();
    for (auto* ids : {&q.velo_ids, &q.ut_ids, &q.scifi_ids})
      *ids = file.read<std::uint32_t>(file.read<std::uint32_t>());
  }
  REQUIRE(file.left() == 0);
  return event;
}

}  // namespace trackplex::test
