// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/json_values.hpp>
#include <trackplex/io/lhcb/detail/check_velo_event.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// A column of the particle table: how its value gets into a particle.
struct VeloParticleColumn {
  std::string_view name;
  void (*set)(lhcb::VeloParticle&, double);
  enum Kind { integer, number, momentum, flag } kind;
  bool required;  ///< wherever any column beside `hits` is given
};

using lhcb::VeloParticle;
inline constexpr std::array<VeloParticleColumn, 15> velo_particle_columns = {{
    {"pid", [](VeloParticle& q, double v) { q.pid = static_cast<int>(v); },
     VeloParticleColumn::integer, true},
    {"p", [](VeloParticle& q, double v) { q.p = v; }, VeloParticleColumn::momentum, true},
    {"isLong", [](VeloParticle& q, double v) { q.is_long = v != 0.; }, VeloParticleColumn::flag,
     true},
    {"hasVelo", [](VeloParticle& q, double v) { q.has_velo = v != 0.; }, VeloParticleColumn::flag,
     true},
    {"fromBeautyDecay", [](VeloParticle& q, double v) { q.from_beauty = v != 0.; },
     VeloParticleColumn::flag, true},
    {"fromStrangeDecay", [](VeloParticle& q, double v) { q.from_strange = v != 0.; },
     VeloParticleColumn::flag, true},
    {"key", [](VeloParticle& q, double v) { q.key = static_cast<std::int64_t>(v); },
     VeloParticleColumn::integer, false},
    {"pt", [](VeloParticle& q, double v) { q.pt = v; }, VeloParticleColumn::momentum, false},
    {"eta", [](VeloParticle& q, double v) { q.eta = v; }, VeloParticleColumn::number, false},
    {"phi", [](VeloParticle& q, double v) { q.phi = v; }, VeloParticleColumn::number, false},
    {"isDown", [](VeloParticle& q, double v) { q.is_down = v != 0.; }, VeloParticleColumn::flag,
     false},
    {"hasUT", [](VeloParticle& q, double v) { q.has_ut = v != 0.; }, VeloParticleColumn::flag,
     false},
    {"hasScifi", [](VeloParticle& q, double v) { q.has_scifi = v != 0.; }, VeloParticleColumn::flag,
     false},
    {"fromCharmDecay", [](VeloParticle& q, double v) { q.from_charm = v != 0.; },
     VeloParticleColumn::flag, false},
    // 1.0 or -0.999 in the data: the sign is what it says
    {"charge", [](VeloParticle& q, double v) { q.charge = (v > 0.) - (v < 0.); },
     VeloParticleColumn::number, false},
}};

/// Turns the document of one event, a Json or a JsonView, into a VeloEvent.
template <class Value>
class VeloJsonReader {
 public:
  VeloJsonReader(const Value& document, std::string name) : document_(document) {
    event_.name = std::move(name);
  }

  lhcb::VeloEvent read() {
    as_object(document_, place());
    event_.x = coordinates("x");
    event_.y = coordinates("y");
    event_.z = coordinates("z");
    if (find_member(document_, "t", place())) event_.t = coordinates("t");
    read_module_offsets();
    check_velo_modules(event_);
    if (const auto truth = find_member(document_, "montecarlo", place())) read_truth(*truth);
    return std::move(event_);
  }

 private:
  FieldPlace place(std::string field = {}) const { return {event_.name, std::move(field)}; }

  FieldPlace place(std::string field, std::size_t index) const {
    return {event_.name, std::move(field), index};
  }

  std::vector<double> coordinates(const char* field) const {
    const auto& values = as_array(member(document_, field, place()), place(field));
    if (values.size() > max_velo_hits) {
      throw CapacityError(event_.name + ": " + field, "hits of one event", values.size(),
                          max_velo_hits, "split the event");
    }
    if (field[0] != 'x' && values.size() != event_.x.size()) {
      throw InputError({event_.name, field}, "has " + std::to_string(values.size()) +
                                                 " values, but x has " +
                                                 std::to_string(event_.x.size()));
    }
    std::vector<double> numbers;
    numbers.reserve(values.size());
    for (const auto& value : values) {
      numbers.push_back(as_number(
          value, [&] { return place(field, numbers.size())(); }, max_velo_coordinate));
    }
    return numbers;
  }

  void read_module_offsets() {
    const std::string field = "module_prefix_sum";
    const auto& sums = as_array(member(document_, field, place()), place(field));
    auto& offsets = event_.module_offsets;
    if (sums.size() != offsets.size()) {
      throw InputError({event_.name, field}, "has " + std::to_string(sums.size()) + " values",
                       "53 are expected, one per module and the number of hits");
    }
    std::size_t i = 0;
    for (const auto& sum : sums) {
      const auto where = [&] { return place(field, i)(); };
      offsets[i] = static_cast<std::uint32_t>(
          as_integer(sum, where, 0, std::numeric_limits<std::uint32_t>::max()));
      ++i;
    }
  }

  void read_truth(const Value& truth) {
    const auto here = place("montecarlo");
    as_object(truth, here);
    read_description(member(truth, "description", here));
    const auto& rows = as_array(member(truth, "particles", here), place("montecarlo.particles"));
    last_owner_.assign(event_.size(), no_owner);
    event_.particles.reserve(rows.size());
    for (const auto& row : rows) read_particle(row, event_.particles.size());
    event_.has_truth = true;
  }

  void read_description(const Value& names) {
    const std::string field = "montecarlo.description";
    as_array(names, place(field));
    for (const auto& element : names) {
      const auto where = [&] { return place(field, names_.size())(); };
      if (!element.is_string()) throw_wrong_type(element, where, "a name");
      const auto name = element.template get<std::string>();
      if (std::find(names_.begin(), names_.end(), name) != names_.end())
        throw InputError(where(), "\"" + name + "\" is named twice");
      names_.push_back(name);
      const auto known = std::find_if(velo_particle_columns.begin(), velo_particle_columns.end(),
                                      [&](const auto& column) { return column.name == name; });
      columns_.push_back(known == velo_particle_columns.end() ? nullptr : &*known);
      event_.has_kinematics = event_.has_kinematics || columns_.back() != nullptr;
    }
    require("hits");
    if (!event_.has_kinematics) return;
    for (const auto& column : velo_particle_columns) {
      if (column.required) require(column.name);
    }
  }

  void require(std::string_view name) const {
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) return;
    throw InputError({event_.name, "montecarlo.description"},
                     std::string("does not name \"").append(name).append("\""));
  }

  void read_particle(const Value& row, std::size_t number) {
    const auto field = [&] { return "montecarlo.particles[" + std::to_string(number) + "]"; };
    as_array(row, [&] { return InputPlace{event_.name, field()}; });
    if (row.size() != names_.size()) {
      throw InputError({event_.name, field()}, "has " + std::to_string(row.size()) + " values",
                       "montecarlo.description has " + std::to_string(names_.size()));
    }
    VeloParticle particle;
    std::size_t c = 0;
    for (const auto& cell : row) {
      const auto name_of_cell = [&] { return field() + "." + names_[c]; };
      if (columns_[c] != nullptr) {
        const auto where = [&] { return InputPlace{event_.name, name_of_cell()}; };
        columns_[c]->set(particle, value(cell, columns_[c]->kind, where));
      } else if (names_[c] == "hits") {
        particle.hits = particle_hits(cell, name_of_cell, number);
      }
      ++c;
    }
    event_.particles.push_back(std::move(particle));
  }

  template <class Where>
  static double value(const Value& cell, VeloParticleColumn::Kind kind, const Where& where) {
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    switch (kind) {
      case VeloParticleColumn::integer:
        return static_cast<double>(as_integer(cell, where, -limit, limit));
      case VeloParticleColumn::flag:
        return as_flag(cell, where) ? 1. : 0.;
      case VeloParticleColumn::momentum:
        if (const double p = as_number(cell, where, max_momentum); p >= 0.) return p;
        throw InputError(where(), cell.dump() + " is negative", "a momentum in MeV is expected");
      case VeloParticleColumn::number:
        break;
    }
    return as_number(cell, where);
  }

  template <class Name>
  std::vector<std::uint32_t> particle_hits(const Value& indices, const Name& name,
                                           std::size_t number) {
    std::vector<std::uint32_t> hits;
    as_array(indices, [&] { return InputPlace{event_.name, name()}; });
    const auto where = [&] { return InputPlace{event_.name, name(), hits.size()}; };
    const auto last = static_cast<std::int64_t>(event_.size()) - 1;
    hits.reserve(indices.size());
    for (const auto& index : indices) {
      if (last < 0) throw InputError(where(), "names a hit, but the event has none");
      const auto hit = static_cast<std::uint32_t>(as_integer(index, where, 0, last));
      if (last_owner_[hit] == number) {
        throw InputError(where(), "hit " + std::to_string(hit) + " is listed twice");
      }
      last_owner_[hit] = number;
      hits.push_back(hit);
    }
    return hits;
  }

  static constexpr std::size_t no_owner = std::numeric_limits<std::size_t>::max();

  const Value& document_;
  lhcb::VeloEvent event_;
  std::vector<std::string> names_;                  ///< montecarlo.description
  std::vector<const VeloParticleColumn*> columns_;  ///< null: `hits`, or not known
  std::vector<std::size_t> last_owner_;             ///< per hit, the last particle naming it
};

}  // namespace trackplex::io::detail
