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

  bool has(std::string_view attribute) const {
    for (const std::string_view list : {common, read, zero, idle, silent, passive, alignment})
      if (is_in(list, attribute)) return true;
    return name == "matrix" && is_matrix_term(attribute);
  }
  bool is_idle(std::string_view attribute) const {
    return is_in(idle, attribute) || (name == "matrix" && attribute.starts_with("tm"));
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
  static const std::vector<MadxType> types = {
      {"drift", drift},
      {"marker", drift},
      {"monitor", drift},
      {"hmonitor", drift},
      {"vmonitor", drift},
      {"slmonitor", drift},
      {"blmonitor", drift},
      {"imonitor", drift},
      {"instrument", drift},
      {"placeholder", drift},
      {"collimator", drift, "", " current ", "", " xma yma l_int l_phy closed_orbit "},
      {"ecollimator", drift, " xsize ysize "},
      {"rcollimator", drift, " xsize ysize "},
      {"quadrupole", tracked, " k1 k1s knl ksl ", " k1tap ktap ", " k0 ", edges},
      {"sextupole", tracked, " k2 k2s knl ksl ", " k2tap ktap ", "", edges},
      {"octupole", tracked, " k3 k3s knl ksl ", " ktap ", "", edges},
      {"sbend", tracked, bend, " add_angle ktap fcsr ", " k0s k1s k2s k3s ksl "},
      {"rbend", tracked, bend, " add_angle ktap fcsr ", " k0s k1s k2s k3s ksl "},
      {"multipole", tracked, " knl ksl angle ", " l ksi ktap noise time_var ", "",
       " noisemax npeak ntune nlag "},
      {"solenoid", tracked, " ks ksi ", " xtilt rot_start knl ksl ", "", " fint fintx hgap "},
      {"kicker", tracked, " hkick vkick kick chkick cvkick ", " sinkick ", "",
       " chflag cvflag sinpeak sintune sinphase "},
      {"tkicker", tracked, " hkick vkick kick chkick cvkick ", " sinkick ", "",
       " chflag cvflag sinpeak sintune sinphase "},
      {"hkicker", tracked, " kick hkick vkick chkick ", " sinkick ", "",
       " chflag sinpeak sintune sinphase "},
      {"vkicker", tracked, " kick hkick vkick cvkick ", " sinkick ", "",
       " cvflag sinpeak sintune sinphase "},
      {"rfcavity", tracked, " volt freq lag harmon ",
       " lagf lagtap volterr lagerr modulationq ramp1 ramp2 ramp3 ramp4 time_var ", "",
       " betrf pg shunt tfill n_bessel eloss binmax nbin lfile tfile "},
      {"lcavity", tracked, " volt freq lag harmon "},
      {"dipedge", tracked, " h e1 fint hgap ", "", " he ", " entrance "},
      {"srotation", tracked, " angle "},
      {"xrotation", tracked, " angle "},
      {"yrotation", tracked, " angle "},
      {"translation", tracked, "", " px py pt "},
      {"matrix", tracked, " kick1 kick2 kick3 kick4 kick5 kick6 "},
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

/// Tells whether an attribute is a text.
inline bool is_madx_text(std::string_view attribute) {
  static constexpr std::string_view texts =
      " apertype type comments from refer refpos next_sequ particle sequence period file flag "
      "pattern "
      "class range element start newname magnet by to model method style beta0 lfile tfile "
      "rbend_length f3string label place column ";
  return MadxType::is_in(texts, attribute);
}

}  // namespace trackplex::io::detail
