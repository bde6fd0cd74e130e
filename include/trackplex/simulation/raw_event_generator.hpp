// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/simulation/detail/raw_event_builder.hpp>
#include <trackplex/simulation/raw_event_params.hpp>

#include <cstdint>

namespace trackplex::simulation {

/// Event as the detector sends it, and its truth; both have the same name.
struct GeneratedRawEvent {
  lhcb::RawEvent raw;   ///< banks of VELO, UT and, if the detector has one, SciFi
  lhcb::McEvent truth;  ///< particles and vertices

  /// Compares banks and truth.
  friend bool operator==(const GeneratedRawEvent&, const GeneratedRawEvent&) = default;
};

/// Generator of raw banks of LHCb's VELO, UT and SciFi, with truth. An event depends only on the
/// detector, the parameters, the seed and its number, and has the same bits on every machine.
///
/// **VELO.** Collisions and flights are those of `VeloGenerator`. The charge that a particle
/// deposits in a sensor fires pixels. Fired pixels that touch, even at a corner, form one cluster,
/// and every particle that fired one of its pixels owns the cluster's LHCbID. The sensors of the
/// detector must agree with `lhcb::velo_sensors` within a fraction of a pixel.
///
/// **UT.** A forward particle of momentum p (MeV) flies straight to the plane z = 1780 mm, where
/// with s = dx/dz \f[ s\sqrt{1+s^2}\quad\text{changes by}\quad
///   \frac{q\cdot\mathrm{polarity}\cdot\int B\,dl}{3.3356\cdot10^{-3}\sqrt{1+t_y^2}\;p}, \f]
/// and then straight on. LHCb's p-kick fit, which has the same formula, thus gives charge over
/// momentum from states at the beam with little bias; q/p > 0 for a positive particle when the
/// magnet points down. (Its cuts are compared with 1.3 |p|, as for real particles.) The field
/// integral (T m) is that of the detector's table where the line of flight after the last sensor
/// comes closest to the beam. At the middle of the UT the displacement is 0.92 times the
/// limit of the search windows at the same momentum (24,868 mm MeV/p); at the four layers it is
/// 0.87, 0.89, 0.93 and 0.93 times the value in the table of deflections at ty = 0, since a single
/// kink cannot follow the real field more closely.
///
/// **SciFi.** If the detector has one, a forward particle of 1 GeV or more is bent by the
/// polynomials with which `FindLongTracks` searches, those of `lhcb::forward_tables`: the chord of
/// its curve x(z) through the first and the third station meets its line from the VELO in the
/// middle of the magnet, with the slope that `ForwardMagnet::qop` gives q/p, and y is that of
/// `ForwardMagnet::y_shift`. The true momenta of these tracks have no bias. Channels whose middle
/// is lit make a cluster with their neighbours in the same SiPM; all particles that lit one of
/// them own its LHCbID. Banks are of version 5.
///
/// Particles scatter in the sensors, once between VELO and kink, after each layer of the UT, once
/// in the magnet, and after each layer of the SciFi; they do not lose energy or curl. Products of
/// lost particles are not followed. UT and SciFi have their own random numbers: VELO banks do not
/// depend on their parameters, nor UT banks on whether there is a SciFi.
///
/// **Truth.** has_velo: clusters in 3 modules or more; has_ut: hits in 3 layers or more; has_scifi:
/// hits in an x layer and in a stereo layer of each station or, without a SciFi, as in
/// `VeloGenerator`; is_long: has_velo and has_scifi; is_down: has_ut and has_scifi. All particles
/// with a hit are listed, and each vertex with the number of its particles that have has_velo.
class RawEventGenerator {
 public:
  /// Copies the parts of the detector that it needs.
  /// @throws UsageError if a parameter is out of range, or the detector lacks a table or has a
  /// SciFi whose banks are of versions 7 and 8
  RawEventGenerator(const lhcb::Detector& detector, const RawEventParams& params = {},
                    std::uint64_t seed = 1)
      : model_(checked(params, detector), detector), seed_(seed) {}

  /// Generates event `number`; its name contains the seed and the number.
  GeneratedRawEvent operator()(std::uint64_t number) const;

 private:
  static const RawEventParams& checked(const RawEventParams& params,
                                       const lhcb::Detector& detector);

  detail::RawEventModel model_;
  std::uint64_t seed_;
};

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/raw_event_generator.impl.hpp>
#endif
