// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/kinematics.hpp>
#include <trackplex/simulation/detail/velo_species.hpp>

#include <cmath>

namespace trackplex::simulation::detail {

/// A charged particle at its origin.
struct ChargedParticle {
  Vector3 origin;    ///< mm
  Vector3 momentum;  ///< MeV
  Species species = pion;
  int charge = 1;
  bool strange = false;
  bool charm = false;
  bool beauty = false;
};

/// Standard deviation of the angle by which a particle scatters; `scale` is that angle times beta
/// p, MeV.
inline double scattering_angle(double scale, const ChargedParticle& particle) {
  const double p = std::sqrt(dot(particle.momentum, particle.momentum));
  const double mass = particle.species.mass;
  return scale * std::sqrt(p * p + mass * mass) / (p * p);
}

/// Whether a particle flies into a tracking station of half width and half height w, h around a
/// hole of radius r at z (mm). The magnet is one kick of `share` times 1250 MeV in x at z = 5200,
/// or at the station if that comes first. Rough numbers of LHCb; "long" means no more than this.
inline bool reaches(const ChargedParticle& particle, double z, double w, double h, double r,
                    double share) {
  const Vector3& p = particle.momentum;
  if (p.z <= 0.) return false;
  const double kick = particle.charge * share * 1250. / p.z;
  const double lever = z > 5200. ? z - 5200. : z / 2.;
  const double x = particle.origin.x + p.x / p.z * (z - particle.origin.z) + kick * lever;
  const double y = particle.origin.y + p.y / p.z * (z - particle.origin.z);
  return std::abs(x) < w && std::abs(y) < h && x * x + y * y > r * r;
}

}  // namespace trackplex::simulation::detail
