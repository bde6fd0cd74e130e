// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/mc_event.hpp>

#include <array>
#include <limits>
#include <string_view>

namespace trackplex::validation {

/// Category of particles for which an efficiency is quoted, defined by its cuts. A particle is in
/// the category if it passes all cuts, which are strict inequalities. Momenta in MeV.
struct McCategory {
  /// Decay from which a particle comes.
  enum class Origin {
    any,     ///< no condition
    beauty,  ///< decay of a beauty hadron
    charm,   ///< decay of a charm hadron
    strange  ///< decay of a strange hadron
  };
  static constexpr double none = std::numeric_limits<double>::infinity();  ///< no cut

  std::string_view name = {};  ///< as printed
  bool velo = false;           ///< require: reconstructible in the VELO
  bool ut = false;             ///< require: reconstructible in the UT
  bool is_long = false;   ///< require: reconstructible in the VELO and downstream of the magnet
  bool not_long = false;  ///< require: not `is_long`
  Origin origin = Origin::any;  ///< required origin
  bool electrons = false;       ///< true: only electrons and positrons; false: only other particles
  double min_eta = -none;       ///< lower limit of the pseudorapidity
  double max_eta = none;        ///< upper limit of the pseudorapidity
  double min_p = -none;         ///< lower limit of p, MeV
  double max_p = none;          ///< upper limit of p, MeV
  double min_pt = -none;        ///< lower limit of pT, MeV

  /// Returns whether a particle is in the category.
  bool contains(const lhcb::McParticle& q) const;

 private:
  static bool is_between(double low, double value, double high) {
    return low < value && value < high;
  }

  bool comes_from(const lhcb::McParticle& q) const;
};

namespace detail {

/// The category with a name and the cuts p > min_p and pt > min_pt.
constexpr McCategory named(std::string_view name, McCategory category,
                           double min_p = -McCategory::none, double min_pt = -McCategory::none) {
  category.name = name;
  category.min_p = min_p;
  category.min_pt = min_pt;
  return category;
}

/// The category at 2 < eta < 5, the acceptance of the whole detector.
constexpr McCategory accepted(McCategory category) {
  category.min_eta = 2.;
  category.max_eta = 5.;
  return category;
}

using Origin = McCategory::Origin;
inline constexpr auto velo_particles = accepted({.velo = true});
inline constexpr auto velo_ut_particles = accepted({.velo = true, .ut = true});
inline constexpr auto velo_ut_not_long = accepted({.velo = true, .ut = true, .not_long = true});
inline constexpr auto long_particles = accepted({.is_long = true});
inline constexpr auto slow_long_particles = accepted({.is_long = true, .max_p = 5000.});
inline constexpr auto long_from_b = accepted({.is_long = true, .origin = Origin::beauty});
inline constexpr auto long_from_d = accepted({.is_long = true, .origin = Origin::charm});
inline constexpr auto long_strange = accepted({.is_long = true, .origin = Origin::strange});
inline constexpr auto velo_electrons = accepted({.velo = true, .electrons = true});
inline constexpr auto long_electrons = accepted({.is_long = true, .electrons = true});
inline constexpr auto long_electrons_from_b =
    accepted({.is_long = true, .origin = Origin::beauty, .electrons = true});

}  // namespace detail

/// Categories for VELO tracks, as in LHCb's Allen. In their names, "eta25" stands for
/// 2 < eta < 5, "forward" for eta > 0 and "backward" for eta < 0; "Velo" requires has_velo, "Long"
/// is_long, and "fromB", "fromD" and "strange" name the decay from which the particle comes. Only
/// the categories with "electrons" in their names contain electrons.
inline constexpr std::array velo_track_categories = {
    McCategory{.name = "Velo", .velo = true},
    McCategory{.name = "Velo forward", .velo = true, .min_eta = 0.},
    McCategory{.name = "Velo backward", .velo = true, .max_eta = 0.},
    detail::named("Velo eta25", detail::velo_particles),
    detail::named("Velo eta25 p>5GeV", detail::velo_particles, 5000.),
    detail::named("Velo electrons eta25", detail::velo_electrons),
    detail::named("Long eta25", detail::long_particles),
    detail::named("Long eta25 p<5GeV", detail::slow_long_particles),
    detail::named("Long eta25 p>5GeV", detail::long_particles, 5000.),
    detail::named("Long eta25 p>3GeV pT>0.4GeV", detail::long_particles, 3000., 400.),
    detail::named("Long electrons eta25", detail::long_electrons),
    detail::named("Long fromB eta25", detail::long_from_b),
    detail::named("Long fromB eta25 p>5GeV", detail::long_from_b, 5000.),
    detail::named("Long fromB eta25 p>3GeV pT>0.4GeV", detail::long_from_b, 3000., 400.),
    detail::named("Long fromD eta25", detail::long_from_d),
    detail::named("Long strange eta25", detail::long_strange),
};

/// Categories for tracks through VELO and UT, all with 2 < eta < 5. "Velo" requires has_velo,
/// "Velo+UT" has_velo and has_ut, "Long" is_long, and "fromB" from_beauty. Only the categories with
/// "electrons" in their names contain electrons.
inline constexpr std::array velo_ut_track_categories = {
    detail::named("Velo", detail::velo_particles),
    detail::named("Velo+UT", detail::velo_ut_particles),
    detail::named("Velo+UT p>5GeV", detail::velo_ut_particles, 5000.),
    detail::named("Velo+UT not long", detail::velo_ut_not_long),
    detail::named("Velo+UT not long p>5GeV", detail::velo_ut_not_long, 5000.),
    detail::named("Long", detail::long_particles),
    detail::named("Long p>5GeV", detail::long_particles, 5000.),
    detail::named("Long p>3GeV pT>0.5GeV", detail::long_particles, 3000., 500.),
    detail::named("Long fromB", detail::long_from_b),
    detail::named("Long fromB p>5GeV", detail::long_from_b, 5000.),
    detail::named("Long fromB p>3GeV pT>0.5GeV", detail::long_from_b, 3000., 500.),
    detail::named("Long electrons", detail::long_electrons),
    detail::named("Long fromB electrons", detail::long_electrons_from_b),
    detail::named("Long fromB electrons p>5GeV", detail::long_electrons_from_b, 5000.),
};

/// Categories for tracks through VELO, UT and SciFi, all with 2 < eta < 5. "Long" requires is_long;
/// "fromB", "fromD" and "strange" name the decay from which the particle comes. Only the category
/// "Long electrons" contains electrons.
inline constexpr std::array long_track_categories = {
    detail::named("Long", detail::long_particles),
    detail::named("Long p>5GeV", detail::long_particles, 5000.),
    detail::named("Long p>3GeV pT>0.5GeV", detail::long_particles, 3000., 500.),
    detail::named("Long strange", detail::long_strange),
    detail::named("Long strange p>3GeV pT>0.5GeV", detail::long_strange, 3000., 500.),
    detail::named("Long fromB", detail::long_from_b),
    detail::named("Long fromB p>3GeV pT>0.5GeV", detail::long_from_b, 3000., 500.),
    detail::named("Long fromD", detail::long_from_d),
    detail::named("Long fromD p>3GeV pT>0.5GeV", detail::long_from_d, 3000., 500.),
    detail::named("Long electrons", detail::long_electrons),
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/velo_ut_categories.impl.hpp>
#endif
