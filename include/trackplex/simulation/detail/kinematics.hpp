// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/draws.hpp>

#include <cmath>

namespace trackplex::simulation::detail {

/// A vector in space: a position in mm, or a momentum in MeV.
struct Vector3 {
  double x = 0.;
  double y = 0.;
  double z = 0.;

  friend Vector3 operator+(const Vector3& a, const Vector3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend Vector3 operator*(double scale, const Vector3& a) {
    return {scale * a.x, scale * a.y, scale * a.z};
  }
  friend double dot(const Vector3& a, const Vector3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
};

/// Transverse momentum.
inline double transverse(const Vector3& p) { return std::sqrt(p.x * p.x + p.y * p.y); }

/// Pseudorapidity, asinh(pz/pt).
inline double pseudorapidity(const Vector3& p) {
  const double pt = transverse(p);
  const double magnitude = trackplex::log((std::abs(p.z) + std::sqrt(dot(p, p))) / pt);
  return p.z < 0. ? -magnitude : magnitude;
}

/// The momentum with a given transverse momentum, pseudorapidity and azimuthal direction.
inline Vector3 momentum_from(double pt, double eta, const Pair& direction) {
  const double e = trackplex::exp(eta);
  return {pt * direction.first, pt * direction.second, pt * 0.5 * (e - 1. / e)};
}

/// A momentum q in the rest frame of a parent of momentum p and mass m, for a daughter of mass md,
/// seen in the laboratory: q + p ((p q)/(m (E + m)) + Ed/m) with E^2 = p^2 + m^2, Ed^2 = q^2 +
/// md^2.
inline Vector3 boost(const Vector3& q, double daughter_mass, const Vector3& p, double mass) {
  const double energy = std::sqrt(dot(p, p) + mass * mass);
  const double daughter_energy = std::sqrt(dot(q, q) + daughter_mass * daughter_mass);
  return q + (dot(p, q) / (mass * (energy + mass)) + daughter_energy / mass) * p;
}

/// A vector of the given length in a uniform direction.
inline Vector3 isotropic(double length, Draws& draws) {
  const double cosine = 2. * draws.coarse_uniform() - 1.;
  const double sine = std::sqrt(1. - cosine * cosine);
  const Pair unit = draws.direction();
  return {length * sine * unit.first, length * sine * unit.second, length * cosine};
}

}  // namespace trackplex::simulation::detail
