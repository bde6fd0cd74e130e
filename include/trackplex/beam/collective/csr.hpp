// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Coherent synchrotron radiation in bends and downstream, by which the tail of a bunch acts on
/// its head, as in the elements CSRCSBEND and CSRDRIFT of the accelerator code elegant (M. Borland,
/// Phys. Rev. ST Accel. Beams 4 (2001) 070701): the one-dimensional theory of E. L. Saldin, E. A.
/// Schneidmiller and M. V. Yurkov, Nucl. Instrum. Methods A 398 (1997) 373. After a slice of a
/// bend, at the angle phi from its entrance, a particle at z in a bunch of the density
/// \f$\lambda\f$ gains
/// \f[ \frac{d\gamma}{d\ell}=\frac{2Q\,e}{4\pi\varepsilon_0mc^2\,(3\rho^2)^{1/3}}\Bigl(
///     \int_{z-s_L}^z\frac{\lambda'(z')\,dz'}{(z-z')^{1/3}}
///     +\frac{\lambda(z-s_L)-\lambda(z-4s_L)}{s_L^{1/3}}\Bigr),
///     \qquad s_L=\frac{\rho\phi^3}{24}. \f]

#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/collective/csr_drift.hpp>
