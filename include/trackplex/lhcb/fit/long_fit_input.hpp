// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fit/kalman_transport.hpp>
#include <trackplex/lhcb/fit/long_fit_params.hpp>
#include <trackplex/lhcb/scifi/long_tracks.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>

#include <cstddef>
#include <limits>

namespace trackplex::lhcb {

/// LongFitParams in kernels, with variances, rounded once to the scalar T of the kernel.
template <class T>
struct LongFitErrors {
  T velo_variance = 0;                        ///< of x and y of a VELO hit, mm^2
  T scifi_variance[scifi_max_size + 1] = {};  ///< (pseudo size): of a SciFi hit, mm^2
  T initial_slope_variance = 0;               ///< of the slopes at the first hit
  T initial_qop_variance = 0;                 ///< of q/p of the search over (q/p)^2
  T field_qop_variance = 0;                   ///< the same of a fit in a field
  T velo_noise = 0;                           ///< factor of the variances of the noise in the VELO
  T noise = 0;                                ///< factor of the variances of the other noise
  T beam_noise = 0;                           ///< factor of the variances on the way to the beam
  T max_chi2_per_ndf = 0;                     ///< see LongFitParams; infinity: any
};

/// Transport and errors of the fit of long tracks. The arrays are handles: copies are cheap.
template <class T, class MemorySpace>
struct LongFitSetup {
  KalmanTransport<T, MemorySpace> transport;  ///< steps through the detector
  LongFitErrors<T> errors;                    ///< variances
};

/// Rounds the parameters to the scalar T of a kernel.
/// @throws UsageError if a parameter is out of range
template <class T>
LongFitErrors<T> long_fit_errors(const LongFitParams& params) {
  check(params);
  const auto square = [](double value) { return T(value * value); };
  LongFitErrors<T> errors;
  errors.velo_variance = square(params.velo_sigma);
  for (int i = 0; i <= scifi_max_size; ++i)
    errors.scifi_variance[i] = square(params.scifi_sigma[std::size_t(i)]);
  errors.initial_slope_variance = square(params.initial_slope_sigma);
  errors.initial_qop_variance = square(params.initial_qop_error);
  errors.field_qop_variance = square(params.field_qop_error);
  errors.velo_noise = square(params.velo_noise);
  errors.noise = square(params.noise);
  errors.beam_noise = square(params.beam_noise);
  errors.max_chi2_per_ndf = params.max_chi2_per_ndf > 0. ? T(params.max_chi2_per_ndf)
                                                         : std::numeric_limits<T>::infinity();
  return errors;
}

/// Makes the setup of the fit of long tracks. `polarity` of the magnet is -1 down, +1 up, as in
/// Detector. Waits for the instance.
/// @throws UsageError if a parameter is out of range, InputError if the tables are impossible
template <class T, class ExecutionSpace>
LongFitSetup<T, typename ExecutionSpace::memory_space> long_fit_setup(
    const ExecutionSpace& exec, const KalmanTables& tables, double polarity,
    const LongFitParams& params = {}) {
  const auto errors = long_fit_errors<T>(params);
  return {kalman_transport<T>(exec, tables, polarity), errors};
}

/// Tracks and hits that the fits of long tracks read.
template <class T, class MemorySpace>
struct LongFitTracks {
  VeloHits<T, MemorySpace> velo_hits;    ///< hits of the VELO
  VeloTracks<MemorySpace> velo_tracks;   ///< tracks of these hits
  UtHits<T, MemorySpace> ut_hits;        ///< hits of the UT
  UtTracks<T, MemorySpace> ut_tracks;    ///< tracks with hits in the UT
  ScifiHits<T, MemorySpace> scifi_hits;  ///< hits of the SciFi, sorted
  LongTracks<T, MemorySpace> tracks;     ///< tracks to be fitted

  /// First slot of the tracks of an event.
  KOKKOS_FUNCTION std::size_t first_slot(int event) const {
    return lhcb::first_slot(velo_hits.event_offsets(event), event, velo_tracks.hits_per_slot);
  }
  /// Checks that tracks and hits are those of the same events; `name` is for the message.
  /// @throws UsageError if they are not
  void check(const char* name) const {
    const int n = tracks.n_events;
    if (n > 0 && (velo_hits.n_events != n || velo_tracks.n_events != n || ut_hits.n_events != n ||
                  ut_tracks.n_events != n || scifi_hits.n_events != n))
      throw UsageError(name, "hits and tracks are those of different events",
                       "take those from which the long tracks were found");
  }
};

/// Input of the fit of long tracks.
template <class T, class MemorySpace>
struct LongFitInput : LongFitSetup<T, MemorySpace>, LongFitTracks<T, MemorySpace> {};

}  // namespace trackplex::lhcb
