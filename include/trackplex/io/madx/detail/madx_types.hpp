// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// @file
/// Types of elements of MAD-X and their attributes.

namespace trackplex::io::detail {

/// Type of elements, with the names of its attributes between blanks.
struct MadxType {
  std::string_view name, attributes;

  bool has(std::string_view attribute) const {
    return is_in(common, attribute) || is_in(attributes, attribute) || is_in(passive, attribute);
  }
  static bool is_in(std::string_view list, std::string_view word) {
    return list.find(" " + std::string(word) + " ") != list.npos;
  }
  /// Attributes of all types.
  static constexpr std::string_view common = " l lrad tilt apertype aperture aper_offset ";
  /// Those without an effect on particles.
  static constexpr std::string_view passive =
      " at from aper_tol aper_vx aper_vy slot_id assembly_id mech_sep v_pos type comments calib "
      "polarity kmax kmin magnet model method exact nst obs thick slice no_cavity_totalpath ";
};

/// The types that are known, also those whose elements cannot be tracked.
inline const std::vector<MadxType>& madx_types() {
  static const std::vector<MadxType> types = {
      {"drift", ""},
      {"marker", ""},
      {"monitor", ""},
      {"hmonitor", ""},
      {"vmonitor", ""},
      {"instrument", ""},
      {"placeholder", ""},
      {"collimator", ""},
      {"ecollimator", " xsize ysize "},
      {"rcollimator", " xsize ysize "},
      {"quadrupole", " k1 k1s k1tap ktap knl ksl "},
      {"sextupole", " k2 k2s k2tap ktap knl ksl "},
      {"octupole", " k3 k3s knl ksl "},
      {"sbend",
       " angle k0 k0s k1 k1s k2 k2s k3 e1 e2 h1 h2 hgap fint fintx add_angle kill_ent_fringe "
       "kill_exi_fringe ktap knl ksl "},
      {"rbend",
       " angle k0 k0s k1 k1s k2 k2s k3 e1 e2 h1 h2 hgap fint fintx add_angle kill_ent_fringe "
       "kill_exi_fringe ktap knl ksl "},
      {"multipole", " knl ksl angle ksi "},
      {"solenoid", " ks ksi "},
      {"kicker", " hkick vkick kick sinkick sinpeak sintune sinphase chkick cvkick "},
      {"tkicker", " hkick vkick kick sinkick sinpeak sintune sinphase chkick cvkick "},
      {"hkicker", " kick hkick vkick sinkick sinpeak sintune sinphase chkick "},
      {"vkicker", " kick hkick vkick sinkick sinpeak sintune sinphase cvkick "},
      {"rfcavity",
       " volt freq lag harmon betrf pg shunt tfill n_bessel no_cavity_totalpath lagf lagtap "},
      {"twcavity", " volt freq lag psi delta_lag harmon "},
      {"lcavity", " volt freq lag harmon "},
      {"dipedge", " h e1 fint hgap "},
      {"srotation", " angle "},
      {"xrotation", " angle "},
      {"yrotation", " angle "},
      {"translation", " dx dy ds px py pt "},
      {"changeref", " patch_ang patch_trans "},
      {"crabcavity", " volt freq lag harmon rv1 rv2 rv3 rv4 rph1 rph2 lagf "},
      {"rfmultipole", " volt freq lag harmon knl ksl pnl psl "},
      {"elseparator", " ex ey "},
      {"hacdipole", " volt freq lag ramp1 ramp2 ramp3 ramp4 "},
      {"vacdipole", " volt freq lag ramp1 ramp2 ramp3 ramp4 "},
      {"beambeam", " sigx sigy xma yma charge bbshape width bbdir "},
      {"nllens", " knll cnll "},
      {"wire", " current l_int l_phy xma yma closed_orbit "},
      {"matrix",
       " kick1 kick2 kick3 kick4 kick5 kick6"
       " rm11 rm12 rm13 rm14 rm15 rm16 rm21 rm22 rm23 rm24 rm25 rm26"
       " rm31 rm32 rm33 rm34 rm35 rm36 rm41 rm42 rm43 rm44 rm45 rm46"
       " rm51 rm52 rm53 rm54 rm55 rm56 rm61 rm62 rm63 rm64 rm65 rm66 "},
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
  for (const std::string_view text :
       {"apertype", "type",   "comments", "from", "refer",   "refpos", "particle",
        "sequence", "period", "file",     "flag", "pattern", "class",  "range",
        "element",  "start",  "magnet",   "by",   "to",      "model",  "method"})
    if (attribute == text) return true;
  return false;
}

}  // namespace trackplex::io::detail
