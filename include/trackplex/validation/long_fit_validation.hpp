// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::validation {

/// Fits of LHCb's long tracks against the truth, in many events. Tracks count whose particle is
/// long (McParticle::is_long), has a charge and is no electron. Impact parameters and pulls of the
/// state are those at the origin of the particle, for particles from a primary vertex.
class LongFitValidation {
 public:
  /// Track and particle.
  struct Track {
    double p = 0.;             ///< true momentum, MeV
    double pt = 0.;            ///< true transverse momentum, MeV
    double search_error = 0.;  ///< (p - true p)/(true p) of the search
    double error = 0.;         ///< the same of the fit
    double qop_pull = 0.;      ///< (q/p - true q/p)/error
    double chi2_per_ndf = 0.;  ///< of the fit
  };
  /// Impact parameter of a track from a primary vertex, and pulls of the state there.
  struct Impact {
    double pt = 0.;         ///< true transverse momentum, MeV
    double x = 0., y = 0.;  ///< distances from the true vertex in x and y, mm
    double x_pull = 0.,     ///< x over its error
        y_pull = 0.;        ///< y over its error
    double tx_pull = 0.,    ///< pull of dx/dz
        ty_pull = 0.;       ///< pull of dy/dz
  };
  /// The same from the reconstructed vertex, where there is one within 5 standard deviations in z.
  struct VertexImpact {
    double x = 0., y = 0.;  ///< distances in x and y, mm
    double x_pull = 0.,     ///< x over its error
        y_pull = 0.;        ///< y over its error
  };

  /// Upper limit of the distance in z of an origin from a true primary vertex, mm.
  static constexpr double max_distance = 0.01;

  /// Adds the fits of an event, its truth, and the matches of its long tracks, from IdValidation.
  /// Tracks without a fit do not count.
  void add(const lhcb::McEvent& truth, const lhcb::TracksResult& found,
           std::span<const IdValidation::Match> matches);

  const std::vector<Track>& tracks() const { return tracks_; }     ///< All tracks, in their order.
  const std::vector<Impact>& impacts() const { return impacts_; }  ///< Those from true vertices.
  const std::vector<VertexImpact>& vertex_impacts() const {        ///< Those from found vertices.
    return vertex_impacts_;
  }

 private:
  void add_impact(const lhcb::McEvent& truth, const lhcb::McParticle& particle,
                  const lhcb::TracksResult& found, const lhcb::LongTrackFit& fit);

  std::vector<Track> tracks_;
  std::vector<Impact> impacts_;
  std::vector<VertexImpact> vertex_impacts_;
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/long_fit_validation.impl.hpp>
#endif
