// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/number_from_text.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Kinds of elements of PALS, and the groups of their parameters.

namespace trackplex::io::detail {

/// Words of a list that is written in one string.
inline std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

inline const std::vector<std::string_view>& pals_kinds() {
  static const std::vector<std::string_view> kinds = words_of(
      "ACKicker BeamBeam BeginningEle Bend Converter CrabCavity Drift EGun Feedback Fiducial "
      "FloorShift Foil Fork Girder Instrument Kicker Marker Mask Match Multipole Octupole Patch "
      "Placeholder Quadrupole RBend RFCavity ReferenceChange SBend Sextupole Solenoid Taylor "
      "UnionEle Wiggler");
  return kinds;
}

/// Group of parameters.
struct PalsGroup {
  std::string_view name;
  std::string_view parameters;  ///< Names, between spaces; "*": any.
};

inline constexpr PalsGroup pals_groups[] = {
    {"ACKickerP", "*"},
    {"ApertureP",
     "x_min x_max x_center x_width y_min y_max y_center y_width shape location vertices material "
     "thickness aperture_shifts_with_body aperture_active"},
    {"BeamBeamP", "*"},
    {"BendP",
     "angle_ref Bn0_ref e1 e2 e1_rect e2_rect edge1_int edge2_int g_ref h1 h2 Kn0_from_g_ref "
     "L_chord L_sagitta L_rectangle multipole_geometry ref_geometry radius_ref tilt_ref"},
    {"BodyShiftP", "x_offset y_offset z_offset x_rot y_rot z_rot"},
    {"ConverterP", "*"},
    {"ElectricMultipoleP", ""},
    {"FloorP", "*"},
    {"FloorShiftP", "*"},
    {"FoilP", "*"},
    {"ForkP", "to_line destination_element direction new_branch propagate_reference forked_to"},
    {"ForkFromP", "*"},
    {"GirderP", "*"},
    {"MagneticMultipoleP", ""},
    {"MetaP", "*"},
    {"ParticleP", "*"},
    {"PatchP", "x_offset y_offset z_offset x_rot y_rot z_rot flexible ref_coords user_sets_length"},
    {"ReferenceP", "species_ref pc_ref E_tot_ref time_ref"},
    {"ReferenceChangeP", "dtime_ref dE_ref dpc_ref time_ref E_tot_ref pc_ref species_ref"},
    {"RFP",
     "frequency harmon voltage gradient phase multipass_phase cavity_type num_cells zero_phase "
     "L_active dE_ref"},
    {"SolenoidP", "Ksol Bsol"},
    {"TaylorP", "x_out px_out y_out py_out z_out pz_out S1_out Sx_out Sy_out Sz_out ref_in"},
    {"TrackingP", "*"},
    {"TwissP", "*"},
};

inline const PalsGroup* find_pals_group(std::string_view name) {
  for (const PalsGroup& group : pals_groups)
    if (group.name == name) return &group;
  return nullptr;
}

/// Name of a strength of a multipole: Kn1, Bs2L, tilt1, En0.
struct PalsStrength {
  static constexpr int max_order = 99;
  char type = 0;  ///< K, B, E, or t for a tilt.
  bool is_skew = false;
  int order = 0;
  bool is_integrated = false;  ///< Whether it is one over the length.
  bool is_taper = false;       ///< Whether it adds to another.

  static std::optional<PalsStrength> of(std::string_view name) {
    PalsStrength s;
    const bool is_tilt = name.starts_with("tilt");
    if (!is_tilt && (name.size() < 3 || std::string_view("KBE").find(name[0]) == name.npos ||
                     (name[1] != 'n' && name[1] != 's')))
      return std::nullopt;
    s.type = name[0];
    s.is_skew = !is_tilt && name[1] == 's';
    name.remove_prefix(is_tilt ? 4 : 2);
    s.is_taper = name.ends_with("_taper");
    if (s.is_taper) name.remove_suffix(6);
    s.is_integrated = name.ends_with('L');
    if (s.is_integrated) name.remove_suffix(1);
    if (name.empty() || name.find_first_not_of("0123456789") != name.npos ||
        number_from_text(name, s.order) != NumberText::number || s.order > max_order ||
        (is_tilt && (s.is_taper || s.is_integrated)))
      return std::nullopt;
    return s;
  }
};

/// Tells whether a group has a parameter.
inline bool has_parameter(const PalsGroup& group, std::string_view name) {
  if (group.parameters == "*" || name == "inherit") return true;
  if (group.name.ends_with("MultipoleP")) {
    const auto strength = PalsStrength::of(name);
    if (!strength) return name == "geometry";
    return strength->type == 't' || (strength->type == 'E') == (group.name[0] == 'E');
  }
  const auto words = words_of(group.parameters);
  return std::ranges::find(words, name) != words.end();
}

}  // namespace trackplex::io::detail
