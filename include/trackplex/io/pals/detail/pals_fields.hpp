// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/pals/detail/pals_values.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Fields of elements of PALS: B_y + i B_x = sum (Kn + i Ks) e^(-i(n+1)T) (x + i y)^n/n!, over the
/// rigidity, so that J_n of `Multipoles` is -Ks.

namespace trackplex::io::detail {

/// Surroundings on which elements depend.
struct PalsSurroundings {
  const PalsOptions& options;
  std::optional<PalsParticle> particle{};  ///< At this place of the line.
  std::optional<double> time{};            ///< Reference time since the start, s.
  double turn_time = 0.;                   ///< Reference time of the whole branch, s.
  bool is_accelerated = false;     ///< Whether the momentum is another one than at the start.
  std::string_view coordinates{};  ///< `phase_space_coordinates` of the document; empty: none.
  std::vector<std::string>* remarks = nullptr;

  const PalsParticle& particle_of(const PalsValues& v, std::string_view path) const {
    if (!particle)
      v.refuse(path, "what it does depends on the particles",
               "begin the branch with a BeginningEle with species_ref and E_tot_ref or pc_ref, or "
               "give a particle");
    if (particle->charge == 0.) v.refuse(path, "the particles have no charge");
    return *particle;
  }
  /// Strength per field of the same unit: q/P0, 1/(T m).
  double strength_of_field(const PalsValues& v, std::string_view path) const {
    const PalsParticle& at = particle_of(v, path);
    return at.charge * constants::speed_of_light / at.p0c;
  }
  void remark(const PalsValues& v, const std::string& text) const {
    if (remarks) remarks->push_back("\"" + v.name() + "\": " + text);
  }
};

/// Multipoles of an element.
class PalsField {
 public:
  /// @throws InputError if there are two forms of a strength
  PalsField(const PalsValues& v, double length, const PalsSurroundings& at) : length_(length) {
    refuse_electric(v);
    const YamlNode* const group = v.find("MagneticMultipoleP");
    if (!group) return;
    for (const YamlNode& value : group->children)
      if (!value.is_null()) add(v, value, at);
    std::erase_if(orders_, [](const auto& one) {
      return one.second.normal == 0. && one.second.skew == 0. && !one.second.has_normal;
    });
    for (const auto& [n, order] : orders_)
      if (length == 0. && !order.is_integrated && (order.normal != 0. || order.skew != 0.))
        at.remark(v, "its multipoles do nothing, for its length is 0");
  }

  /// Highest order with a strength; -1 without any.
  int order() const {
    int highest = -1;
    for (const auto& [n, order] : orders_)
      if (is_there(order)) highest = n;
    return highest;
  }
  /// Tells whether there is a normal strength, which may be 0.
  bool has(int n) const { return orders_.contains(n) && orders_.at(n).has_normal; }
  /// The only strength, or none if there are others.
  bool is_only(int n) const {
    return std::ranges::all_of(orders_, [&](const auto& one) {
      return one.first == n ? one.second.skew == 0. : !is_there(one.second);
    });
  }
  /// Normal strength per length of an order, in its own plane.
  double strength(int n) const {
    const auto found = orders_.find(n);
    if (found == orders_.end()) return 0.;
    return found->second.is_integrated ? found->second.normal / length_ : found->second.normal;
  }
  /// Rotation of an order around the axis, rad, from x towards y.
  double tilt(int n) const { return orders_.contains(n) ? orders_.at(n).tilt : 0.; }
  /// Tells whether there is an order, from `first` on, that is skew or rotated.
  bool is_skew_from(int first) const {
    return std::ranges::any_of(orders_, [&](const auto& one) {
      return one.first >= first && is_there(one.second) &&
             (one.second.skew != 0. || one.second.tilt != 0.);
    });
  }
  /// The field over the whole length, with all rotations.
  beam::Multipoles integrated() const {
    beam::Multipoles field;
    field.normal.resize(std::size_t(order() + 1), 0.);
    field.skew.resize(std::size_t(order() + 1), 0.);
    for (const auto& [n, order] : orders_) {
      if (!is_there(order)) continue;
      const double by = order.is_integrated ? 1. : length_;
      const double angle = (n + 1) * order.tilt, c = cos(angle), s = sin(angle);
      field.normal[std::size_t(n)] =
          by * (order.tilt == 0. ? order.normal : c * order.normal + s * order.skew);
      field.skew[std::size_t(n)] =
          -by * (order.tilt == 0. ? order.skew : c * order.skew - s * order.normal);
    }
    if (std::ranges::all_of(field.skew, [](double j) { return j == 0.; })) field.skew.clear();
    return field;
  }

 private:
  struct Order {
    double normal = 0., skew = 0., tilt = 0.;
    bool is_integrated = false, has_normal = false;
    char type = 0;      ///< K or B; 0: none.
    std::string first;  ///< Parameter that is known.
  };
  bool is_there(const Order& order) const {
    return (order.normal != 0. || order.skew != 0.) && (order.is_integrated || length_ != 0.);
  }

  static void refuse_electric(const PalsValues& v) {
    if (const YamlNode* const group = v.find("ElectricMultipoleP"))
      for (const YamlNode& value : group->children) {
        const auto strength = PalsStrength::of(value.key);
        if (strength && strength->type == 'E')
          v.refuse_unless_zero({"ElectricMultipoleP." + value.key});
      }
  }
  void add(const PalsValues& v, const YamlNode& value, const PalsSurroundings& at) {
    const std::string path = "MagneticMultipoleP." + value.key;
    const auto strength = PalsStrength::of(value.key);
    if (!strength) return;
    Order& order = orders_[strength->order];
    double number = v.number(path);
    if (strength->type == 't') {
      order.tilt = number;
      return;
    }
    if (order.type != 0 &&
        (order.type != strength->type || order.is_integrated != strength->is_integrated))
      v.refuse(path, "there is " + order.first + ", too", "give strengths of an order in one form");
    if (order.type == 0) order.first = value.key;
    order.type = strength->type;
    order.is_integrated = strength->is_integrated;
    if (strength->type == 'B' && number != 0.) number *= at.strength_of_field(v, path);
    if (!strength->is_skew && !strength->is_taper) order.has_normal = true;
    (strength->is_skew ? order.skew : order.normal) += number;
  }

  double length_;
  std::map<int, Order> orders_;
};

}  // namespace trackplex::io::detail
