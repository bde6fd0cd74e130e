// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Radiation integrals and equilibrium of electron rings (M. Sands, SLAC-121, 1970;
/// R. H. Helm et al., IEEE Trans. Nucl. Sci. 20 (1973) 900). On the host.

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/radiation_effects.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

/// Radiation integrals of a ring whose bends are horizontal, with h the curvature of the axis, k1
/// the quadrupole strength in bends and e the angles of their edges.
struct RadiationIntegrals {
  double i1 = 0.;  ///< Integral of h eta, m: the momentum compaction times the length.
  double i2 = 0.;  ///< Integral of h^2, 1/m.
  double i3 = 0.;  ///< Integral of |h|^3, 1/m^2.
  /// Integral of h (h^2 + 2 k1) eta, less h^2 eta tan(e) at each edge, 1/m.
  double i4 = 0.;
  /// Integral of |h|^3 H, 1/m, with H = gamma eta^2 + 2 alpha eta eta' + beta eta'^2.
  double i5 = 0.;
};

/// Computes the radiation integrals of a ring, with the optics at its start and after each
/// element from `optics_along`. Bends without length are ignored.
/// @throws UsageError if a bend is not in the horizontal plane
RadiationIntegrals radiation_integrals(const BeamLine& ring, const std::vector<Optics>& optics);

/// Equilibrium of electrons with their radiation in a flat ring.
struct RadiationEquilibrium {
  double energy_loss = 0.;      ///< Mean energy loss of a turn, eV.
  double x_partition = 1.,      ///< Damping partition number J_x = 1 - I4/I2.
      y_partition = 1.,         ///< Damping partition number J_y = 1.
      momentum_partition = 2.;  ///< Damping partition number J_delta = 2 + I4/I2.
  double x_emittance = 0.;      ///< Emittance in x without coupling, m rad.
  double momentum_spread = 0.;  ///< rms of delta.
  double x_time = 0.,           ///< Damping time of amplitudes in x, s.
      y_time = 0.,              ///< Damping time of amplitudes in y, s.
      momentum_time = 0.;       ///< Damping time of delta, s.
};

/// Computes the equilibrium at a momentum p0 (beta gamma), of a ring of a length, m:
/// \f[ U_0=\frac23r_emc^2\gamma^4I_2,\quad\varepsilon_x=C_q\gamma^2\frac{I_5}{I_2-I_4},\quad
///     \sigma_\delta^2=C_q\gamma^2\frac{I_3}{2I_2+I_4},\quad
///     C_q=\frac{55}{32\sqrt3}\frac{r_e}{\alpha},\quad\tau=\frac{2ET_0}{JU_0}. \f]
/// @throws UsageError if the ring has no bends, or oscillations in x or of delta are not damped
RadiationEquilibrium radiation_equilibrium(const RadiationIntegrals& of, double p0, double length);

/// Returns the ring with the equilibrium at a momentum p0 (beta gamma) and the local optics
/// set in each `SynchrotronRadiationEffects` without a reference momentum. Others are unchanged.
/// @throws UsageError if there are such elements and the ring has no periodic optics, or as
/// `radiation_integrals` and `radiation_equilibrium`
BeamLine with_equilibrium(BeamLine ring, double p0);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/radiation_integrals.impl.hpp>
#endif
