// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/pow.hpp>
#include <trackplex/io/madx/detail/madx_reader.hpp>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Errors of alignment and field of MAD-X. They are those of the elements of the sequence in use,
/// until its next USE, with the values that they have where the command stands.

namespace trackplex::io::detail {

inline void MadxReader::select(const LatticeToken& at, const MadxAttributes& given) {
  const std::string flag = text_of(given, "flag");
  if (flag != "error" && flag != "seqedit" && flag != "makethin") {
    ++session_.ignored["select"];
    return;
  }
  auto& selections = session_.selections[flag];
  if (is_on(given, "clear")) return selections.clear();
  MadxSelection selection{.at = at};
  if (!is_on(given, "full") || flag == "makethin")
    selection = {text_of(given, "pattern"), text_of(given, "class"), text_of(given, "range"), at};
  if (const auto slices = given.find("slice"); slices != given.end())
    selection.slices = number_of_slices(slices->second);
  selection.is_thick = is_on(given, "thick");
  selections.push_back(std::move(selection));
}

inline void MadxReader::eoption(const MadxAttributes& given) {
  if (given.contains("add")) session_.adds_errors = is_on(given, "add");
}

/// Errors of the sequence in use, with its elements.
inline MadxErrors& MadxReader::errors_in_use(const LatticeToken& at) {
  if (model_.used.empty())
    refuse_madx(at, "errors are those of the sequence in use", {},
                "write before: use, sequence=...;");
  MadxErrors& errors = model_.errors[model_.used];
  if (errors.elements.empty()) errors.elements = flattener().flatten(model_.used);
  return errors;
}

/// Numbers of the elements that SELECT with this FLAG chooses.
inline std::vector<std::size_t> MadxReader::selected(const std::string& flag,
                                                     const std::vector<MadxPlaced>& elements) {
  std::set<std::size_t> all;
  std::set<std::pair<std::string, int>> names;
  for (const MadxSelection& selection : session_.selections[flag]) {
    std::pair<std::size_t, std::size_t> range = {0, elements.size()};
    if (!selection.range.empty()) range = madx_range(elements, selection.range, selection.at);
    const MadxPattern pattern(selection.pattern);
    for (std::size_t i = range.first; i < range.second; ++i) {
      if ((selection.of_class.empty() || model_.is_derived(elements[i], selection.of_class)) &&
          (selection.pattern.empty() || pattern.matches(elements[i].name)) && !all.contains(i)) {
        if (names.emplace(elements[i].name, elements[i].occurrence).second)
          all.insert(i);
        else
          remark("'" + elements[i].name +
                     "' is in a sequence that is in another one more than once: SELECT chooses the "
                     "first one in its range, as in MAD-X (FLATTEN it before)",
                 selection.at);
      }
    }
  }
  return {all.begin(), all.end()};
}

inline void MadxReader::ealign(const LatticeToken& at, const MadxAttributes& given) {
  MadxErrors& errors = errors_in_use(at);
  static constexpr std::string_view known =
      " dx dy ds dphi dtheta dpsi mrex mrey mredx mredy arex arey mscalx mscaly ";
  MadxNumbers numbers;
  for (const auto& [name, value] : given) {
    if (!MadxType::is_in(known, name))
      refuse_madx(value.at, "'" + name + "' is no attribute of EALIGN");
    numbers[name] = values_(value.first());
    if ((name == "dphi" || name == "dtheta") && numbers[name] != 0.)
      refuse_madx(value.at, "rotations around x and y are not supported", {},
                  "dx, dy, ds and dpsi are");
  }
  for (const std::size_t i : selected("error", errors.elements)) {
    MadxElementErrors& of = errors.errors[i];
    const auto set = [&](double& error, const char* name) {
      error = (session_.adds_errors ? error : 0.) + numbers[name];
    };
    set(of.alignment.dx, "dx");
    set(of.alignment.dy, "dy");
    set(of.alignment.dz, "ds");
    set(of.alignment.tilt, "dpsi");
    set(of.aperture_x, "arex");
    set(of.aperture_y, "arey");
  }
}

/// Integrated strength of an element that relative errors are relative to.
inline double reference_strength(const MadxPart& element, double length, int order, bool is_skew) {
  const std::string type = element.type();
  if (type == "multipole") {
    const auto all = element.list(is_skew ? "ksl" : "knl");
    return std::size_t(order) < all.size() ? all[std::size_t(order)] : 0.;
  }
  if (type == "sbend" || type == "rbend") {
    const double k0 = element("k0");
    return k0 != 0. ? k0 * length : element("angle");
  }
  const char* strength = type == "quadrupole"  ? "k1"
                         : type == "sextupole" ? "k2"
                         : type == "octupole"  ? "k3"
                                               : nullptr;
  return strength ? element(strength) * length : 0.;
}

/// Absolute errors, and relative ones at a radius: the error of order j is that share of the
/// field of the magnet's order n, k_j = share k_n r^(n - j) j!/n!. Orders that are not given stay.
inline void MadxReader::efcomp(const LatticeToken& at, const MadxAttributes& given) {
  MadxErrors& errors = errors_in_use(at);
  for (const auto& [name, value] : given)
    if (!MadxType::is_in(" order radius dkn dks dknr dksr hyster hcoeffn hcoeffs ", name))
      refuse_madx(value.at, "'" + name + "' of efcomp is not supported", {},
                  "dkn, dks, dknr and dksr are");
  if (is_on(given, "hyster"))
    refuse_madx(given.find("hyster")->second.at, "hysteresis of field errors is not supported");
  const auto list = [&](const char* name) {
    const auto found = given.find(name);
    return found == given.end() ? std::vector<double>{} : values_.list(found->second);
  };
  const auto number = [&](const char* name, double otherwise) {
    const auto found = given.find(name);
    return found == given.end() ? otherwise : values_(found->second.first());
  };
  const double radius = number("radius", 0.);
  const int order = int(number("order", -1.));
  const bool is_relative = given.contains("dknr") || given.contains("dksr");
  if (is_relative && (order < 0 || order > 20 || !(std::abs(radius) >= 1e-6)))
    refuse_madx(at, "relative errors need the order of the magnet and a radius", {},
                "order=1, radius=0.017");
  static constexpr std::string_view magnets =
      " sbend rbend quadrupole sextupole octupole multipole solenoid hkicker vkicker kicker "
      "tkicker dipedge rfmultipole ";
  for (const std::size_t i : selected("error", errors.elements)) {
    const MadxPart element = flattener().part(errors.elements[i]);
    if (!MadxType::is_in(magnets, element.type())) continue;
    MadxElementErrors& of = errors.errors[i];
    const auto set = [&](std::vector<double>& to, const std::vector<double>& by) {
      if (to.size() < by.size()) to.resize(by.size(), 0.);
      for (std::size_t n = 0; n < by.size(); ++n)
        to[n] = (session_.adds_errors ? to[n] : 0.) + by[n];
    };
    const auto absolute = [&](std::vector<double> by) {
      const double of_magnet =
          reference_strength(element, errors.elements[i].length, order, radius < 0.);
      for (std::size_t j = 0; j < by.size(); ++j) {
        double factor = of_magnet * pow(std::abs(radius), double(order) - double(j));
        for (std::size_t k = 2; k <= j; ++k) factor *= double(k);
        for (int k = 2; k <= order; ++k) factor /= double(k);
        by[j] *= factor;
      }
      return by;
    };
    set(of.normal, list("dkn"));
    set(of.skew, list("dks"));
    if (!is_relative) continue;
    set(of.normal, absolute(list("dknr")));
    set(of.skew, absolute(list("dksr")));
  }
}

}  // namespace trackplex::io::detail
