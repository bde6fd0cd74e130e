// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_flat.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Thin elements for thick ones, as MAKETHIN of MAD-X makes them.

namespace trackplex::io::detail {

/// Styles of MAKETHIN.
inline constexpr std::string_view madx_thin_styles = " teapot simple collim hybrid ";

/// Options of MAKETHIN.
struct MadxThinOptions {
  std::string style = "teapot";
  bool has_edges = true;         ///< bends have DIPEDGE at their ends
  bool has_end_markers = false;  ///< magnets have markers at their ends
};

/// From the centre of a magnet to slice i of n, from 1 on, in units of its length. TEAPOT: H.
/// Burkhardt, R. De Maria, M. Giovannozzi and T. Risselada, Proc. IPAC 2013, MOPWO027.
inline double madx_slice_shift(std::string_view style, int n, int i) {
  if (n == 1) return 0.;
  if (style == "hybrid") style = n > 4 ? "simple" : "teapot";
  if (style == "simple") return (2. * i - 1.) / (2. * n) - 0.5;
  if (style == "collim") return (i - 1.) / (n - 1.) - 0.5;
  return 0.5 * n * (1. - 2. * i + n) / (1. - double(n) * n);
}

/// Slices of the elements of a sequence. Their strengths are expressions wherever those of the
/// thick elements are.
class MadxThinSequence {
 public:
  using Elements = std::map<std::string, MadxElement, std::less<>>;
  using SlicingOf = std::function<MadxSlicing(const MadxElement&)>;

  MadxThinSequence(const MadxModel& model, MadxFlattener& flat, MadxThinOptions options,
                   SlicingOf slicing_of, std::size_t limit)
      : model_(model),
        flat_(flat),
        options_(std::move(options)),
        slicing_of_(std::move(slicing_of)),
        limit_(limit) {}

  /// The sequence with thin elements.
  MadxSequence slice(const MadxSequence& thick) {
    sequence_ = thick;
    sequence_.nodes.clear();
    for (const MadxNode& node : thick.nodes) add(node);
    return std::move(sequence_);
  }
  /// The elements that were made.
  const Elements& elements() const { return made_; }

 private:
  /// A thick element at its place, and the number of its slices.
  struct Thick {
    const MadxNode& node;
    const MadxElement& element;
    const MadxPart part;
    MadxExpression length{};  ///< of the arc
    int n = 1;

    std::string type() const { return part.type(); }
    bool is_bend() const { return type() == "sbend" || type() == "rbend"; }
  };

  static constexpr double zero = 1e-15;
  /// Attributes that slices do not have.
  static constexpr std::string_view dropped =
      " l lrad slot_id assembly_id slice thick comments kill_ent_fringe kill_exi_fringe ";

  static bool is_zero(const MadxExpression& value) {
    return !value.steps && std::abs(value.number) < zero;
  }
  static MadxExpression divided(const MadxExpression& value, int by) {
    return by == 1 ? value : combined(value, '/', MadxExpression::constant(by));
  }
  static std::string thin_name(const std::string& of, int n, int i) {
    return n == 1 ? of : of + ".." + std::to_string(i);
  }

  void add(const MadxNode& node) {
    const MadxElement by_type{node.name, node.name, node.name, {}, node.at};
    const MadxElement* element = node.element ? node.element.get() : model_.element(node.name);
    Thick thick{node, element ? *element : by_type, flat_.part(node)};
    const std::string type = thick.type();
    const MadxSlicing slicing = slicing_of_(thick.element);
    thick.n = slicing.slices;
    const bool is_whole = slicing.is_thick && thick.n == 1 && !thick.is_bend();
    if (std::abs(thick.part.length()) < zero || thick.n == 0 || type == "matrix" || is_whole)
      return append(node);
    if (type == "drift") return;
    if (slicing.is_thick)
      thick.part.refuse_element("MAKETHIN makes no thick slices here",
                                "without THICK they are thin, and SLICE=0 leaves it whole");
    thick.length = length_of(thick.part);
    if (MadxType::is_in(" quadrupole sextupole octupole sbend rbend ", type))
      add_magnet(thick);
    else
      add_other(thick);
  }
  void append(MadxNode node) {
    if (sequence_.nodes.size() >= limit_)
      refuse_madx(node.at, "MAKETHIN makes more than " + std::to_string(limit_) + " elements");
    sequence_.nodes.push_back(std::move(node));
  }
  void place(MadxElement element, const Thick& thick, double shift) {
    const MadxNode& node = thick.node;
    append({element.name,
            shift == 0. ? node.position
                        : combined(node.position, '+',
                                   combined(thick.length, '*', MadxExpression::constant(shift))),
            node.from, node.at, node.alignment});
    made_.insert_or_assign(element.name, std::move(element));
  }

  /// The length of the arc, also where angles change later.
  MadxExpression length_of(const MadxPart& part) const {
    const MadxExpression length = part.expression("l"), angle = part.expression("angle");
    if (part.type() != "rbend" || !model_.chord || is_zero(angle)) return length;
    return combined(length, '/',
                    applied("sinc", combined(angle, '*', MadxExpression::constant(0.5))));
  }

  // Magnets: multipoles with the edges of bends at both ends

  void add_magnet(const Thick& thick) {
    refuse_what_is_lost(thick);
    const bool has_edges = thick.is_bend() && options_.has_edges;
    if (has_edges && thick.part("kill_ent_fringe") == 0.) place(edge(thick, true), thick, -0.5);
    add_end_marker(thick, true);
    add_slices(thick, options_.style, [&](int i) { return multipole(thick, i); });
    add_end_marker(thick, false);
    if (has_edges && thick.part("kill_exi_fringe") == 0.) place(edge(thick, false), thick, 0.5);
  }
  /// MAKETHIN of MAD-X loses or multiplies some attributes.
  static void refuse_what_is_lost(const Thick& thick) {
    thick.part.refuse_unsupported();
    for (const char* name : {"knl", "ksl"})
      for (const double value : thick.part.list(name))
        if (value != 0.)
          thick.part.refuse(name, "MAKETHIN does not cut integrated strengths of thick magnets",
                            "use a MULTIPOLE, or SELECT it with SLICE=0: it stays thick");
    if (!thick.is_bend()) return;
    for (const auto& [name, value] : thick.node.alignment)
      if (!is_zero(value.first()))
        refuse_madx(value.at,
                    "MAKETHIN of '" + thick.node.name +
                        "', a bend with a permanent displacement, "
                        "is not implemented",
                    {}, "SELECT it with SLICE=0: it stays thick");
  }

  /// Slices, and in the middle of several a marker with the name of the thick element.
  template <class Make>
  void add_slices(const Thick& thick, std::string_view style, const Make& make) {
    for (int i = 1; i <= thick.n; ++i) {
      if (thick.n > 1 && i == thick.n / 2 + 1)
        place(made(thick, thick.node.name, "marker"), thick, 0.);
      place(make(i), thick, madx_slice_shift(style, thick.n, i));
    }
  }
  void add_end_marker(const Thick& thick, bool is_entrance) {
    if (options_.has_end_markers)
      place(made(thick, thick.node.name + (is_entrance ? "_mken" : "_mkex"), "marker"), thick,
            is_entrance ? -0.5 : 0.5);
  }

  /// An element with those attributes of the thick one that its type has, but for some.
  MadxElement made(const Thick& thick, const std::string& name, const std::string& type,
                   std::string_view but = "") const {
    const bool takes_place = name == thick.element.name;  // children have its parents as before
    MadxElement element{
        name, takes_place ? thick.element.parent : type, type, {}, thick.element.at};
    element.classes = {type};
    const MadxType* known = madx_type(type);
    if (const MadxAttributes* all = thick.part.attributes())
      for (const auto& [attribute, value] : *all)
        if (known->has(attribute) && !MadxType::is_in(dropped, attribute) &&
            !MadxType::is_in(but, attribute))
          element.attributes.emplace(attribute, value);
    return element;
  }
  /// Slice i, which is derived from the slices of the parents.
  MadxElement slice_of(const Thick& thick, int i, const std::string& type,
                       std::string_view but = "") const {
    MadxElement element = made(thick, thin_name(thick.node.name, thick.n, i), type, but);
    for (const MadxElement* p = model_.element(thick.element.parent); p;
         p = model_.element(p->parent))
      element.classes.push_back(thin_name(p->name, thick.n, i));
    set(element, "lrad", divided(thick.length, thick.n));
    return element;
  }
  static void set(MadxElement& element, const std::string& name, MadxExpression value) {
    if (is_zero(value))
      element.attributes.erase(name);
    else
      element.attributes[name] = {.values = {std::move(value)}, .at = element.at};
  }

  MadxElement multipole(const Thick& thick, int i) const {
    const MadxPart& part = thick.part;
    MadxElement element = slice_of(thick, i, "multipole", " knl ksl angle ");
    const double k0 = part("k0");
    const bool is_bent_by_angle = part.is_given("angle") && std::abs(k0) < zero;
    const auto add = [&](const char* name, const std::string& suffix) {
      MadxAttribute all{.at = element.at};
      bool is_any = false;
      for (int order = 0; order < 4; ++order) {
        MadxExpression k = part.expression("k" + std::to_string(order) + suffix);
        if (order == 0 && suffix.empty() && is_bent_by_angle) k = part.expression("angle");
        is_any = is_any || !is_zero(k);
        // as in MAD-X, k0s counts as an angle where the bend has one
        if (!is_zero(k) && (order > 0 || !is_bent_by_angle)) k = combined(k, '*', thick.length);
        all.values.push_back(divided(k, thick.n));
      }
      if (is_any) element.attributes[name] = std::move(all);
    };
    add("knl", "");
    add("ksl", "s");
    if (part.is_given("angle") && !is_bent_by_angle &&
        std::abs(k0 * part.length() - part("angle")) > zero)
      element.attributes["angle"] = {.values = {divided(part.expression("angle"), thick.n)},
                                     .at = element.at};
    return element;
  }

  /// The edge at an end of a bend.
  MadxElement edge(const Thick& thick, bool is_entrance) const {
    const MadxPart& part = thick.part;
    MadxElement element =
        made(thick, thick.node.name + (is_entrance ? "_den" : "_dex"), "dipedge", " e1 h he fint ");
    const MadxExpression angle = part.expression("angle");
    set(element, "h",
        part.is_given("k0") ? part.expression("k0") : combined(angle, '/', thick.length));
    MadxExpression e = part.expression(is_entrance ? "e1" : "e2");
    if (thick.type() == "rbend") e = combined(e, '+', divided(angle, 2));
    set(element, "e1", e);
    set(element, "he", part.expression(is_entrance ? "h1" : "h2"));
    set(element, "fint",
        part.expression(!is_entrance && part.is_given("fintx") ? "fintx" : "fint"));
    set(element, "entrance", MadxExpression::constant(is_entrance));
    return element;
  }

  // Others stay what they are, without a length

  void add_other(const Thick& thick) {
    const std::string type = thick.type();
    if (type == "collimator") thick.part.refuse_unsupported();
    const bool has_style = type == "solenoid" || type == "elseparator";
    const bool has_markers = has_style || thick.n == 1;
    if (has_markers) add_end_marker(thick, true);
    add_slices(thick, has_style ? options_.style : "collim",
               [&](int i) { return other(thick, i, type); });
    if (has_markers) add_end_marker(thick, false);
  }
  MadxElement other(const Thick& thick, int i, const std::string& type) const {
    MadxElement element = slice_of(thick, i, type, type == "elseparator" ? " ex ey " : "");
    const auto integrated = [&](const char* from, const char* to) {
      const MadxExpression value = thick.part.expression(from);
      if (!is_zero(value)) set(element, to, divided(combined(value, '*', thick.length), thick.n));
    };
    if (type == "solenoid") integrated("ks", "ksi");
    if (type == "elseparator") {
      integrated("ex", "ex_l");
      integrated("ey", "ey_l");
    }
    for (const char* kick : {"kick", "hkick", "vkick", "chkick", "cvkick"})
      if (thick.part.is_given(kick))
        set(element, kick, divided(thick.part.expression(kick), thick.n));
    return element;
  }

  const MadxModel& model_;
  MadxFlattener& flat_;
  const MadxThinOptions options_;
  const SlicingOf slicing_of_;
  const std::size_t limit_;
  MadxSequence sequence_;
  Elements made_;
};

}  // namespace trackplex::io::detail
