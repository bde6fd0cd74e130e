// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/lhcb/detail/bank_bytes.hpp>
#include <trackplex/io/lhcb/detail/mdf_frame.hpp>
#include <trackplex/io/lhcb/detail/root_records.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/io/lhcb/mdf_event.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Max bytes of an event's body, far above those of any event.
inline constexpr std::size_t mdf_max_body_bytes = std::size_t(1) << 28;
/// Bytes of a part of a list that does not fit into one bank.
inline constexpr std::size_t mdf_part_bytes = 64512;

/// Collects the banks of an event from its body, which lives longer.
class MdfEventBuilder {
 public:
  MdfEventBuilder(const ByteReader& body, std::uint32_t run, MdfTruth truth)
      : body_(body), reads_truth_(truth == MdfTruth::read) {
    event_.raw.run = run;
  }

  void add(const MdfBank& bank) {
    switch (lhcb::BankType{bank.type}) {
      case lhcb::BankType::odin:
        return add_odin(bank);
      case lhcb::BankType::vp:
        return add_raw(event_.raw.vp, bank);
      case lhcb::BankType::ut:
        return add_raw(event_.raw.ut, bank);
      case lhcb::BankType::scifi:
        return add_raw(event_.raw.scifi, bank);
      case lhcb::BankType::mc_tracks:
        return reads_truth_ ? add_part(tracks_, bank) : void();
      case lhcb::BankType::mc_vertices:
        return reads_truth_ ? add_part(vertices_, bank) : void();
    }
    ++event_.other_banks[bank.type];
  }

  /// The event, checked; `where` names the file and the event in it.
  MdfEvent finish(const std::string& where) {
    auto& raw = event_.raw;
    raw.name =
        where + " (run " + std::to_string(raw.run) + ", number " + std::to_string(raw.number) + ")";
    lhcb::check_raw_event(raw);
    if (!tracks_.empty() || !vertices_.empty()) {
      lhcb::McEvent truth{raw.name, {}, {}};
      if (!tracks_.empty()) truth.particles = particles(raw.name + ": MC tracks");
      if (!vertices_.empty())
        truth.vertices = parse_mc_vertices(join(vertices_), raw.name + ": MC vertices");
      event_.truth = std::move(truth);
    }
    return std::move(event_);
  }

 private:
  using Parts = std::map<std::uint16_t, MdfBank>;

  /// The bank of the readout supervisor: run, two words, high and low word of the event's number.
  /// Banks from version 7 on are packed otherwise, and not read.
  void add_odin(const MdfBank& bank) {
    if (bank.version > 6) return;
    if (bank.payload.size() < 5 * 4)
      throw InputError(bank.place(body_),
                       "an ODIN bank has " + std::to_string(bank.payload.size()) + " bytes",
                       "20 at least are expected");
    ByteReader in(bank.payload, body_.name());
    const auto run = in.read<std::uint32_t>();
    in.skip(8);
    const std::uint64_t high = in.read<std::uint32_t>();
    event_.raw.number = high << 32 | in.read<std::uint32_t>();
    if (event_.raw.run == 0) event_.raw.run = run;
  }

  void add_raw(lhcb::RawBanks& banks, const MdfBank& bank) const {
    if (banks.size() > 0 && banks.version != bank.version)
      throw InputError(
          bank.place(body_), "it is of version " + std::to_string(bank.version),
          "banks of the same type before it are of version " + std::to_string(banks.version));
    banks.version = bank.version;
    append_bank(banks, bank.source, bank.payload);
  }

  void add_part(Parts& parts, const MdfBank& bank) const {
    if (!parts.emplace(bank.source, bank).second)
      throw InputError(bank.place(body_),
                       "part " + std::to_string(bank.source) + " of the truth is there twice");
  }

  /// The form is that which the banks' version says, unless only the other one fits.
  std::vector<lhcb::McParticle> particles(const std::string& name) const {
    const std::string bytes = join(tracks_);
    const bool v1 = tracks_.begin()->second.version == 1;
    std::optional<InputError> error;
    for (const auto form :
         {v1 ? McForm::mdf_v1 : McForm::mdf_v2, v1 ? McForm::mdf_v2 : McForm::mdf_v1})
      if (auto list = try_mc_particles_as(form, bytes, name, error)) {
        use_ids_of_2020(list->particles, name);
        return std::move(list->particles);
      }
    throw *error;
  }

  std::string join(const Parts& parts) const {
    std::string whole;
    std::size_t expected = 0;
    for (const auto& [number, bank] : parts) {
      if (number != expected++)
        throw InputError(bank.place(body_), "part " + std::to_string(number) +
                                                " of the truth follows " +
                                                std::to_string(expected - 1) + " parts");
      whole.append(bank.payload);
    }
    return whole;
  }

  const ByteReader& body_;
  const bool reads_truth_;
  MdfEvent event_;
  Parts tracks_;
  Parts vertices_;
};

/// Reads an event of which the frame is known to be whole. `first` is its first byte in the file.
inline MdfEvent read_mdf_event(std::string_view bytes, const std::string& name, std::size_t number,
                               std::size_t first, MdfTruth truth = MdfTruth::read) {
  const std::string field = "event " + std::to_string(number);
  ByteReader in(bytes, name, field, first);
  const MdfHeader header = read_mdf_header(in, bytes);
  std::string raw;
  if (header.compressed()) {
    raw = inflate_records(in, mdf_max_body_bytes);
    in = ByteReader(raw, name, field + " (decompressed)");
  }
  MdfEventBuilder builder(in, header.run, truth);
  for (std::size_t bank = 0; in.left() > 0; ++bank) builder.add(read_mdf_bank(in, bank));
  return builder.finish(name + ": " + field);
}

inline void append_raw_banks(ByteWriter& out, lhcb::BankType type, const lhcb::RawBanks& banks) {
  for (std::size_t b = 0; b < banks.size(); ++b)
    append_mdf_bank(out, std::uint8_t(type), banks.version, banks.sources[b], bank_bytes(banks, b));
}

inline void append_parts(ByteWriter& out, lhcb::BankType type, std::string_view whole) {
  constexpr int version = 2;
  std::size_t part = 0;
  for (; part * mdf_part_bytes < whole.size(); ++part)
    append_mdf_bank(out, std::uint8_t(type), version, std::uint16_t(part),
                    whole.substr(part * mdf_part_bytes, mdf_part_bytes));
  constexpr std::size_t capacity = 0x10000;
  if (part > capacity) throw CapacityError("MDF event", "parts of the truth", part, capacity);
}

inline std::string mdf_body(const MdfEvent& event) {
  lhcb::check_raw_event(event.raw);
  ByteWriter out;
  ByteWriter odin;
  for (const std::uint32_t word : {event.raw.run, 0u, 0u, std::uint32_t(event.raw.number >> 32),
                                   std::uint32_t(event.raw.number), 0u, 0u, 0u, 0u, 0u})
    odin.append(word);
  append_mdf_bank(out, std::uint8_t(lhcb::BankType::odin), 6, 0, odin.bytes());
  append_raw_banks(out, lhcb::BankType::vp, event.raw.vp);
  append_raw_banks(out, lhcb::BankType::ut, event.raw.ut);
  append_raw_banks(out, lhcb::BankType::scifi, event.raw.scifi);
  if (event.truth) {
    append_parts(out, lhcb::BankType::mc_tracks,
                 mc_particles_bytes(event.truth->particles, McForm::mdf_v2));
    append_parts(out, lhcb::BankType::mc_vertices, mc_vertices_bytes(event.truth->vertices));
  }
  return out.take();
}

}  // namespace trackplex::io::detail
