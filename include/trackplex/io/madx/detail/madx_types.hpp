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
    return is_in(common, attribute) || is_in(attributes, attribute) || is_in(passive, attribute) ||
           is_in(alignment, attribute) || (name == "matrix" && is_matrix_term(attribute));
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
  static const std::vector<MadxType> types = {
      {"drift", ""},
      {"marker", ""},
      {"monitor", ""},
      {"hmonitor", ""},
      {"vmonitor", ""},
      {"slmonitor", ""},
      {"blmonitor", ""},
      {"imonitor", ""},
      {"instrument", ""},
      {"placeholder", ""},
      {"collimator", " xma yma current l_int l_phy closed_orbit "},
      {"ecollimator", " xsize ysize "},
      {"rcollimator", " xsize ysize "},
      {"quadrupole", " k0 k1 k1s k1tap ktap knl ksl e1 e2 h1 h2 hgap fint fintx "},
      {"sextupole", " k2 k2s k2tap ktap knl ksl e1 e2 h1 h2 hgap fint fintx "},
      {"octupole", " k3 k3s ktap knl ksl e1 e2 h1 h2 hgap fint fintx "},
      {"sbend",
       " angle k0 k0s k1 k1s k2 k2s k3 k3s e1 e2 h1 h2 hgap fint fintx add_angle ktap fcsr knl "
       "ksl "},
      {"rbend",
       " angle k0 k0s k1 k1s k2 k2s k3 k3s e1 e2 h1 h2 hgap fint fintx add_angle ktap fcsr knl "
       "ksl "},
      {"multipole", " knl ksl angle ksi ktap noise noisemax npeak ntune nlag time_var "},
      {"solenoid", " ks ksi knl ksl xtilt rot_start fint fintx hgap "},
      {"kicker", " hkick vkick kick chkick cvkick chflag cvflag sinkick sinpeak sintune sinphase "},
      {"tkicker",
       " hkick vkick kick chkick cvkick chflag cvflag sinkick sinpeak sintune sinphase "},
      {"hkicker", " kick hkick vkick chkick chflag sinkick sinpeak sintune sinphase "},
      {"vkicker", " kick hkick vkick cvkick cvflag sinkick sinpeak sintune sinphase "},
      {"rfcavity",
       " volt freq lag harmon betrf pg shunt tfill n_bessel lagf lagtap eloss volterr lagerr "
       "modulationq ramp1 ramp2 ramp3 ramp4 binmax nbin lfile tfile time_var "},
      {"twcavity",
       " volt freq lag psi delta_lag harmon betrf pg shunt tfill eloss volterr lagerr nbin binmax "
       "lfile tfile "},
      {"lcavity", " volt freq lag harmon "},
      {"dipedge", " h e1 fint hgap he entrance "},
      {"srotation", " angle "},
      {"xrotation", " angle "},
      {"yrotation", " angle "},
      {"translation", " px py pt "},
      {"changeref", " patch_ang patch_trans misexit "},
      {"changerefp0", " p0 "},
      {"sixmarker", " f3string f3vector eltype attr "},
      {"crabcavity",
       " volt freq lag harmon rv1 rv2 rv3 rv4 rph1 rph2 lagf betrf pg shunt tfill eloss volterr "
       "lagerr nbin binmax lfile tfile n_bessel "},
      {"rfmultipole", " volt freq lag harmon knl ksl pnl psl noise noisemax npeak ntune nlag "},
      {"elseparator", " ex ey ex_l ey_l "},
      {"hacdipole", " volt freq lag harmon ramp1 ramp2 ramp3 ramp4 betrf pg lfile tfile n_bessel "},
      {"vacdipole", " volt freq lag harmon ramp1 ramp2 ramp3 ramp4 betrf pg lfile tfile n_bessel "},
      {"beambeam",
       " sigx sigy xma yma charge bbshape width bbdir angle copx copy cox coy alfxs alfys dxs dys "
       "dpxs dpys sigts siges cot copt npart spacecharge bb_sc long_coup_off "},
      {"nllens", " knll cnll "},
      {"thinwire", " xma yma ilnorm "},
      {"wire", " current l_int l_phy xma yma closed_orbit "},
      {"matrix", " kick1 kick2 kick3 kick4 kick5 kick6 "},
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
      "rbend_length f3string ";
  return MadxType::is_in(texts, attribute);
}

}  // namespace trackplex::io::detail
