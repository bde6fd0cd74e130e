// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Physical constants, the only table of them. CODATA: 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93
/// (2021) 025010). PDG: Review of Particle Physics 2022 (R. Workman et al., Prog. Theor. Exp. Phys.
/// 2022 083C01). A value that differs from these has a name of its own, and the reason beside it:
/// no result changes because a constant is known better.

#include <numbers>

namespace trackplex::constants {

inline constexpr double speed_of_light = 299792458.;  ///< m/s; CODATA, exact
/// The same as momentum (GeV) per field and radius of a track of one charge, GeV/(T m).
inline constexpr double momentum_per_tesla_metre = 0.299792458;
/// Ohm; with the magnetic constant as it was defined until 2019.
inline constexpr double free_space_impedance = 4e-7 * std::numbers::pi * speed_of_light;
inline constexpr double fine_structure = 1. / 137.035999;  ///< CODATA, 9 digits of it

// Rest energies, GeV.
inline constexpr double electron_mass = 0.51099895e-3;  ///< CODATA
inline constexpr double pion_mass = 0.13957039;         ///< charged; PDG

/// Of Bethe's formula: 4 pi N_A r_e^2 m_e c^2, GeV cm^2/mol; PDG.
inline constexpr double bethe_coefficient = 0.307075e-3;

/// Exceptions: values of elegant (M. Borland), whose numbers those of `beam` are compared with.
namespace elegant {
inline constexpr double electron_mass = 0.51099906;  ///< MeV; CODATA 1986
inline constexpr double alfven_current = 17045.;     ///< A
}  // namespace elegant

/// Exceptions: values of the published simulation that `montecarlo` is compared with.
namespace published_simulation {
inline constexpr double electron_mass = 0.510998910;  ///< MeV; CODATA 2006
}  // namespace published_simulation

/// Exceptions: PDG, rounded, MeV, as the generator of VELO events has them: its seeds stand for
/// events that golden hashes are known of.
namespace generated {
inline constexpr double electron_mass = 0.511;
inline constexpr double muon_mass = 105.66;
inline constexpr double pion_mass = 139.57;
inline constexpr double kaon_mass = 493.68;
inline constexpr double kaon_short_mass = 497.6;
inline constexpr double proton_mass = 938.27;
inline constexpr double lambda_mass = 1115.7;
}  // namespace generated

}  // namespace trackplex::constants
