// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/append_number.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// Appends `[a,b,...]`.
template <class Numbers>
void append_array(std::string& text, const Numbers& numbers) {
  char separator = '[';
  for (const auto number : numbers) {
    text.push_back(separator);
    append_number(text, number);
    separator = ',';
  }
  text.append(separator == '[' ? "[]" : "]");
}

template <class Numbers>
void append_field(std::string& text, std::string_view name, const Numbers& numbers) {
  text.append(",\"").append(name).append("\":");
  append_array(text, numbers);
}

inline void append_particle(std::string& text, const lhcb::VeloParticle& particle,
                            bool kinematics) {
  text.push_back('[');
  const auto append = [&](auto value) {
    append_number(text, value);
    text.push_back(',');
  };
  if (kinematics) {
    append(particle.key);
    append(particle.pid);
    for (const double v : {particle.p, particle.pt, particle.eta, particle.phi}) append(v);
    for (const bool flag :
         {particle.is_long, particle.is_down, particle.has_velo, particle.has_ut,
          particle.has_scifi, particle.from_beauty, particle.from_charm, particle.from_strange}) {
      append(flag ? 1 : 0);
    }
    append(particle.charge);
  }
  append_array(text, particle.hits);
  text.push_back(']');
}

/// An event in the JSON form of velopix_tracking.
inline std::string velo_event_text(const lhcb::VeloEvent& event) {
  const bool kinematics = event.has_kinematics;
  std::string text =
      kinematics ? "{\"description\":\"Upgrade 1\"" : "{\"description\":\"Upgrade 2\"";
  append_field(text, "module_prefix_sum", event.module_offsets);
  if (event.has_truth) {
    text.append(",\"montecarlo\":{\"description\":[");
    if (kinematics) {
      text.append(
          R"("key","pid","p","pt","eta","phi","isLong","isDown","hasVelo","hasUT","hasScifi",)"
          R"("fromBeautyDecay","fromCharmDecay","fromStrangeDecay","charge",)");
    }
    text.append("\"hits\"],\"particles\":[");
    for (const auto& particle : event.particles) {
      if (&particle != event.particles.data()) text.push_back(',');
      append_particle(text, particle, kinematics);
    }
    text.append("]}");
  }
  append_field(text, "x", event.x);
  append_field(text, "y", event.y);
  append_field(text, "z", event.z);
  if (!event.t.empty()) append_field(text, "t", event.t);
  text.append("}\n");
  return text;
}

}  // namespace trackplex::io::detail
