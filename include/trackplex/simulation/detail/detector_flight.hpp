// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/random.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/kalman/material_effects.hpp>
#include <trackplex/kalman/runge_kutta.hpp>
#include <trackplex/simulation/detail/module_index.hpp>
#include <trackplex/simulation/detector_generator_params.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace trackplex::simulation::detail {

/// Distance of a point from the z axis.
inline double transverse(const geometry::Vector3<double>& x) {
  return std::sqrt(x(0) * x(0) + x(1) * x(1));
}

/// Modules and layers of a detector, for flights.
struct FlightDetector {
  /// Plane of a module: points with dot(normal, point) = offset.
  struct Plane {
    geometry::Vector3<double> normal;
    double offset;
  };

  const geometry::DetectorDescription* description;
  std::vector<geometry::Layer> material;  ///< layers with material
  std::vector<Plane> planes;              ///< of the modules
  std::vector<ModuleIndex> index;         ///< of the layers
  geometry::Extent r, z;                  ///< of modules and layers, cm

  FlightDetector(const geometry::DetectorDescription& detector,
                 const DetectorGeneratorParams& params)
      : description(&detector) {
    for (const auto& module : detector.modules) {
      const auto normal = module.frame.normal();
      planes.push_back({normal, geometry::dot(normal, module.frame.centre)});
      for (const auto& corner : geometry::corners_of(module)) add(corner);
    }
    for (const auto& layer : detector.layers) {
      index.emplace_back(detector, layer, 0.5 * params.max_step + 0.01);
      if (layer.radiation_lengths > 0.) material.push_back(layer);
    }
    for (const auto& layer : params.passive_layers)
      if (layer.radiation_lengths > 0.) material.push_back(layer);
  }

  /// Whether a point is outside all modules, and a particle there flies away from them.
  bool is_leaving(const kalman::TrackPoint<double>& at) const {
    const auto &x = at.position, &t = at.direction;
    const double slope = x(0) * t(0) + x(1) * t(1);
    return (x(2) > z.high && t(2) >= 0.) || (x(2) < z.low && t(2) <= 0.) ||
           (slope >= 0. && x(0) * x(0) + x(1) * x(1) > r.high * r.high);
  }

 private:
  void add(const geometry::Vector3<double>& point) {
    r.add(transverse(point) + 0.1);
    z.add(point(2) - 0.1);
    z.add(point(2) + 0.1);
  }
};

/// True hit of a particle.
struct TrueHit {
  std::int32_t module;  ///< number of the module
  double u, v,          ///< in its frame, cm
      z;                ///< in space, cm
};

/// Flight of a particle through a detector.
///
/// It is integrated in steps of the Runge-Kutta-Nystroem method, see kalman/runge_kutta.hpp. A
/// step ends at the first module or layer that it crosses; the crossing is found on the cubic
/// polynomial through the points and directions at the ends of the step.
template <class Field>
class DetectorFlight {
 public:
  using Random = RandomStream<double>;

  DetectorFlight(const FlightDetector& detector, const DetectorGeneratorParams& params,
                 const Field& field)
      : detector_(detector), params_(params), field_(field), material_(params.material) {}

  /// Follows a particle and appends its hits.
  void operator()(const tracks::TrueParticle& particle, Random& random,
                  std::vector<TrueHit>& hits) {
    const auto& start = particle.start;
    if (!(start(kalman::Parameter::inverse_pt) * params_.min_pt <= 1.)) return;
    const auto motion =
        kalman::CentralTrack::motion(start, double(particle.charge == 0 ? 1 : particle.charge));
    at_ = {{start(0), start(1), start(2)}, motion.motion.direction};
    momentum_ = kalman::CentralTrack::momentum(start, 1.);
    charge_ = particle.charge;
    recent_ = {none, none, none, none};
    double path = 0., turn = 0.;
    while (path < params_.max_path && std::abs(turn) < params_.max_turn &&
           momentum_ > params_.min_momentum && !detector_.is_leaving(at_)) {
      const auto before = at_;
      const auto step = next_step();
      at_ = step.end;
      if (step.element != none) {
        remember(step.element);
        if (!cross(step, random, hits)) return;
      }
      path += step.length;
      turn += turned(before.direction, step.end.direction);
    }
  }

 private:
  static constexpr int none = std::numeric_limits<int>::max();

  struct Step {
    kalman::TrackPoint<double> end;
    double length;
    int element;  ///< crossed at the end: a module, or -1 - a layer with material
    double u = 0., v = 0.;
  };

  static double turned(const geometry::Vector3<double>& from, const geometry::Vector3<double>& to) {
    return trackplex::atan2(from(0) * to(1) - from(1) * to(0), from(0) * to(0) + from(1) * to(1));
  }

  double step_length(double lambda, const geometry::Vector3<double>& tesla) const {
    const double rate = std::abs(lambda) * std::sqrt(geometry::dot(tesla, tesla));
    const double limit = std::min(params_.max_step, geometry::step_limit<double>(field_));
    return rate * limit > 0.1 ? 0.1 / rate : limit;
  }

  /// Point at the end of a step in the field.
  kalman::TrackPoint<double> stepped(double h, double lambda,
                                     const geometry::Vector3<double>& tesla) const {
    const auto &r = at_.position, &t = at_.direction;
    const auto field_at = [&](const geometry::Vector3<double>& x) {
      return field_(x(0), x(1), x(2));
    };
    const auto bend = [&](const geometry::Vector3<double>& direction,
                          const geometry::Vector3<double>& b) {
      return lambda * geometry::cross(direction, b);
    };
    using namespace kalman::detail;
    const auto k1 = bend(t, tesla);
    const auto b2 = field_at(advanced(r, 0.5 * h, t, 0.125 * h * h, k1));
    const auto k2 = bend(moved(t, 0.5 * h, k1), b2);
    const auto k3 = bend(moved(t, 0.5 * h, k2), b2);
    const auto k4 = bend(moved(t, h, k3), field_at(advanced(r, h, t, 0.5 * h * h, k3)));
    auto direction = moved(t, h / 6., weighted(k1, k2, k3, k4));
    direction = 1. / std::sqrt(geometry::dot(direction, direction)) * direction;
    return {advanced(r, h, t, h * h / 6., total(k1, k2, k3)), direction};
  }

  /// Point at a fraction of a step.
  static kalman::TrackPoint<double> between(const kalman::TrackPoint<double>& a,
                                            const kalman::TrackPoint<double>& b, double h,
                                            double part) {
    const double s = part, s2 = s * s, s3 = s2 * s;
    kalman::TrackPoint<double> point;
    for (int i = 0; i < 3; ++i) {
      const double rise = b.position(i) - a.position(i);
      const double from = h * a.direction(i), to = h * b.direction(i);
      point.position(i) = a.position(i) + s * from + s2 * (3. * rise - 2. * from - to) +
                          s3 * (from + to - 2. * rise);
      point.direction(i) = a.direction(i) + 2. * s / h * (3. * rise - 2. * from - to) +
                           3. * s2 / h * (from + to - 2. * rise);
    }
    const double norm = 1. / std::sqrt(geometry::dot(point.direction, point.direction));
    point.direction = norm * point.direction;
    return point;
  }

  /// Fraction of a step at which a distance changes sign, by the Illinois method.
  template <class Distance>
  static double part_of_crossing(const kalman::TrackPoint<double>& a,
                                 const kalman::TrackPoint<double>& b, double h, double at_a,
                                 double at_b, const Distance& distance) {
    double low = 0., high = 1., at_low = at_a, at_high = at_b, part = 0.;
    for (int i = 0; i < 20; ++i) {
      part = (low * at_high - high * at_low) / (at_high - at_low);
      const double value = distance(between(a, b, h, part).position);
      if (std::abs(value) < 1e-10 || high - low < 1e-14) break;
      if ((value > 0.) == (at_high > 0.)) {
        high = part;
        at_high = value;
        at_low *= 0.5;
      } else {
        low = part;
        at_low = value;
        at_high *= 0.5;
      }
    }
    return part;
  }

  bool is_recent(int element) const {
    for (const int other : recent_)
      if (other == element) return true;
    return false;
  }
  void remember(int element) {
    std::move(recent_.begin() + 1, recent_.end(), recent_.begin());
    recent_.back() = element;
  }

  /// Next step: in the field as far as allowed, or to the first element that is crossed.
  Step next_step() const {
    const auto tesla = field_(at_.position(0), at_.position(1), at_.position(2));
    const double lambda = kalman::turn_per_tesla(charge_ / momentum_);
    const double h = step_length(lambda, tesla);
    const auto end = stepped(h, lambda, tesla);
    Step step{end, h, none};
    double first = 1.;
    const auto consider = [&](int element, double at_a, double at_b, const auto& distance,
                              const auto& accept) {
      if ((at_a > 0.) == (at_b > 0.)) return;
      const double part = part_of_crossing(at_, end, h, at_a, at_b, distance);
      if (part > first || (part * h < 1e-6 && is_recent(element))) return;
      const auto point = between(at_, end, h, part);
      if (!accept(point.position, step)) return;
      first = part;
      step.end = point;
      step.element = element;
    };
    const auto middle = 0.5 * (at_.position + end.position);
    for (const auto& index : detector_.index)
      for (const int module : index.near(middle)) {
        const auto& plane = detector_.planes[std::size_t(module)];
        const auto distance = [&](const geometry::Vector3<double>& x) {
          return geometry::dot(plane.normal, x) - plane.offset;
        };
        consider(module, distance(at_.position), distance(end.position), distance,
                 [&](const geometry::Vector3<double>& x, Step& to) {
                   return hits_module(module, x, to);
                 });
      }
    const double r_before = transverse(at_.position), r_after = transverse(end.position);
    for (int i = 0; i < int(detector_.material.size()); ++i) {
      const auto& layer = detector_.material[std::size_t(i)];
      const bool is_barrel = layer.kind == geometry::LayerKind::barrel;
      const auto distance = [&](const geometry::Vector3<double>& x) {
        return is_barrel ? transverse(x) - layer.position : layer.distance(x);
      };
      const double before = is_barrel ? r_before - layer.position : distance(at_.position);
      const double after = is_barrel ? r_after - layer.position : distance(end.position);
      consider(-1 - i, before, after, distance,
               [&](const geometry::Vector3<double>& x, const Step&) {
                 const double place = is_barrel ? x(2) : transverse(x);
                 return layer.low <= place && place <= layer.high;
               });
    }
    step.length = first * h;
    return step;
  }

  bool hits_module(int number, const geometry::Vector3<double>& x, Step& step) const {
    const auto& module = detector_.description->modules[std::size_t(number)];
    const auto local = geometry::to_local(module.frame, x);
    if (!module.bounds.contains(local(0), local(1))) return false;
    step.u = local(0);
    step.v = local(1);
    return true;
  }

  /// Effect of an element; false if the particle ends there. The hit of a module is made before.
  bool cross(const Step& step, Random& random, std::vector<TrueHit>& hits) {
    if (step.element >= 0) {
      const auto& module = detector_.description->modules[std::size_t(step.element)];
      if (params_.efficiency >= 1. || random.uniform() < params_.efficiency)
        hits.push_back({step.element, step.u, step.v, at_.position(2)});
      return pass(module.radiation_lengths, detector_.planes[std::size_t(step.element)].normal,
                  random);
    }
    const auto& layer = detector_.material[std::size_t(-1 - step.element)];
    geometry::Vector3<double> normal = layer.kind == geometry::LayerKind::plane
                                           ? layer.normal
                                           : geometry::Vector3<double>{0., 0., 1.};
    if (layer.kind == geometry::LayerKind::barrel) {
      const double per_r = 1. / transverse(at_.position);
      normal = {at_.position(0) * per_r, at_.position(1) * per_r, 0.};
    }
    return pass(layer.radiation_lengths, normal, random);
  }

  bool pass(double radiation_lengths, const geometry::Vector3<double>& normal, Random& random) {
    if (!(radiation_lengths > 0.) || charge_ == 0) return true;
    constexpr double min_cosine = 0.05;  // longer paths leave the module at its side
    const double cosine = std::max(std::abs(geometry::dot(normal, at_.direction)), min_cosine);
    const double path = radiation_lengths / cosine, mass = params_.particle_mass;
    const kalman::Kinematics<double> kinematics(momentum_, mass);
    if (params_.interactions_per_radiation_length > 0. &&
        random.exponential() < path * params_.interactions_per_radiation_length)
      return false;
    if (params_.scattering) {
      const double angle =
          kalman::highland_angle(momentum_, kinematics.beta, double(charge_), path);
      const auto normals = random.normal_pair();
      deflect(angle * normals.first, angle * normals.second);
    }
    const auto loss = kalman::bethe_energy_loss(material_, path * params_.material.radiation_length,
                                                momentum_, mass, double(charge_));
    const double energy = kinematics.energy - params_.energy_loss_factor * loss.mean;
    if (!(energy > mass)) return false;
    momentum_ = std::sqrt(energy * energy - mass * mass);
    return true;
  }

  void deflect(double first, double second) {
    auto& t = at_.direction;
    const int smallest = std::abs(t(0)) < 0.6 ? 0 : std::abs(t(1)) < 0.6 ? 1 : 2;
    geometry::Vector3<double> other{0., 0., 0.};
    other(smallest) = 1.;
    auto a = geometry::cross(t, other);
    a = 1. / std::sqrt(geometry::dot(a, a)) * a;
    const auto b = geometry::cross(t, a);
    t = geometry::add_scaled(geometry::add_scaled(t, first, a), second, b);
    t = 1. / std::sqrt(geometry::dot(t, t)) * t;
  }

  const FlightDetector& detector_;
  const DetectorGeneratorParams& params_;
  const Field& field_;
  kalman::MaterialConstants<double> material_;
  kalman::TrackPoint<double> at_{};
  double momentum_ = 0.;
  int charge_ = 0;
  std::array<int, 4> recent_{};  // elements that were crossed last
};

}  // namespace trackplex::simulation::detail
