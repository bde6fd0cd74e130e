// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/map_element.hpp>
#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/io/pals/detail/pals_description.hpp>
#include <trackplex/io/pals/detail/pals_magnets.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Taylor maps of PALS: for each coordinate (x, px, y, py, z, pz) after the element a list of terms
/// `term coefficient e1 e2 e3 e4 e5 e6`, with the exponents of the ones before it. z is minus the
/// path s of `beam` as long as the momentum stays, and px is P_x/P_0, or with ANGLE_AND_MOMENTUM
/// the slope.

namespace trackplex::io::detail {

inline constexpr std::array<std::string_view, beam::n_coordinates> pals_coordinates = {
    "x", "px", "y", "py", "z", "pz"};

/// The map to (x, px, y, py, z, pz) with px = P_x/P_0 or slopes, to third order.
inline beam::TransferMap map_to_pals(bool has_slopes) {
  beam::TransferMap map = beam::TransferMap::identity(3);
  map.R(5, 5) = -1.;
  if (has_slopes) return map;
  for (const int q : {2, 4}) {  // (1 + delta) x'/sqrt(1 + x'^2 + y'^2)
    map.T(q, q, 6) = 1.;
    map.Q(q, q, q, q) = -0.5;
    map.Q(q, q, 6 - q, 6 - q) = -0.5;
  }
  return map;
}
/// The inverse of `map_to_pals`.
inline beam::TransferMap map_from_pals(bool has_slopes) {
  beam::TransferMap map = beam::TransferMap::identity(3);
  map.R(5, 5) = -1.;
  if (has_slopes) return map;
  for (const int q : {2, 4}) {  // px/sqrt((1 + delta)^2 - px^2 - py^2)
    map.T(q, q, 6) = -1.;
    map.Q(q, q, 6, 6) = 1.;
    map.Q(q, q, q, q) = 0.5;
    map.Q(q, q, 6 - q, 6 - q) = 0.5;
  }
  return map;
}

/// Coefficient of a product of at most three coordinates.
inline double& coefficient_of(beam::Polynomial& p, const std::vector<int>& factors) {
  switch (factors.size()) {
    case 0:
      return p.c;
    case 1:
      return p.r[std::size_t(factors[0])];
    case 2:
      return p.t[std::size_t(beam::pair_index(factors[0], factors[1]))];
    default:
      return p.q[std::size_t(beam::triple_index(factors[0], factors[1], factors[2]))];
  }
}

/// Reader of the map of an element.
class PalsTaylor {
 public:
  /// @throws InputError if it is no map, or one that changes energies or depends on z
  static beam::TransferMap read(const PalsValues& v, std::string_view coordinates) {
    if (coordinates.ends_with("_ENERGY"))
      v.refuse_element("maps of " + std::string(coordinates) + " are not implemented",
                       "phase_space_coordinates: KINETIC_AND_MOMENTUM or ANGLE_AND_MOMENTUM");
    const bool has_slopes = coordinates == "ANGLE_AND_MOMENTUM";
    PalsTaylor reader(v);
    beam::TransferMap map = concatenated(map_to_pals(has_slopes), reader.about_reference());
    map = concatenated(map, map_from_pals(has_slopes));
    if (map.component[beam::delta] != beam::Polynomial::variable(beam::delta) ||
        beam::depends_on_s(map))
      v.refuse_element("maps that change energies, or depend on z, are not implemented");
    if (has_slopes) map.order = reader.order_;  // there are no terms above it
    return beam::misaligned(map, pals_placement(v));
  }

 private:
  explicit PalsTaylor(const PalsValues& v) : v_(v) {
    for (std::size_t i = 0; i < pals_coordinates.size(); ++i)
      map_.component[i] = series("TaylorP." + std::string(pals_coordinates[i]) + "_out");
  }

  /// The map of coordinates that are those of the file less its reference.
  beam::TransferMap about_reference() const {
    beam::TransferMap shift = beam::TransferMap::identity(3);
    if (const YamlNode* const reference = v_.find("TaylorP.ref_in"))
      for (const YamlNode& field : reference->as_mapping("ref_in").children)
        if (std::ranges::find(pals_coordinates, field.key) == pals_coordinates.end())
          v_.refuse("TaylorP.ref_in", "its coordinates are x, px, y, py, z and pz");
    for (std::size_t i = 0; i < pals_coordinates.size(); ++i)
      shift.component[i].c = -v_.number("TaylorP.ref_in." + std::string(pals_coordinates[i]));
    return concatenated(shift, map_);
  }

  beam::Polynomial series(const std::string& path) {
    const YamlNode* const node = v_.find(path);
    if (!node) v_.refuse(path, "all six coordinates have a series", "term 1 and six exponents");
    beam::Polynomial polynomial;
    std::vector<std::string> words;
    if (node->is_list())
      for (const YamlNode& item : node->children) add_words(item.as_text(path), words);
    else
      add_words(node->as_text(path), words);
    constexpr std::size_t length = 2 + pals_coordinates.size();  // of a term
    for (std::size_t i = 0; i < words.size(); i += length) {
      if (words[i] != "term" || i + length > words.size())
        v_.refuse(path, "terms are: term coefficient and six exponents");
      coefficient_of(polynomial, factors(path, words, i + 2)) += number(*node, words[i + 1]);
    }
    return polynomial;
  }
  static void add_words(std::string_view text, std::vector<std::string>& words) {
    constexpr std::string_view space = " \t\n";
    for (std::size_t at = text.find_first_not_of(space); at < text.size();
         at = text.find_first_not_of(space, at)) {
      const std::size_t end = std::min(text.find_first_of(space, at), text.size());
      words.emplace_back(text.substr(at, end - at));
      at = end;
    }
  }
  double number(const YamlNode& series, const std::string& word) const {
    YamlNode value{.text = word};
    value.at = series.at;
    return v_.limit(value);
  }
  /// The coordinates of a term, from its exponents on.
  std::vector<int> factors(const std::string& path, const std::vector<std::string>& words,
                           std::size_t first) {
    std::vector<int> found;
    for (std::size_t i = 0; i < pals_coordinates.size(); ++i) {
      const std::string& word = words[first + i];
      if (word.size() != 1 || word[0] < '0' || word[0] > '9')
        v_.refuse(path, "exponents are whole numbers, from 0 to 9", "\"" + word + "\" is none");
      found.insert(found.end(), std::size_t(word[0] - '0'), int(i));
    }
    constexpr std::size_t max_order = 3;
    if (found.size() > max_order) v_.refuse(path, "terms to third order are implemented");
    order_ = std::max(order_, int(found.size()));
    return found;
  }

  const PalsValues& v_;
  beam::TransferMap map_ = beam::TransferMap::identity(3);
  int order_ = 1;
};

inline beam::ElementKind make_pals_taylor(const PalsValues& v, const PalsSurroundings& at) {
  for (const char* const spin : {"S1_out", "Sx_out", "Sy_out", "Sz_out"})
    if (v.has("TaylorP." + std::string(spin))) {
      at.remark(v, "its map of spins is left out");
      break;
    }
  return beam::MapElement{0., PalsTaylor::read(v, at.coordinates)};
}

/// A series in the coordinates of ANGLE_AND_MOMENTUM, a term per line.
inline std::string pals_series(beam::Polynomial series, int order) {
  std::string text;
  const auto add = [&](const std::vector<int>& factors) {
    const double value = coefficient_of(series, factors);
    if (value == 0.) return;
    std::array<int, beam::n_coordinates> exponents{};
    for (const int factor : factors) ++exponents[std::size_t(factor)];
    text += (text.empty() ? "term " : "\nterm ") + pals_number(value);
    for (const int exponent : exponents) text += " " + std::to_string(exponent);
  };
  add({});
  for (int i = 0; i < beam::n_coordinates; ++i) {
    add({i});
    for (int j = 0; order > 1 && j <= i; ++j) {
      add({i, j});
      for (int k = 0; order > 2 && k <= j; ++k) add({i, j, k});
    }
  }
  return text.empty() ? "term 0 0 0 0 0 0 0" : text;
}

/// A map as Taylor; none if PALS has no such map, or its reader would refuse it.
inline std::optional<PalsDescription> describe_pals_taylor(const beam::MapElement& element) {
  const beam::TransferMap& of = element.map();
  if (element.length != 0. || beam::depends_on_s(of) ||
      of.component[beam::delta] != beam::Polynomial::variable(beam::delta))
    return std::nullopt;
  const beam::TransferMap map =
      concatenated(concatenated(map_from_pals(true), of), map_to_pals(true));
  PalsDescription d("Taylor");
  for (std::size_t i = 0; i < pals_coordinates.size(); ++i)
    d.word("TaylorP." + std::string(pals_coordinates[i]) + "_out",
           pals_series(map.component[i], of.order));
  return d;
}

}  // namespace trackplex::io::detail
