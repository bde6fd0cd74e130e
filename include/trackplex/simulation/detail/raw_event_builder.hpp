// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/simulation/detail/pixel_charge.hpp>
#include <trackplex/simulation/detail/pixel_clusters.hpp>
#include <trackplex/simulation/detail/raw_truth.hpp>
#include <trackplex/simulation/detail/scifi_flight.hpp>
#include <trackplex/simulation/detail/scifi_readout.hpp>
#include <trackplex/simulation/detail/ut_flight.hpp>
#include <trackplex/simulation/detail/ut_readout.hpp>
#include <trackplex/simulation/detail/velo_noise.hpp>
#include <trackplex/simulation/raw_event_params.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace trackplex::simulation::detail {

/// The common part of all events: the detector, prepared for flights through it.
struct RawEventModel {
  RawEventModel(const RawEventParams& parameters, const lhcb::Detector& detector)
      : params(parameters),
        sensor_scattering(scattering_scale(parameters.sensor_thickness)),
        pixels(detector.velo),
        ut_flights(parameters, detector),
        ut_readout(detector.ut_boards) {
    if (!detector.scifi) return;
    scifi_flights.emplace(parameters, detector);
    scifi_readout.emplace(*detector.scifi);
  }

  RawEventParams params;
  double sensor_scattering;
  PixelGrid pixels;
  UtFlights ut_flights;
  UtReadout ut_readout;
  std::optional<ScifiFlights> scifi_flights;  ///< if the detector has a SciFi
  std::optional<ScifiReadout> scifi_readout;
};

/// Collects the lit pixels, strips and fibres and the particles of one event. What happens after
/// the VELO, and after the UT, has random numbers of its own, so that it changes nothing upstream.
class RawEventBuilder {
 public:
  RawEventBuilder(const RawEventModel& model, Draws& ut_draws, Draws& scifi_draws)
      : model_(model),
        ut_draws_(ut_draws),
        scifi_draws_(scifi_draws),
        charge_(model.params, model.pixels) {}

  void begin_vertex(const Vector3& place) { vertices_.push_back({0, place.x, place.y, place.z}); }

  /// A charged particle flies through the VELO and, forward, on to UT and SciFi. Returns its
  /// number.
  std::size_t fly(const ChargedParticle& particle, std::optional<std::size_t> /*companion*/,
                  Draws& draws) {
    const auto number = static_cast<std::uint32_t>(particles_.size());
    const double theta = scattering_angle(model_.sensor_scattering, particle);
    Flight flight(particle.origin, particle.momentum);
    for_each_crossing(flight, [&](const Crossing& crossing) {
      if (draws.happens(model_.params.hit_efficiency)) cross(crossing, flight, number, draws);
      if (theta > 0.) {
        const double length = std::sqrt(1. + flight.tx * flight.tx + flight.ty * flight.ty);
        flight.scatter(theta * std::sqrt(length), draws.normal_pair());
      }
      return true;
    });
    fly_on(particle, flight, std::int32_t(vertices_.size()) - 1);
    return number;
  }

  /// Charged particles that something flying along the beam pipe makes in it, on the way to the
  /// UT and inside it: pions and electrons.
  void add_secondary() { add_secondary(800., 2640., ut_draws_); }

  /// The same after the magnet, on the way to the SciFi.
  void add_scifi_secondary() { add_secondary(5000., 7800., scifi_draws_); }

  void add_velo_noise(Draws& draws) {
    const Crossing place = noise_place(draws);
    const int sensor = lhcb::velo_sensors_per_module * place.module + place.sensor;
    const auto point = lhcb::from_velo_sensor(place.module, place.point);
    const Flight flight({point.x, point.y, 0.}, {0., 0., 1.});
    const auto at = model_.pixels.crossing(sensor, flight);
    light_pixel(sensor, model_.pixels.column(at.x), model_.pixels.row(at.y), no_particle);
  }

  void add_ut_noise() {
    const auto below = [&](int n) { return std::uint32_t(ut_draws_.coarse_uniform() * n); };
    const auto sector = below(lhcb::ut_sectors);
    light_strip(sector, below(4 * lhcb::ut_strips_per_sector), no_particle);
  }

  /// In a random mat; the detector must have a SciFi.
  void add_scifi_noise() {
    const auto& mats = model_.scifi_flights->fibres().mats();
    const auto mat = mats[std::size_t(scifi_draws_.coarse_uniform() * double(mats.size()))];
    const double width = lhcb::scifi_mat_sipms * lhcb::scifi_sipm_channels *
                         model_.scifi_flights->fibres().pitch(mat);
    light_fibres({mat, width * scifi_draws_.coarse_uniform(), 0.}, no_particle);
  }

  /// Fills the banks of `raw` and the particles and vertices of `truth`.
  void finish(lhcb::RawEvent& raw, lhcb::McEvent& truth) {
    std::sort(pixels_.begin(), pixels_.end());
    std::vector<std::uint32_t> lit;
    for (const LitPixel& pixel : pixels_)
      if (lit.empty() || lit.back() != pixel.id) lit.push_back(pixel.id);
    raw.vp = VeloBankWriter()(lit);

    std::sort(strips_.begin(), strips_.end());
    const auto same_place = [](const LitStrip& a, const LitStrip& b) { return a.place == b.place; };
    strips_.erase(std::unique(strips_.begin(), strips_.end(), same_place), strips_.end());
    raw.ut = model_.ut_readout.write(strips_);

    assign_hits(owned_clusters(lit), &lhcb::McParticle::velo_ids);
    assign_hits(std::move(ut_hits_), &lhcb::McParticle::ut_ids);
    if (model_.scifi_readout) {
      std::sort(fibres_.begin(), fibres_.end());
      std::vector<OwnedHit> hits;
      raw.scifi = model_.scifi_readout->write(fibres_, hits);
      assign_hits(std::move(hits), &lhcb::McParticle::scifi_ids);
    }
    truth = list_particles(std::move(particles_), std::move(vertices_),
                           model_.scifi_readout.has_value());
  }

 private:
  void add_secondary(double first_z, double last_z, Draws& draws) {
    constexpr double pipe_slope = 0.010, max_angle = 1., min_momentum = 100.;
    const double z = first_z + (last_z - first_z) * draws.coarse_uniform();
    const Pair place = draws.direction();
    const double angle = std::min(model_.params.secondary_angle * draws.exponential(), max_angle);
    const Pair unit = draws.direction();
    const double p = min_momentum + model_.params.secondary_momentum * draws.exponential();
    const auto tilt = trackplex::sincos(angle);
    const double r = pipe_slope * z;
    ChargedParticle particle;
    particle.origin = {r * place.first, r * place.second, z};
    particle.momentum = p * Vector3{tilt.sin * unit.first, tilt.sin * unit.second, tilt.cos};
    particle.species = draws.happens(0.5) ? pion : electron;
    particle.charge = draws.happens(0.5) ? 1 : -1;
    fly_on(particle, Flight(particle.origin, particle.momentum), no_vertex);
  }

  void light_pixel(int sensor, int column, int row, std::uint32_t particle) {
    pixels_.push_back({lhcb::velo_id(sensor, column, row), particle});
  }

  void cross(const Crossing& crossing, const Flight& flight, std::uint32_t particle, Draws& draws) {
    const int sensor = lhcb::velo_sensors_per_module * crossing.module + crossing.sensor;
    charge_.deposit(model_.pixels.crossing(sensor, flight), draws,
                    [&](int column, int row) { light_pixel(sensor, column, row, particle); });
  }

  /// The way after the VELO; the particle is listed.
  void fly_on(const ChargedParticle& particle, const Flight& flight, std::int32_t vertex) {
    constexpr double stations_z = 9400.;
    const auto number = static_cast<std::uint32_t>(particles_.size());
    const bool survives = ut_draws_.happens(model_.params.survival);
    const double from = std::max(flight.z, UtFlights::begin_z);
    const double end_z = survives ? std::numeric_limits<double>::infinity()
                                  : from + (stations_z - from) * ut_draws_.coarse_uniform();
    const auto scattered =
        model_.ut_flights(flight, particle, end_z, ut_draws_, [&](const UtCrossing& crossing) {
          if (ut_draws_.happens(model_.params.ut_efficiency)) cross(crossing, number);
        });
    if (model_.scifi_flights)
      (*model_.scifi_flights)(flight, particle, scattered, end_z, scifi_draws_,
                              [&](const ScifiCrossing& crossing) {
                                if (scifi_draws_.happens(model_.params.scifi_efficiency))
                                  light_fibres(crossing, number);
                              });
    particles_.push_back({describe(particle, number, survives), vertex});
  }

  /// One strip has all the charge, or two that share it tell where the particle went in between,
  /// within a quarter of a strip.
  void cross(const UtCrossing& crossing, std::uint32_t particle) {
    constexpr double inaccuracy = 0.5;  // strips, from end to end
    const double nearest = std::floor(crossing.strip + 0.5);
    double measured = nearest;
    if (std::abs(crossing.strip - nearest) > 0.5 - 0.5 * model_.params.ut_sharing)
      measured = crossing.strip + inaccuracy * (ut_draws_.coarse_uniform() - 0.5);
    constexpr double last = 4. * lhcb::ut_strips_per_sector - 1.;
    const double quarters = std::clamp(std::floor(4. * measured + 0.5), 0., last);
    light_strip(crossing.sector, static_cast<std::uint32_t>(quarters), particle);
  }

  /// `quarters` of a strip from the middle of the sector's first one.
  void light_strip(std::size_t sector, std::uint32_t quarters, std::uint32_t particle) {
    constexpr double high_share = 0.86;
    const bool high = ut_draws_.happens(high_share);
    if (!model_.ut_readout.connected(sector)) return;
    const std::uint32_t strip = quarters / 4;
    strips_.push_back({model_.ut_readout.place(sector, strip), quarters % 4, high});
    if (particle != no_particle)
      ut_hits_.push_back({particle, model_.ut_readout.id(sector, strip)});
  }

  /// Light spreads over a width that grows with the slope, around a place that is not quite that of
  /// the particle; an electron that it sets free may light more.
  void light_fibres(const ScifiCrossing& crossing, std::uint32_t particle) {
    constexpr double seen_thickness = 0.65;  // of a mat, mm
    const RawEventParams& params = model_.params;
    const double middle = crossing.u + params.scifi_smearing * scifi_draws_.normal_pair().first;
    const double half = params.scifi_spread + 0.5 * seen_thickness * std::abs(crossing.slope);
    double low = middle - half, high = middle + half;
    if (scifi_draws_.happens(params.scifi_delta_ray_probability)) {
      const double length = params.scifi_delta_ray_length * scifi_draws_.exponential();
      scifi_draws_.happens(0.5) ? low -= length : high += length;
    }
    const std::uint32_t first = (crossing.mat + 512u) * lhcb::scifi_mat_channels;
    model_.scifi_flights->fibres().for_each_channel(crossing.mat, low, high, [&](int channel) {
      fibres_.push_back({first + std::uint32_t(channel), particle});
    });
  }

  /// Each particle with the clusters that have a pixel which it lit. `lit`: all pixels, ascending.
  std::vector<OwnedHit> owned_clusters(const std::vector<std::uint32_t>& lit) const {
    const std::vector<std::uint32_t> ids = cluster_ids(lit);
    std::vector<OwnedHit> hits;
    std::size_t i = 0;
    for (const LitPixel& pixel : pixels_) {
      while (lit[i] != pixel.id) ++i;
      if (pixel.particle != no_particle) hits.push_back({pixel.particle, ids[i]});
    }
    return hits;
  }

  /// Gives the particles their hits, each once, ascending.
  void assign_hits(std::vector<OwnedHit> hits, std::vector<std::uint32_t> lhcb::McParticle::*ids) {
    std::sort(hits.begin(), hits.end());
    hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
    for (const OwnedHit& hit : hits) (particles_[hit.particle].truth.*ids).push_back(hit.id);
  }

  const RawEventModel& model_;
  Draws& ut_draws_;
  Draws& scifi_draws_;
  PixelCharge charge_;
  std::vector<LitPixel> pixels_;
  std::vector<LitStrip> strips_;
  std::vector<OwnedHit> ut_hits_;
  std::vector<LitFibre> fibres_;
  std::vector<FlownParticle> particles_;
  std::vector<lhcb::McVertex> vertices_;
};

}  // namespace trackplex::simulation::detail
