// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/detail/free_velo_tracks.hpp>
#include <trackplex/lhcb/scifi/detail/track_duplicates.hpp>
#include <trackplex/lhcb/scifi/long_track_list.hpp>
#include <trackplex/lhcb/scifi/match_params.hpp>
#include <trackplex/lhcb/velo/velo_end_states.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Memory of a team for the matching of an event.
template <class T>
struct MatchScratch {
  using I = IntegerOf<T>;
  I* velo;      ///< VELO tracks that are matched
  I* ut_track;  ///< of each VELO track: its UT track, or -1
  I* scifi;    ///< of each track in `velo`: the best SciFi track that it is the best one for, or -1
  I* partner;  ///< of each SciFi track: place in `velo` of the best VELO track, or -1
  T* chi2;     ///< of this pair

  KOKKOS_FUNCTION MatchScratch(ScratchCarver& carver, int event_tracks, int scifi_tracks) {
    velo = carver.take<I>(event_tracks);
    ut_track = carver.take<I>(event_tracks);
    scifi = carver.take<I>(event_tracks);
    partner = carver.take<I>(scifi_tracks);
    chi2 = carver.take<T>(scifi_tracks);
  }
};

/// States of both tracks of a pair, one pair per lane.
template <class Real>
struct MatchState {
  Real x, y, tx, ty;
};

/// How well pairs of tracks match, see MatchTracks, and their momenta. Where they meet and q/p are
/// polynomials of LHCb's code of 2023 (Apache-2.0: TrackMatchingConstants.cuh). VELO states are at
/// velo_end_z, those of the SciFi at scifi_end_z.
template <class Real>
class PairMatch {
 public:
  using T = ScalarOf<Real>;
  using Mask = MaskOf<Real>;

  KOKKOS_FUNCTION PairMatch(const MatchState<Real>& velo, const MatchState<Real>& scifi)
      : velo_(velo), scifi_(scifi) {}

  /// chi2 of pairs within the cuts.
  KOKKOS_FUNCTION Mask chi2(const MatchCuts<T>& cuts, Real& sum) const {
    const Real dtx = velo_.tx - scifi_.tx, dty = velo_.ty - scifi_.ty;
    const Real dtx2 = dtx * dtx, tx2 = velo_.tx * velo_.tx, size = abs(dtx);
    const Real z = fma(tx2, real(-1418.42),
                       fma(abs(scifi_.x), real(0.0119379),
                           fma(dtx2, real(317.683), fma(size, real(-7.98878), real(5287.6)))));
    const Real dx = fma(z - real(scifi_end_z), scifi_.tx, scifi_.x) -
                    fma(z - real(velo_end_z), velo_.tx, velo_.x);
    const Real dy = fma(real(z_of_y - scifi_end_z), scifi_.ty, scifi_.y) -
                    fma(real(z_of_y - velo_end_z), velo_.ty, velo_.y) * real(1.02);
    const Real t2 = fma(velo_.ty, velo_.ty, tx2);
    const Real variance_x = fma(dtx2, real(27. * 27.), Real(T(1)));
    const Real variance_y = fma(t2, real(200. * 200.), real(5. * 5.));
    const Real variance_ty = fma(t2, real(0.027 * 0.027), real(0.001 * 0.001));
    sum = dx * dx / variance_x + real(0.5) * (dy * dy / variance_y + dty * dty / variance_ty);
    return size <= Real(cuts.max_tx_difference) && abs(dty) <= Real(cuts.max_ty_difference) &&
           abs(dx) <= Real(cuts.max_x_difference) && abs(dy) <= Real(cuts.max_y_difference) &&
           sum < Real(cuts.max_chi2);
  }

  /// q/p, 1/MeV, if the magnet points down; else -q/p.
  KOKKOS_FUNCTION Real qop() const {
    const Real b = scifi_.tx, b2 = b * b, ty2 = velo_.ty * velo_.ty, bend = b - velo_.tx;
    const Real of_b = fma(fma(b2, real(6.7158701518424815), real(486.05664058906814)), b2,
                          real(1239.4073749458162));
    const Real of_y = fma(ty2, real(-9256.27946160669), real(2358.5758035677504)) * ty2;
    const Real of_tx =
        fma(velo_.tx, real(241.4601040854867), b * real(632.7283787142547)) * velo_.tx;
    return bend / fma(abs(bend), real(42.04859549174048), of_b + of_y + of_tx);
  }

 private:
  static constexpr double z_of_y = 10000.;  ///< where tracks are compared in y, mm

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return Real(T(value)); }

  MatchState<Real> velo_, scifi_;
};

/// Matches the SciFi tracks of one event per team with the VELO tracks that have no long track.
template <class Real, class Input, class Output>
struct TrackMatching {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = MatchScratch<T>;
  using State = MatchState<Real>;

  Input input;
  Output tracks;
  int max_tracks;  ///< in the VELO, of an event

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, max_tracks, input.scifi_tracks.max_tracks);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int number = member.league_rank();
    const std::size_t slot = input.first_slot(number);
    const Scratch scratch(carver, max_tracks, input.scifi_tracks.max_tracks);
    const int before = int(input.long_tracks.count(number));
    const int n_velo = int(input.velo_tracks.count(number));
    list_ut_tracks(team, scratch, number, slot, n_velo);
    const int n =
        list_free_velo_tracks(team,
                              FreeVeloTracks<T, Output>{tracks, slot, before, input.cuts.max_abs_tx,
                                                        input.cuts.max_abs_ty},
                              input.velo_states, n_velo, scratch.velo);
    const std::size_t first = input.scifi_hits.event_offsets(number);
    const int n_scifi = int(input.scifi_tracks.count(number));
    team.for_each(n_scifi, [&](Tile<Real> tile) { find_velo(tile, scratch, slot, first, n); });
    team.barrier();
    team.for_each(n, [&](Tile<Real> tile) { find_scifi(tile, scratch, n_scifi); });
    team.barrier();
    FoundLongTracks<Real> found;
    const int matched = team.compact_tiles(
        n,
        [&](Tile<Real> tile) {
          const Integer scifi = tile.template load<Integer>(scratch.scifi);
          const Mask there = tile.mask() && scifi >= Integer(0);
          if (any_of(there)) describe(tile, scratch, slot, first, scifi, there, found);
          return there;
        },
        [&](Tile<Real>, Mask mask, int to) { found.store(tracks, slot, mask, before + to); });
    team.single([&] { tracks.count(number) = std::uint32_t(before + matched); });
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION void list_ut_tracks(const Team& team, const Scratch& scratch, int number,
                                      std::size_t slot, int n_velo) const {
    team.for_each(n_velo, [&](Tile<Real> tile) { tile.store(scratch.ut_track, Integer(-1)); });
    team.barrier();
    team.for_each(int(input.ut_tracks.count(number)), [&](Tile<Real> tile) {
      scatter(scratch.ut_track, tile.template load<Integer>(input.ut_tracks.track.data() + slot),
              tile.index(), tile.mask());
    });
    team.barrier();
  }

  KOKKOS_FUNCTION State velo_state(std::size_t slot, const Integer& track, const Mask& mask) const {
    const auto& from = input.velo_states;
    return {gather<Real>(from.x.data() + slot, track, mask),
            gather<Real>(from.y.data() + slot, track, mask),
            gather<Real>(from.tx.data() + slot, track, mask),
            gather<Real>(from.ty.data() + slot, track, mask)};
  }

  /// The VELO track that matches SciFi tracks best, of n; of two the first one.
  KOKKOS_FUNCTION void find_velo(const Tile<Real>& tile, const Scratch& scratch, std::size_t slot,
                                 std::size_t first, int n) const {
    const auto& from = input.scifi_tracks;
    const State scifi{tile.load(from.x.data() + first), tile.load(from.y.data() + first),
                      tile.load(from.tx.data() + first), tile.load(from.ty.data() + first)};
    Integer partner(-1);
    Real least(input.cuts.max_chi2);
    for (int i = 0; i < n; ++i) {
      const auto& states = input.velo_states;
      const std::size_t at = slot + std::size_t(scratch.velo[i]);
      const State velo{Real(states.x(at)), Real(states.y(at)), Real(states.tx(at)),
                       Real(states.ty(at))};
      Real chi2;
      const Mask good = PairMatch<Real>(velo, scifi).chi2(input.cuts, chi2);
      const Mask better = good && chi2 < least;
      partner = select(better, Integer(I(i)), partner);
      least = select(better, chi2, least);
    }
    tile.store(scratch.partner, partner);
    tile.store(scratch.chi2, least);
  }

  /// The best match of VELO tracks among the SciFi tracks that have chosen them.
  KOKKOS_FUNCTION void find_scifi(const Tile<Real>& tile, const Scratch& scratch,
                                  int n_scifi) const {
    const Integer own = tile.index();
    Integer scifi(-1);
    Real least(input.cuts.max_chi2);
    for (int i = 0; i < n_scifi; ++i) {
      const Real chi2(scratch.chi2[i]);
      const Mask better = Integer(scratch.partner[i]) == own && chi2 < least;
      scifi = select(better, Integer(I(i)), scifi);
      least = select(better, chi2, least);
    }
    tile.store(scratch.scifi, scifi);
  }

  /// Hits, momenta and states of pairs.
  KOKKOS_FUNCTION void describe(const Tile<Real>& tile, const Scratch& scratch, std::size_t slot,
                                std::size_t first, const Integer& scifi, const Mask& mask,
                                FoundLongTracks<Real>& found) const {
    found.gather_from(input.scifi_tracks, first, scifi, mask);
    found.velo_track = tile.template load<Integer>(scratch.velo);
    const State state = velo_state(slot, found.velo_track, mask);
    const Real qop = PairMatch<Real>(state, {found.x, found.y, found.tx, found.ty}).qop();
    found.qop = qop * Real(-input.polarity);
    const Integer ut_track = gather<Integer>(scratch.ut_track, found.velo_track, mask);
    const Mask in_ut = mask && ut_track >= Integer(0);
    const Real of_ut = gather<Real>(input.ut_tracks.qop.data() + slot, ut_track, in_ut);
    const Mask agrees = abs(of_ut - qop) <= fma(Real(input.cuts.max_qop_difference), abs(qop),
                                                Real(input.cuts.qop_tolerance));
    found.ut_track = select(in_ut && agrees, ut_track, Integer(I(Output::no_ut_track)));
  }
};

}  // namespace trackplex::lhcb::detail
