// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/lhcb/fit/kalman_state.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Fits of the tracks of LongTracks, in the same slots: states at the VELO hit nearest to the beam.
/// Lengths in mm, q/p in 1/MeV.
template <class Real, class MemorySpace>
struct LongFits {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;                     ///< Array in this memory space.
  static constexpr int entries = KalmanCovariance<Real>::entries;  ///< of a covariance

  Array<Real> x,    ///< (slot): x, mm
      y,            ///< (slot): y, mm
      z;            ///< (slot): z, mm
  Array<Real> tx,   ///< (slot): dx/dz
      ty;           ///< (slot): dy/dz
  Array<Real> qop;  ///< (slot): charge over momentum, 1/MeV
  /// (entry, slot), flat: entry k of the KalmanCovariance of (x, y, tx, ty, q/p) is
  /// covariance(k * slots + slot).
  Array<Real> covariance;
  Array<Real> chi2;          ///< (slot): of all hits
  Array<std::uint16_t> ndf;  ///< (slot): number of degrees of freedom
  /// (slot): 1 if the fit succeeded and chi2/ndf is within LongFitParams::max_chi2_per_ndf.
  Array<std::uint8_t> good;
  std::size_t slots = 0;  ///< number of slots, in all events
  int n_events = 0;       ///< number of events

  /// Stores the fits of a tile of tracks of the event whose first slot is `slot`.
  template <class Lanes>
  KOKKOS_FUNCTION void store(const Tile<Lanes>& tile, std::size_t slot, const KalmanState<Lanes>& s,
                             const KalmanCovariance<Lanes>& of_state, const Lanes& its_chi2,
                             const IntegerOf<Lanes>& its_ndf, const MaskOf<Lanes>& is_good) const {
    using Integer = IntegerOf<Lanes>;
    using I = ScalarOf<Integer>;
    tile.store(x.data() + slot, s.x);
    tile.store(y.data() + slot, s.y);
    tile.store(z.data() + slot, s.z);
    tile.store(tx.data() + slot, s.tx);
    tile.store(ty.data() + slot, s.ty);
    tile.store(qop.data() + slot, s.qop);
    for (int k = 0; k < entries; ++k)
      tile.store(covariance.data() + std::size_t(k) * slots + slot, of_state.c[k]);
    tile.store(chi2.data() + slot, its_chi2);
    tile.store(ndf.data() + slot, its_ndf);
    tile.store(good.data() + slot, select(is_good, Integer(I(1)), Integer(I(0))));
  }
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class Real, class From, class To, class F>
void for_each_array(const LongFits<Real, From>& from, LongFits<Real, To>& to, const F& f) {
  to.slots = from.slots;
  to.n_events = from.n_events;
  f(from.x, to.x, "Trackplex::Lhcb::long_fit_x", from.slots);
  f(from.y, to.y, "Trackplex::Lhcb::long_fit_y", from.slots);
  f(from.z, to.z, "Trackplex::Lhcb::long_fit_z", from.slots);
  f(from.tx, to.tx, "Trackplex::Lhcb::long_fit_tx", from.slots);
  f(from.ty, to.ty, "Trackplex::Lhcb::long_fit_ty", from.slots);
  f(from.qop, to.qop, "Trackplex::Lhcb::long_fit_qop", from.slots);
  f(from.covariance, to.covariance, "Trackplex::Lhcb::long_fit_covariance",
    std::size_t(from.entries) * from.slots);
  f(from.chi2, to.chi2, "Trackplex::Lhcb::long_fit_chi2", from.slots);
  f(from.ndf, to.ndf, "Trackplex::Lhcb::long_fit_ndf", from.slots);
  f(from.good, to.good, "Trackplex::Lhcb::long_fit_good", from.slots);
}

}  // namespace trackplex::lhcb
