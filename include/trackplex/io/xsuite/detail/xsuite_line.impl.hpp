// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/xsuite/detail/xsuite_elements.hpp>
#include <trackplex/io/xsuite/xsuite_line.hpp>

#include <cstddef>
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

/// A line out of a document.
class XsuiteReader {
 public:
  XsuiteReader(const JsonView& root, const std::string& file, const XsuiteOptions& options)
      : root_(root), file_(file), options_(options), line_(find_line()) {
    result_.particle = reference_particle();
    const std::string mode = text(line_, "mode");
    if (mode == "compose" && find(line_, "composer"))
      throw InputError(place("mode"), "is \"compose\"", "its elements are not composed yet",
                       "write it after line.build(), or with mode \"normal\"");
    list_elements();
  }

  XsuiteLine read() {
    const std::vector<std::string_view> names = names_in_order();
    double length = 0.;
    for (const auto name : names) length += length_of(name);
    XsuiteSurroundings at{options_, result_.particle, has_exact_drifts(), length};
    for (const auto name : names) append(name, at);
    add_remarks();
    return std::move(result_);
  }

 private:
  /// An element without its replicas and slices.
  struct Found {
    XsuiteValues values;
    XsuiteSlice slice;
  };
  using Kinds = std::vector<beam::ElementKind>;

  InputPlace place(std::string field = {}) const { return {file_, std::move(field)}; }
  std::optional<JsonView> find(const JsonView& object, std::string_view key) const {
    return find_member(object, key, [&] { return place(); });
  }
  std::string text(const JsonView& object, std::string_view key) const {
    const auto found = find(object, key);
    return found && found->is_string() ? found->get<std::string>() : std::string();
  }

  // The line and its reference particle

  JsonView find_line() {
    as_object(root_, [&] { return place(); });
    const auto lines = find(root_, "lines"), line = find(root_, "line");
    const bool is_line = find(root_, "element_names").has_value();
    if (is_line || (line && line->is_object())) {
      if (!options_.line.empty())
        throw UsageError("read_xsuite", "the file has one line, without a name",
                         "\"" + options_.line + "\"", "leave out the name");
      const std::string kind = text(root_, "__class__");
      if (is_line && !kind.empty() && kind != "Line")
        throw InputError(place("__class__"), "is \"" + kind + "\"", "a line is \"Line\"");
      return is_line ? root_ : *line;
    }
    if (!lines)
      throw InputError(place(), "has no line", "no element_names, line or lines",
                       "is this another kind of file?");
    return choose(as_object(*lines, [&] { return place("lines"); }));
  }
  JsonView choose(const JsonView& lines) {
    std::string names;
    std::optional<JsonView> chosen;
    int n = 0;
    for (const auto line : lines.object()) {
      names.append(names.empty() ? "" : ", ").append(line.key);
      ++n;
      if (!options_.line.empty() && line.key != options_.line) continue;
      chosen = JsonView(line.value);
      result_.name = std::string(std::string_view(line.key));
    }
    if (!chosen || (n > 1 && options_.line.empty()))
      throw UsageError("read_xsuite",
                       options_.line.empty() ? "the file has several lines"
                                             : "the file has no line \"" + options_.line + "\"",
                       "its lines: " + names, "name one of them");
    return as_object(*chosen, [&] { return place("lines." + result_.name); });
  }

  static constexpr std::string_view anomaly_key = "anomalous_magnetic_moment";
  std::optional<XsuiteParticle> reference_particle() const {
    auto found = find(line_, "particle_ref");
    if (found && found->is_string()) {
      const std::string name = found->get<std::string>();
      found.reset();
      for (const JsonView& object : {line_, root_})
        for (const char* const key : {"env_particles", "particles"})
          if (const auto list = find(object, key); !found && list && list->is_object())
            found = find(*list, name);
      if (!found)
        throw InputError(place("particle_ref"), "is \"" + name + "\"",
                         "env_particles has no such particle");
    }
    if (!found || !found->is_object()) found = find(root_, "particle");
    if (!found || !found->is_object() || !find(*found, "p0c")) return std::nullopt;
    XsuiteParticle particle{number_of(*found, "mass0"), number_of(*found, "q0"),
                            number_of(*found, "p0c")};
    if (!(particle.mass > 0.) || !(particle.p0c > 0.) || particle.charge == 0.)
      throw InputError(place("particle_ref"), "has no mass, charge or momentum",
                       "mass0 and p0c are above 0 eV, q0 is not 0");
    if (find(*found, anomaly_key)) particle.anomaly = number_of(*found, anomaly_key);
    if (particle.anomaly == 0.) particle.anomaly.reset();
    return particle;
  }
  /// A number, or the first one of a list.
  double number_of(const JsonView& object, std::string_view key) const {
    const auto where = [&] { return place("particle_ref." + std::string(key)); };
    const JsonView value = member(object, key, where);
    if (!value.is_array()) return as_number(value, where);
    for (const JsonView first : value) return as_number(first, where);
    throw InputError(where(), "is empty");
  }
  bool has_exact_drifts() const {
    const auto config = find(line_, "config");
    if (!config || !config->is_object()) return false;
    const auto flag = find(*config, "XTRACK_USE_EXACT_DRIFTS");
    return flag && flag->is_boolean() && flag->get<bool>();
  }

  // Its elements

  void list_elements() {
    const auto inside = find(line_, "elements");
    const JsonView elements = inside ? *inside : member(root_, "elements", [&] { return place(); });
    if (elements.is_array()) {  // as old as the first files: one for each name
      const auto names = names_in_order();
      std::size_t i = 0;
      for (const JsonView element : elements)
        if (i < names.size()) elements_.emplace(names[i++], element);
      return;
    }
    const auto where = [&] { return place("elements"); };
    for (const auto field : as_object(elements, where).object())
      if (!elements_.emplace(field.key, JsonView(field.value)).second)
        throw_two_fields(where, field.key);
  }
  std::vector<std::string_view> names_in_order() const {
    std::vector<std::string_view> names;
    const JsonView list = member(line_, "element_names", [&] { return place(); });
    for (const JsonView name : as_array(list, [&] { return place("element_names"); })) {
      if (!name.is_string())
        throw_wrong_type(
            name,
            [&] {
              return InputPlace{file_, "element_names", names.size()};
            },
            "a text");
      names.push_back(name.get<std::string_view>());
    }
    return names;
  }

  Found find_element(std::string_view name) const {
    XsuiteSlice slice;
    std::set<std::string, std::less<>> seen;
    for (std::string next(name);;) {
      const auto found = elements_.find(next);
      if (found == elements_.end())
        throw InputError(place("elements"), "has no \"" + next + "\"",
                         seen.empty() ? "element_names has it" : "a replica or slice is of it");
      if (!seen.insert(next).second)
        throw InputError(place("elements." + next), "is a replica or slice of itself");
      XsuiteValues values(file_, next, found->second);
      const auto part = part_of(values.kind());
      if (!part && values.kind() != "Replica") return {std::move(values), slice};
      if (part) {
        slice.part = *part;
        slice.weight *= values.number("weight", 1.);
      }
      const std::string parent = values.text("parent_name");
      if (parent.empty()) values.refuse("parent_name", "a " + values.kind() + " has one");
      next = parent;
    }
  }
  static std::optional<XsuitePart> part_of(std::string_view kind) {
    if (kind.starts_with("ThickSlice")) return XsuitePart::body;
    if (kind.starts_with("DriftSlice")) return XsuitePart::drift;
    if (!kind.starts_with("ThinSlice")) return std::nullopt;
    if (kind.ends_with("Entry")) return XsuitePart::entry;
    return kind.ends_with("Exit") ? XsuitePart::exit : XsuitePart::kick;
  }

  double length_of(std::string_view name) {
    const auto [known, is_new] = lengths_.emplace(name, 0.);
    if (!is_new) return known->second;
    Found found = find_element(name);
    const XsuitePart part = found.slice.part;
    if (part == XsuitePart::whole || part == XsuitePart::body || part == XsuitePart::drift)
      known->second = found.slice.weight * xsuite_length(found.values);
    return known->second;
  }

  void append(std::string_view name, XsuiteSurroundings& at) {
    const auto known = made_.find(name);
    const Kinds kinds = known != made_.end() ? known->second : make(name, at);
    for (const beam::ElementKind& kind : kinds) {
      if (const auto* const momentum = kind.as<beam::SetMomentum>()) {
        result_.particle->p0c = momentum->momentum * result_.particle->mass;
        at.is_accelerated = true;
      }
      result_.line.push_back({std::string(name), kind});
      at.position += kind.length();
    }
  }
  Kinds make(std::string_view name, const XsuiteSurroundings& at) {
    Found found = find_element(name);
    XsuiteValues& v = found.values;
    Kinds kinds;
    try {
      if (v.has("name_associated_aperture")) ++associated_apertures_;
      kinds = make_xsuite_element(v, found.slice, at);
      v.refuse_others();
      for (const beam::ElementKind& kind : kinds) beam::check_element({std::string(name), kind});
    } catch (const XsuiteRefusal&) {
      if (!options_.skip_unknown) throw;
      ++drifts_[v.kind()];
      kinds = {make_xsuite_drift(length_of(name))};
    }
    if (!depends_on_place(v.kind())) made_.emplace(name, kinds);
    return kinds;
  }

  void add_remarks() {
    for (const auto& [kind, n] : drifts_)
      result_.drifts +=
          (result_.drifts.empty() ? "" : ", ") + kind + " (" + std::to_string(n) + ")";
    if (const auto knobs = find(line_, "_var_manager"); knobs && knobs->is_array())
      for (const JsonView first : *knobs) {
        (void)first;
        result_.remarks.push_back("expressions of knobs are left out: elements keep their values");
        break;
      }
    if (associated_apertures_ > 0 && options_.apertures)
      result_.remarks.push_back(
          "associated apertures limit particles at their own places only, not "
          "inside of " +
          std::to_string(associated_apertures_) + " elements");
  }

  const JsonView root_;
  const std::string& file_;
  const XsuiteOptions& options_;
  XsuiteLine result_;
  const JsonView line_;
  std::unordered_map<std::string_view, JsonView> elements_;
  std::unordered_map<std::string_view, double> lengths_;
  std::unordered_map<std::string_view, Kinds> made_;
  std::map<std::string, int> drifts_;  ///< numbers of elements by kind
  int associated_apertures_ = 0;
};

}  // namespace detail

TRACKPLEX_INLINE XsuiteLine parse_xsuite(std::string_view text, const std::string& name,
                                         const XsuiteOptions& options) {
  detail::JsonDocument document;
  const auto root = document.parse(text);
  if (!root) {
    detail::parse_json(text, name);  // says where the text is wrong
    throw InputError({name}, "has integers of more than 64 bits, or too many arrays in each other");
  }
  return detail::XsuiteReader(*root, name, options).read();
}

TRACKPLEX_INLINE XsuiteLine read_xsuite(const std::filesystem::path& path,
                                        const XsuiteOptions& options) {
  return parse_xsuite(detail::read_plain_or_gzip(path), path.string(), options);
}

}  // namespace trackplex::io
