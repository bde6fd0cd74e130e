// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Types of elements of MAD-X and their attributes.

namespace trackplex::io::detail {

/// Treatment of the elements of a type.
enum class MadxRole {
  tracked,
  drift,         ///< a drift, or a marker without a length
  switched_off,  ///< a drift, as long as it has no field
  refused        ///< where an expanded line has one
};

/// Type of elements, with the names of its attributes between blanks.
struct MadxType {
  std::string_view name;
  MadxRole role = MadxRole::tracked;
  std::string_view read{};    ///< with an effect
  std::string_view zero{};    ///< which must be 0, because what they do is not implemented
  std::string_view idle{};    ///< without an effect on particles in MAD-X either: a remark says so
  std::string_view silent{};  ///< without an effect, and settings of such that have none
  std::string_view absent{};  ///< attributes of most types that this one does not have

  bool has(std::string_view attribute) const {
    if (is_in(absent, attribute)) return false;
    for (const std::string_view list : {common, read, zero, idle, silent, passive, alignment})
      if (is_in(list, attribute)) return true;
    return name == "matrix" && is_matrix_term(attribute);
  }
  bool is_idle(std::string_view attribute) const {
    return is_in(idle, attribute) || attribute == "aper_tilt" ||
           (name == "matrix" && attribute.starts_with("tm"));
  }
  /// The words of a list.
  static std::vector<std::string> words(std::string_view list) {
    std::vector<std::string> all;
    for (std::size_t begin = 0; (begin = list.find_first_not_of(' ', begin)) != list.npos;) {
      const std::size_t end = std::min(list.find(' ', begin), list.size());
      all.emplace_back(list.substr(begin, end - begin));
      begin = end;
    }
    return all;
  }
  static bool is_in(std::string_view list, std::string_view word) {
    return list.find(" " + std::string(word) + " ") != list.npos;
  }
  /// Attributes of all types.
  static constexpr std::string_view common =
      " l lrad tilt apertype aperture aper_offset aper_tilt aper_vx aper_vy ";
  /// Permanent displacements, which count where an element is placed in a sequence.
  static constexpr std::string_view alignment = " dx dy ds dtheta dphi dpsi ";
  /// Those without an effect on particles.
  static constexpr std::string_view passive =
      " at from aper_tol slot_id assembly_id mech_sep v_pos type comments calib polarity kmax kmin "
      "magnet model method exact nst obs thick slice no_cavity_totalpath fringe f1 f2 frngmax "
      "rbend_length true_rbend slice_straight kill_ent_fringe kill_exi_fringe ";

 private:
  /// rm11 to rm66, and tm111 to tm666.
  static bool is_matrix_term(std::string_view attribute) {
    const std::size_t indices = attribute.starts_with("rm")   ? 2
                                : attribute.starts_with("tm") ? 3
                                                              : 0;
    return indices > 0 && attribute.size() == 2 + indices &&
           attribute.find_first_not_of("123456", 2) == attribute.npos;
  }
};

/// The types that are known, also those whose elements cannot be tracked.
inline const std::vector<MadxType>& madx_types() {
  using enum MadxRole;
  static constexpr std::string_view edges = " e1 e2 h1 h2 hgap fint fintx ";
  static constexpr std::string_view bend =
      " angle k0 k1 k2 k3 knl e1 e2 h1 h2 hgap fint fintx kill_ent_fringe kill_exi_fringe ";
  static constexpr std::string_view thin_cavity =
      " rv1 rv2 rv3 rv4 rph1 rph2 lagf betrf pg shunt tfill eloss volterr lagerr nbin binmax lfile "
      "tfile n_bessel freq lag harmon psi delta_lag ramp1 ramp2 ramp3 ramp4 pnl psl noise noisemax "
      "npeak ntune nlag ";
  static constexpr std::string_view no_aperture = " apertype aperture aper_offset aper_vx aper_vy ";
  static const std::vector<MadxType> types = {
      {"drift", drift, "", "", "", "", no_aperture},
      {"marker", drift, "", "", "", "", " tilt "},
      {"monitor", drift},
      {"hmonitor", drift},
      {"vmonitor", drift},
      {"slmonitor", drift, "", "", "", "", " tilt "},
      {"blmonitor", drift, "", "", "", "", " tilt "},
      {"imonitor", drift, "", "", "", "", " tilt "},
      {"instrument", drift},
      {"placeholder", drift},
      {"collimator", drift, "", " current ", "", " xma yma l_int l_phy closed_orbit "},
      {"ecollimator", drift, "", "", " xsize ysize "},
      {"rcollimator", drift, "", "", " xsize ysize "},
      {"quadrupole", tracked, " k1 k1s knl ksl ", " k1tap ktap ", " k0 ", edges},
      {"sextupole", tracked, " k2 k2s knl ksl ", " k2tap ktap ", "", edges},
      {"octupole", tracked, " k3 k3s knl ksl ", " ktap ", "", edges},
      {"sbend", tracked, bend, " add_angle ktap fcsr ", " k0s k1s k2s k3s ksl "},
      {"rbend", tracked, bend, " add_angle ktap fcsr ", " k0s k1s k2s k3s ksl "},
      {"multipole", tracked, " knl ksl angle ", " l ksi ktap noise time_var ", "",
       " noisemax npeak ntune nlag "},
      {"solenoid", tracked, " ks ksi ", " xtilt rot_start knl ksl ", "", " fint fintx hgap ",
       " tilt "},
      {"kicker", tracked, " hkick vkick chkick cvkick ", " sinkick ", "",
       " chflag cvflag sinpeak sintune sinphase "},
      {"tkicker", tracked, " hkick vkick chkick cvkick ", " sinkick ", "",
       " chflag cvflag sinpeak sintune sinphase "},
      {"hkicker", tracked, " kick hkick chkick ", " sinkick ", "",
       " chflag sinpeak sintune sinphase "},
      {"vkicker", tracked, " kick vkick cvkick ", " sinkick ", "",
       " cvflag sinpeak sintune sinphase "},
      {"rfcavity", tracked, " volt freq lag harmon ",
       " lagtap volterr lagerr modulationq ramp1 ramp2 ramp3 ramp4 time_var ", "",
       " betrf pg shunt tfill n_bessel eloss binmax nbin lfile tfile ", " tilt "},
      {"lcavity", tracked, " volt freq lag harmon "},
      {"dipedge", tracked, " h e1 fint hgap ", "", " he ", " entrance "},
      {"srotation", tracked, " angle ", "", "", "", " tilt "},
      {"xrotation", tracked, " angle ", "", "", "", " tilt "},
      {"yrotation", tracked, " angle ", "", "", "", " tilt "},
      {"translation", tracked, "", "", "", "", no_aperture},
      {"matrix", tracked, " kick1 kick2 kick3 kick4 kick5 kick6 ", " time_var ", "", "",
       no_aperture},
      {"sixmarker", drift, "", "", "", " f3string f3vector eltype attr "},
      {"twcavity", switched_off, "", " volt knl ksl ", "", thin_cavity},
      {"crabcavity", switched_off, "", " volt knl ksl ", "", thin_cavity},
      {"rfmultipole", switched_off, "", " volt knl ksl ", "", thin_cavity},
      {"hacdipole", switched_off, "", " volt knl ksl ", "", thin_cavity},
      {"vacdipole", switched_off, "", " volt knl ksl ", "", thin_cavity},
      {"elseparator", switched_off, "", " ex ey ex_l ey_l "},
      {"changeref", refused, "", "", "", " patch_ang patch_trans misexit "},
      {"changerefp0", refused, "", "", "", " p0 "},
      {"beambeam", refused, "", "", "",
       " sigx sigy xma yma charge bbshape width bbdir angle copx copy cox coy alfxs alfys dxs dys "
       "dpxs dpys sigts siges cot copt npart spacecharge bb_sc long_coup_off "},
      {"nllens", refused, "", "", "", " knll cnll "},
      {"thinwire", refused, "", "", "", " xma yma ilnorm "},
      {"wire", refused, "", "", "", " current l_int l_phy xma yma closed_orbit "},
  };
  return types;
}

/// The type of a name; null for other names.
inline const MadxType* madx_type(std::string_view name) {
  for (const MadxType& type : madx_types())
    if (type.name == name) return &type;
  return nullptr;
}

/// The value of an attribute that is written without one: 0.5 of FINT, true of what is on or off,
/// 0 of other numbers.
inline double madx_bare_value(std::string_view attribute) {
  static constexpr std::string_view switches =
      " thick kill_ent_fringe kill_exi_fringe time_var no_cavity_totalpath true_rbend "
      "slice_straight "
      "spacecharge bb_sc long_coup_off exact fringe ";
  return attribute == "fint" ? 0.5 : MadxType::is_in(switches, attribute) ? 1. : 0.;
}

/// The value of an attribute that an element does not have.
inline double madx_default(std::string_view type, std::string_view attribute) {
  if (attribute == "at") return 1e20;
  if (attribute == "fintx" && type != "dipedge") return -1.;
  if (type == "matrix" && attribute.size() == 4 && attribute.starts_with("rm") &&
      attribute[2] == attribute[3])
    return 1.;
  return 0.;
}

/// Tells whether an attribute is a text.
inline bool is_madx_text(std::string_view attribute) {
  static constexpr std::string_view texts =
      " apertype type comments from refer refpos next_sequ particle sequence period file flag "
      "pattern "
      "class range element start newname magnet by to model method style beta0 lfile tfile "
      "rbend_length f3string label place column dir ";
  return MadxType::is_in(texts, attribute);
}

}  // namespace trackplex::io::detail
