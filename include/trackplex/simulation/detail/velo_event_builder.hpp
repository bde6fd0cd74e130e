// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/simulation/detail/charged_particle.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>
#include <trackplex/simulation/detail/velo_noise.hpp>
#include <trackplex/simulation/velo_generator_params.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::simulation::detail {

/// Nearest multiple of 0.001, as the data are written.
inline double rounded(double value) { return std::floor(value * 1000. + 0.5) / 1000.; }

/// Collects the hits and the particles of one event.
class VeloEventBuilder {
 public:
  VeloEventBuilder(const VeloGeneratorParams& params, double scattering)
      : params_(params), scattering_(scattering) {
    hits_.reserve(4096);
    touches_.reserve(4096);
    particles_.reserve(1024);
  }

  /// A charged particle flies through the VELO and leaves hits. Those of a companion that is closer
  /// than a pixel are hits of both. Returns the particle's number.
  std::size_t fly(const ChargedParticle& particle, std::optional<std::size_t> companion,
                  Draws& draws) {
    Tracked tracked{particle, touches_.size(), 0, false};
    const double theta = scattering_angle(scattering_, particle);
    Flight flight(particle.origin, particle.momentum);
    for_each_crossing(flight, [&](const Crossing& crossing) {
      if (draws.happens(params_.hit_efficiency)) touch(crossing, companion, draws);
      if (theta > 0.) {
        const double length = std::sqrt(1. + flight.tx * flight.tx + flight.ty * flight.ty);
        flight.scatter(theta * std::sqrt(length), draws.normal_pair());
      }
      return true;
    });
    tracked.end = touches_.size();
    tracked.survives = draws.happens(params_.survival);
    particles_.push_back(tracked);
    return particles_.size() - 1;
  }

  void begin_vertex(const Vector3&) {}  // nothing is told about vertices

  /// A hit of no particle.
  void add_noise(Draws& draws) {
    const Crossing place = noise_place(draws);
    add_hit(place.module, place.sensor, place.point);
  }

  /// The event, hits ordered by module and sensor; the builder is left empty.
  lhcb::VeloEvent finish() {
    lhcb::VeloEvent event;
    event.has_truth = event.has_kinematics = true;
    const std::vector<std::uint32_t> position = order_hits(event);
    for (std::size_t i = 0; i < particles_.size(); ++i) list(i, position, event);
    return event;
  }

 private:
  struct Hit {
    int sensor;  ///< 4 module + number in the module
    double x, y, z;
  };

  /// A hit and where the particle went through the sensor.
  struct Touch {
    std::uint32_t hit;
    int sensor;
    lhcb::VeloSensorPoint point;
  };

  /// A particle and its touches, [begin, end).
  struct Tracked {
    ChargedParticle particle;
    std::size_t begin;
    std::size_t end;
    bool survives;  ///< to the stations downstream of the magnet
  };

  std::span<const Touch> touches_of(std::size_t number) const {
    const Tracked& tracked = particles_[number];
    return std::span(touches_).subspan(tracked.begin, tracked.end - tracked.begin);
  }

  /// The present particle leaves a hit, or shares that of its companion.
  void touch(const Crossing& crossing, std::optional<std::size_t> companion, Draws& draws) {
    const int sensor = lhcb::velo_sensors_per_module * crossing.module + crossing.sensor;
    const auto [u, v] = crossing.point;
    if (companion) {
      for (const Touch& other : touches_of(*companion)) {
        if (other.sensor == sensor && std::abs(other.point.u - u) < lhcb::velo_pixel_pitch &&
            std::abs(other.point.v - v) < lhcb::velo_pixel_pitch) {
          const std::uint32_t shared = other.hit;
          touches_.push_back({shared, sensor, crossing.point});
          return;
        }
      }
    }
    const double width = std::numbers::sqrt3 * 2. * params_.resolution;  // of a flat distribution
    const double du = width * (draws.coarse_uniform() - 0.5);
    const double dv = width * (draws.coarse_uniform() - 0.5);
    const auto hit = add_hit(crossing.module, crossing.sensor, {u + du, v + dv});
    touches_.push_back({hit, sensor, crossing.point});
  }

  std::uint32_t add_hit(int module, int sensor, const lhcb::VeloSensorPoint& measured) {
    const auto point = lhcb::from_velo_sensor(module, measured);
    const double z = lhcb::velo_module_z[static_cast<std::size_t>(module)] +
                     lhcb::velo_sensors[static_cast<std::size_t>(sensor)].z;
    hits_.push_back({lhcb::velo_sensors_per_module * module + sensor, rounded(point.x),
                     rounded(point.y), rounded(z)});
    return static_cast<std::uint32_t>(hits_.size() - 1);
  }

  /// Puts the hits in the order of their sensors (those of one sensor as they were made) and
  /// returns where each went.
  std::vector<std::uint32_t> order_hits(lhcb::VeloEvent& event) const {
    constexpr std::size_t capacity = std::numeric_limits<std::uint16_t>::max();
    if (hits_.size() > capacity) {
      throw CapacityError("VeloGenerator", "hits of one event", hits_.size(), capacity,
                          "generate fewer primaries or less noise");
    }
    constexpr std::size_t per_module = lhcb::velo_sensors_per_module;
    constexpr std::size_t sensors = per_module * lhcb::velo_modules;
    std::array<std::uint32_t, sensors + 1> next{};
    for (const Hit& hit : hits_) ++next[static_cast<std::size_t>(hit.sensor) + 1];
    for (std::size_t s = 0; s < sensors; ++s) next[s + 1] += next[s];
    for (std::size_t m = 0; m <= lhcb::velo_modules; ++m) {
      event.module_offsets[m] = next[per_module * m];
    }
    for (auto* coordinate : {&event.x, &event.y, &event.z}) coordinate->resize(hits_.size());
    std::vector<std::uint32_t> position(hits_.size());
    for (std::size_t h = 0; h < hits_.size(); ++h) {
      const std::uint32_t to = next[static_cast<std::size_t>(hits_[h].sensor)]++;
      position[h] = to;
      event.x[to] = hits_[h].x;
      event.y[to] = hits_[h].y;
      event.z[to] = hits_[h].z;
    }
    return position;
  }

  /// Adds a particle to the truth if it has hits in enough modules.
  void list(std::size_t number, const std::vector<std::uint32_t>& position,
            lhcb::VeloEvent& event) const {
    int modules = 0;
    int last = -1;
    for (const Touch& touch : touches_of(number)) {  // in the order of flight
      const int module = touch.sensor / lhcb::velo_sensors_per_module;
      modules += module != last ? 1 : 0;
      last = module;
    }
    if (modules < params_.min_modules) return;
    lhcb::VeloParticle particle = describe(number);
    for (const Touch& touch : touches_of(number)) particle.hits.push_back(position[touch.hit]);
    std::sort(particle.hits.begin(), particle.hits.end());
    event.particles.push_back(std::move(particle));
  }

  lhcb::VeloParticle describe(std::size_t number) const {
    const ChargedParticle& truth = particles_[number].particle;
    const Vector3& p = truth.momentum;
    lhcb::VeloParticle particle;
    particle.key = static_cast<std::int64_t>(number);
    particle.pid = truth.charge * truth.species.pid;
    particle.p = rounded(std::sqrt(dot(p, p)));
    particle.pt = rounded(transverse(p));
    particle.eta = rounded(pseudorapidity(p));
    particle.phi = rounded(trackplex::atan2(p.y, p.x));
    particle.charge = truth.charge;
    particle.from_strange = truth.strange;
    particle.from_charm = truth.charm;
    particle.from_beauty = truth.beauty;
    particle.has_ut = reaches(truth, 2485., 764., 669., 35., 0.1);
    particle.has_scifi =
        particles_[number].survives && reaches(truth, 9400., 3186., 2417., 130., 1.);
    particle.is_long = particle.has_scifi;
    particle.is_down = particle.has_scifi && particle.has_ut;
    return particle;
  }

  VeloGeneratorParams params_;
  double scattering_;  ///< angle times beta p, MeV
  std::vector<Hit> hits_;
  std::vector<Touch> touches_;
  std::vector<Tracked> particles_;
};

}  // namespace trackplex::simulation::detail
