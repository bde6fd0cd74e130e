// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Physical constants, the only table of them in the library. CODATA: 2018 (E. Tiesinga et al.,
/// Rev. Mod. Phys. 93 (2021) 025010). PDG: Review of Particle Physics 2022 (R. Workman et al.,
/// Prog. Theor. Exp. Phys. 2022 083C01). A value that differs from these is in a namespace that
/// names the reason: results do not change when a constant becomes better known.

#include <numbers>

namespace trackplex::constants {

inline constexpr double speed_of_light = 299792458.;  ///< Speed of light, m/s; CODATA, exact.
/// Transverse momentum per magnetic field and bending radius of a particle of unit charge,
/// GeV/(T m): \f$p_T = 0.299792458\,B\,R\f$. The digits are those of the speed of light.
inline constexpr double momentum_per_tesla_metre = 0.299792458;
/// Impedance of free space \f$\mu_0 c\f$, Ohm; with the magnetic constant as defined until
/// 2019, \f$\mu_0 = 4\pi\cdot 10^{-7}\f$ H/m.
inline constexpr double free_space_impedance = 4e-7 * std::numbers::pi * speed_of_light;
inline constexpr double fine_structure =
    1. / 137.035999;  ///< Fine-structure constant; CODATA, 9 digits.

// Rest energies, GeV.
inline constexpr double electron_mass = 0.51099895e-3;  ///< Electron, GeV; CODATA.
inline constexpr double muon_mass = 0.1056583755;       ///< Muon, GeV; PDG.
inline constexpr double pion_mass = 0.13957039;         ///< Charged pion, GeV; PDG.
inline constexpr double proton_mass = 0.93827208816;    ///< Proton, GeV; CODATA.
inline constexpr double neutron_mass = 0.93956542052;   ///< Neutron, GeV; CODATA.
inline constexpr double atomic_mass = 0.93149410242;    ///< Unit of atomic masses, GeV; CODATA.

inline constexpr double elementary_charge = 1.602176634e-19;           ///< C; CODATA, exact.
inline constexpr double avogadro = 6.02214076e23;                      ///< 1/mol; CODATA, exact.
inline constexpr double reduced_planck = 6.582119569e-25;              ///< GeV s; CODATA.
inline constexpr double classical_electron_radius = 2.8179403262e-15;  ///< m; CODATA.

/// Coefficient K of the Bethe formula for the energy loss, \f$4\pi N_A r_e^2 m_e c^2\f$,
/// GeV cm^2/mol; PDG.
inline constexpr double bethe_coefficient = 0.307075e-3;

/// Values of the program elegant (M. Borland), with which `beam` is compared.
namespace elegant {
inline constexpr double electron_mass = 0.51099906;  ///< Electron, MeV; CODATA 1986.
inline constexpr double alfven_current = 17045.;     ///< Alfven current, A.
/// Classical electron radius, m; from charge and mass of CODATA 1986.
inline constexpr double classical_electron_radius = 2.81794091754115e-15;
/// Inverse of the fine-structure constant; CODATA 1986.
inline constexpr double inverse_fine_structure = 137.0359895;
/// Rest energy of the electron, eV, by which elegant divides the voltages of cavities and wakes.
inline constexpr double electron_energy = 1e6 * electron_mass;
/// The same, computed from m (kg) and e (C), for deflecting cavities; differs by 1e-8.
inline constexpr double electron_energy_from_mass =
    9.1093897e-31 / 1.60217733e-19 * speed_of_light * speed_of_light;
/// e/(m c) for the wigglers of elegant, 1/(T m); CODATA 1998.
inline constexpr double wiggler_inverse_rigidity =
    1.602176462e-19 / (9.10938188e-31 * speed_of_light);
}  // namespace elegant

/// Values of the published simulation with which `montecarlo` is compared.
namespace published_simulation {
inline constexpr double electron_mass = 0.510998910;  ///< Electron, MeV; CODATA 2006.
}  // namespace published_simulation

/// Rounded PDG masses, MeV, for the generator of VELO events: better values would change the events
/// of a seed, whose hashes the tests contain.
namespace generated {
inline constexpr double electron_mass = 0.511;    ///< Electron, MeV.
inline constexpr double muon_mass = 105.66;       ///< Muon, MeV.
inline constexpr double pion_mass = 139.57;       ///< Charged pion, MeV.
inline constexpr double kaon_mass = 493.68;       ///< Charged kaon, MeV.
inline constexpr double kaon_short_mass = 497.6;  ///< Neutral kaon K0S, MeV.
inline constexpr double proton_mass = 938.27;     ///< Proton, MeV.
inline constexpr double lambda_mass = 1115.7;     ///< Lambda baryon, MeV.
}  // namespace generated

}  // namespace trackplex::constants
