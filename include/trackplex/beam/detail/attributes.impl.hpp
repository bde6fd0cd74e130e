// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/attributes.hpp>
#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/elements/trajectory_bend.hpp>
#include <trackplex/core/error.hpp>

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::beam {
namespace detail {

/// Places of attributes in elements.
struct AttributeAccess {
  using Kind = ElementAttribute::Kind;

  /// Number in an element; the attribute is the number times a factor.
  struct Place {
    double* at = nullptr;
    double factor = 1.;
  };

  /// Strengths of other elements depend on their length.
  template <class E>
  static constexpr bool has_free_length = requires(E& e) {
    e.length;
  }
  &&!requires(E & e) { e.angle; }
  &&!requires(E & e) { e.field; };

  template <class E>
  static Place find(E& e, const ElementAttribute& a) {
    if (a.kind_ == Kind::strength) return strength(e, a);
    if (a.kind_ == Kind::length) {
      if constexpr (has_free_length<E>) return {&e.length};
    }
    if (a.kind_ == Kind::solenoid) {
      if constexpr (requires { e.ks; }) return {&e.ks};
    }
    if (a.kind_ == Kind::kick) {
      if constexpr (requires {
                      e.horizontal;
                      e.vertical;
                    })
        return {a.n_ == 0 ? &e.horizontal : &e.vertical};
      if constexpr (requires {
                      e.horizontal_kick;
                      e.vertical_kick;
                      e.closed;
                    })
        if (!e.closed) return {a.n_ == 0 ? &e.horizontal_kick : &e.vertical_kick};
    }
    return {};
  }

  /// Strength per length, or integrated.
  template <class E>
  static Place strength(E& e, const ElementAttribute& a) {
    if constexpr (requires { e.magnet; }) {
      return strength(e.magnet, a);
    } else if constexpr (requires { e.field.normal; }) {
      double length = 0.;
      if constexpr (requires { e.length; }) length = e.length;
      if (!a.is_integrated_ && length == 0.) return {};
      auto& strengths = a.is_skew_ ? e.field.skew : e.field.normal;
      if (strengths.size() <= std::size_t(a.n_)) strengths.resize(std::size_t(a.n_) + 1, 0.);
      return {&strengths[std::size_t(a.n_)],
              (a.is_skew_ ? -1. : 1.) / (a.is_integrated_ ? 1. : length)};
    } else {
      auto place = a.is_skew_ ? skew(e, a.n_) : normal(e, a.n_);
      if constexpr (requires { e.length; })
        if (a.is_integrated_) place.factor *= e.length;
      if (place.factor == 0.) return {};
      return place;
    }
  }

  template <class E>
  static Place normal(E& e, int n) {
    if constexpr (requires {
                    e.strengths;
                    e.closed;
                  }) {
      if (e.closed || n == 0) return {};
      if (e.strengths.size() < std::size_t(n)) e.strengths.resize(std::size_t(n), 0.);
      return {&e.strengths[std::size_t(n) - 1]};
    }
    if constexpr (requires { e.k1; })
      if (n == 1) return {&e.k1};
    if constexpr (requires { e.k2; })
      if (n == 2) return {&e.k2};
    if constexpr (requires { e.k3; })
      if (n == 3) return {&e.k3};
    return {};
  }

  template <class E>
  static Place skew(E& e, int n) {
    if constexpr (requires { e.j1; })
      if (n == 1) return {&e.j1, -1.};
    return {};
  }

  /// Calls f with a copy of the element if its type is in the list.
  template <class... Types, class F>
  static bool visit_types(const ElementKind& kind, const F& f) {
    const auto visit = [&](const auto* found) {
      if (!found) return false;
      auto copy = *found;
      f(copy);
      return true;
    };
    return (visit(kind.as<Types>()) || ...);
  }
  template <class F>
  static bool visit(const ElementKind& kind, const F& f) {
    return visit_types<Drift, ExactDrift, ExpandedDrift, Quadrupole, ChromaticQuadrupole,
                       CanonicalQuadrupole, Sextupole, CanonicalSextupole, Octupole,
                       CanonicalMultipole, Bend, CanonicalBend, CsrBend, TrajectoryBend, ThinBend,
                       Kicker, ExactKicker, Solenoid, ExactSolenoid>(kind, f);
  }
};

TRACKPLEX_INLINE std::string in_lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return result;
}

/// Takes a word off the beginning of a text.
inline bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Takes the order of a multipole off the beginning of a text.
inline bool take_order(std::string_view& text, int& n) {
  constexpr int highest = 20;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || n < 0 || n > highest) return false;
  text.remove_prefix(std::size_t(rest - text.data()));
  return true;
}

}  // namespace detail

TRACKPLEX_INLINE bool ElementAttribute::parse_strength(std::string_view name) {
  using detail::take;
  kind_ = Kind::strength;
  is_skew_ = name.starts_with("ks");
  if (take(name, "knl[") || take(name, "ksl[")) {
    is_integrated_ = true;
    return detail::take_order(name, n_) && name == "]";
  }
  const bool is_of_pals = take(name, "kn") || take(name, "ks");
  if ((!is_of_pals && !take(name, "k")) || !detail::take_order(name, n_)) return false;
  if (!is_of_pals) is_skew_ = take(name, "s");
  is_integrated_ = take(name, "l");
  return name.empty();
}

TRACKPLEX_INLINE bool ElementAttribute::parse(std::string_view name) {
  const std::string word = detail::in_lower_case(name);
  if (word == "l" || word == "length") return true;
  if (word == "ks" || word == "ksol") {
    kind_ = Kind::solenoid;
    return true;
  }
  if (word == "hkick" || word == "vkick") {
    kind_ = Kind::kick;
    n_ = word == "vkick";
    return true;
  }
  return parse_strength(word);
}

TRACKPLEX_INLINE ElementAttribute::ElementAttribute(std::string_view name) : name_(name) {
  if (!parse(name))
    throw UsageError("attribute",
                     "there is no attribute '" + name_ + "' of elements that can be set", {},
                     "l, k1, k1s, k1l, k1sl (any order), ks, hkick and vkick can");
}

TRACKPLEX_INLINE bool ElementAttribute::is_name(std::string_view name) {
  return ElementAttribute().parse(name);
}

TRACKPLEX_INLINE std::optional<double> ElementAttribute::of(const Element& element) const {
  std::optional<double> value;
  detail::AttributeAccess::visit(element.kind, [&](auto& e) {
    const auto place = detail::AttributeAccess::find(e, *this);
    if (place.at) value = *place.at * place.factor;
  });
  return value;
}

TRACKPLEX_INLINE Element ElementAttribute::changed(const Element& element, double value) const {
  std::optional<Element> changed;
  detail::AttributeAccess::visit(element.kind, [&](auto& e) {
    const auto place = detail::AttributeAccess::find(e, *this);
    if (!place.at) return;
    *place.at = value / place.factor;
    changed = Element{element.name, e};
  });
  if (!changed) {
    const std::string others = attributes_of(element);
    throw UsageError("element '" + element.name + "'", "it has no " + name_,
                     std::string("it is a ") + element.kind.family(),
                     others.empty() ? others : "it has " + others);
  }
  check_element(*changed);
  return *changed;
}

TRACKPLEX_INLINE std::string attributes_of(const Element& element) {
  std::string names;
  for (const char* name : {"l", "k0", "k1", "k2", "k3", "k0l", "k1l", "k2l", "k3l", "k0sl", "k1sl",
                           "k2sl", "ks", "hkick", "vkick"})
    if (ElementAttribute(name).of(element))
      names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

}  // namespace trackplex::beam
