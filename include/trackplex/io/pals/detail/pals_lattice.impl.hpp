// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/pals/detail/pals_apertures.hpp>
#include <trackplex/io/pals/detail/pals_commands.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace trackplex::io {
namespace detail {

/// A branch out of a document.
class PalsReader {
 public:
  PalsReader(std::string_view text, const std::string& file, const PalsOptions& options)
      : options_(options), model_(PalsLoader::parse(text, file), options.seed) {
    for (const std::string& reminder : model_.document().reminders)
      remarks_.push_back("reminder: " + reminder);
    branch_ = PalsCommands(model_, remarks_).run(file, options.branch);
    result_.name = branch_.name;
    result_.is_periodic = branch_.is_periodic.value_or(false);
  }

  PalsLine read() {
    drop_bookkeeping();
    result_.particle = options_.particle;
    if (!branch_.parts.empty() && kind_of(branch_.parts.front()) == "BeginningEle") begin();
    const double turn_time = pass(nullptr, 0.);
    result_.line.reserve(branch_.parts.size());
    pass(&result_.line, turn_time);
    add_remarks();
    return std::move(result_);
  }

 private:
  /// Properties of an element that do not depend on its place.
  struct Known {
    double length = 0.;
    bool depends_on_place = false;
  };

  static const std::string& kind_of(const PalsPart& part) {
    static const std::string none;
    const YamlNode* const kind = part.node->find("kind");
    return kind ? kind->text : none;
  }
  /// A BeginningEle counts at the begin only; a Placeholder nowhere.
  void drop_bookkeeping() {
    auto& parts = branch_.parts;
    std::erase_if(parts, [](const PalsPart& part) { return kind_of(part) == "Placeholder"; });
    if (parts.empty()) return;
    const PalsPart first = parts.front();
    std::size_t i = 0;
    std::erase_if(parts,
                  [&](const PalsPart& part) { return i++ > 0 && kind_of(part) == "BeginningEle"; });
  }
  void begin() {
    const PalsValues v(model_, *branch_.parts.front().node);
    if (const auto particle = pals_beginning(model_, v)) result_.particle = particle;
    if (const YamlNode* const coordinates = v.find("ParticleP"))
      for (const char* const name : {"x", "px", "y", "py", "z", "pz"})
        if (const YamlNode* const value = coordinates->find(name);
            value && !value->is_null() && v.limit(*value) != 0.) {
          remarks_.push_back("ParticleP: coordinates of the beginning are left out");
          break;
        }
  }

  /// Passes the branch and returns the reference time at its end, s; makes the elements if there is
  /// a line for them.
  double pass(beam::BeamLine* line, double turn_time) {
    PalsSurroundings at{options_};
    at.particle = result_.particle;
    at.turn_time = turn_time;
    at.remarks = line ? &element_remarks_ : nullptr;
    at.coordinates = model_.document().coordinates;
    if (at.particle) at.time = 0.;
    for (const PalsPart& part : branch_.parts) {
      const YamlNode* const node = part.node.get();
      const auto found = known_.find(node);
      const Known known = found != known_.end() ? found->second : examine(node, at);
      if (line) append(part, known, at, *line);
      advance(part, known, at);
    }
    return at.time.value_or(0.);
  }
  Known examine(const YamlNode* node, const PalsSurroundings& at) {
    const PalsValues v(model_, *node);
    Known known{.depends_on_place = depends_on_place(v)};
    try {
      known.length = pals_length(v, at);
    } catch (const PalsRefusal&) {
      if (!options_.skip_unknown) throw;
      known.length = v.number("length");
    }
    return known_.emplace(node, known).first->second;
  }
  void advance(const PalsPart& part, const Known& known, PalsSurroundings& at) {
    if (!at.particle) return;
    const double energy = energy_of(*at.particle), momentum = at.particle->p0c;
    if (known.depends_on_place) {
      const PalsValues v(model_, *part.node);
      std::optional<PalsParticle> after;
      try {
        after = pals_particle_after(v, at);
      } catch (const PalsRefusal&) {
        if (!options_.skip_unknown) throw;
      }
      if (after) {
        at.particle = after;
        at.is_accelerated = true;
        made_.clear();
        known_.clear();
      }
    }
    *at.time += known.length * (energy + energy_of(*at.particle)) /
                (constants::speed_of_light * (momentum + at.particle->p0c));
  }

  void append(const PalsPart& part, const Known& known, const PalsSurroundings& at,
              beam::BeamLine& line) {
    const std::pair key(part.node.get(), part.is_turned);
    const auto found = made_.find(key);
    const PalsKinds kinds = found != made_.end() ? found->second : make(part, known, at);
    if (found == made_.end() && !known.depends_on_place) made_.emplace(key, kinds);
    for (const beam::ElementKind& kind : kinds) line.push_back({part.node->key, kind});
  }
  PalsKinds make(const PalsPart& part, const Known& known, const PalsSurroundings& at) {
    const PalsValues v(model_, *part.node);
    PalsKinds kinds;
    try {
      kinds = make_pals_element(v, at);
      if (part.is_turned) turn(v, kinds);
      for (const beam::ElementKind& kind : kinds) check(v, kind);
    } catch (const PalsRefusal&) {
      if (!options_.skip_unknown) throw;
      ++drifts_[v.kind()];
      kinds = {make_pals_drift(known.length, options_)};
    }
    return kinds;
  }
  static void turn(const PalsValues& v, PalsKinds& kinds) {
    if (v.kind() == "Patch" || v.kind() == "ReferenceChange" || v.kind() == "Taylor" ||
        v.number("RFP.dE_ref") != 0.)
      v.refuse_element("it is in a line that is turned: direction -1");
    if (v.number("BodyShiftP.z_offset") != 0.)
      v.refuse("BodyShiftP.z_offset", "it is not implemented where direction is -1");
    std::ranges::reverse(kinds);
    for (beam::ElementKind& kind : kinds) kind = kind.reversed();
  }
  /// Magnets of negative length are read; trackers refuse them.
  void check(const PalsValues& v, const beam::ElementKind& kind) {
    if (kind.length() >= 0. || kind.as<beam::ExpandedDrift>() || kind.as<beam::ExactDrift>()) {
      try {
        return beam::check_element({v.name(), kind});
      } catch (const UsageError& error) {
        v.refuse_element(error.what());
      }
    }
    element_remarks_.push_back("\"" + v.name() + "\": its length is below 0, it cannot be tracked");
  }

  void add_remarks() {
    for (const auto& [kind, n] : drifts_)
      result_.drifts +=
          (result_.drifts.empty() ? "" : ", ") + kind + " (" + std::to_string(n) + ")";
    std::set<std::string> said;
    for (std::string& remark : element_remarks_)
      if (said.insert(remark).second) remarks_.push_back(std::move(remark));
    result_.remarks = std::move(remarks_);
  }

  const PalsOptions& options_;
  PalsModel model_;
  PalsBranch branch_;
  PalsLine result_;
  std::vector<std::string> remarks_, element_remarks_;
  std::unordered_map<const YamlNode*, Known> known_;
  std::map<std::pair<const YamlNode*, bool>, PalsKinds> made_;
  std::map<std::string, int> drifts_;  ///< numbers of elements by kind
};

}  // namespace detail

TRACKPLEX_INLINE PalsLine parse_pals(std::string_view text, const std::string& name,
                                     const PalsOptions& options) {
  return detail::PalsReader(text, name, options).read();
}

TRACKPLEX_INLINE PalsLine read_pals(const std::filesystem::path& path, const PalsOptions& options) {
  return parse_pals(read_file(path), path.string(), options);
}

}  // namespace trackplex::io
