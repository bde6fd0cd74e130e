// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/cylinder_event_params.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::simulation::detail {

/// Substreams of the random numbers: of each particle, and of the noise of each layer.
struct CylinderSubstream {
  static constexpr std::uint32_t particle = 0, losses = 1, noise = 2;
};

/// Random numbers of the 2^32 things of an event are streams event * 2^32 to (event + 1) * 2^32.
KOKKOS_FUNCTION constexpr std::uint64_t cylinder_stream(std::uint64_t event,
                                                        std::uint64_t number = 0) {
  return (event << 32) + number;
}

/// The particles of one event, with the hits that they leave.
template <class Real, class Starts, class Charges, class Positions, class Covariances, class Flags>
struct GenerateCylinderEvent {
  CylinderEventParams params;
  std::uint64_t event;
  Starts starts;
  Charges charges;
  Positions positions;
  Covariances covariances;
  Flags present;
  int stride;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Integer = IntegerOf<Real>;
    using Stream = typename RandomStream<Real>::StreamNumber;
    const Stream stream = convert<Stream>(tile.index()) + Stream(cylinder_stream(event));
    CylinderParticle<Real> particle(params.particles, stream);
    RandomStream<Real> losses(params.particles.seed, stream, CylinderSubstream::losses);
    starts.store(tile, particle.parameters());
    tile.store(charges.data(), particle.charge());
    MaskOf<Real> reached = true;
    for (int layer = 0; layer < params.particles.layers; ++layer) {
      const auto advanced = particle.advance(params.field);
      reached = reached && advanced;
      const auto seen = reached && losses.uniform() >= Real(params.inefficiency);
      const auto hit = particle.measure();
      const auto to = kalman::tile_of_layer(tile, layer, stride);
      positions.store(to, hit.position);
      covariances.store(to, hit.covariance);
      to.store(present.data(), select(seen, Integer(1), Integer(0)));
    }
  }
};

/// Memory for one event, where it is made and on the host.
template <class ExecutionSpace>
class CylinderEventMemory {
 public:
  CylinderEventMemory(const ExecutionSpace& exec, const CylinderEventParams& params)
      : exec_(exec), params_(params), stride_(kalman::layer_stride(params.tracks)) {
    const int items =
        kalman::items_on_layers("cylinder events", params.particles.layers, params.tracks);
    starts_.allocate(exec, params.tracks);
    positions_.allocate(exec, items);
    covariances_.allocate(exec, items);
    allocate_array(exec, charges_, "Trackplex::Simulation::charge", std::size_t(params.tracks));
    allocate_array(exec, present_, "Trackplex::Simulation::present", std::size_t(items));
  }

  /// Makes the event and waits for it.
  template <int Width>
  void generate(std::uint64_t event) {
    using Real = LanesOf<double, Width>;
    const auto starts = starts_.view();
    const auto positions = positions_.view();
    const auto covariances = covariances_.view();
    using Functor = GenerateCylinderEvent<Real, std::decay_t<decltype(starts)>, decltype(charges_),
                                          std::decay_t<decltype(positions)>,
                                          std::decay_t<decltype(covariances)>, decltype(present_)>;
    for_each_tile<Real>(
        exec_, "Trackplex::Simulation::cylinder_event", params_.tracks,
        Functor{params_, event, starts, charges_, positions, covariances, present_, stride_});
    host_starts_ = to_host(exec_, starts_);
    host_positions_ = to_host(exec_, positions_);
    host_covariances_ = to_host(exec_, covariances_);
    host_charges_ = to_host(exec_, charges_);
    host_present_ = to_host(exec_, present_);
  }

  tracks::TrueParticle particle(int track) const {
    tracks::TrueParticle particle;
    for (int i = 0; i < 6; ++i) particle.start(i) = host_starts_.const_view()(track, i);
    particle.charge = host_charges_(track) < 0. ? -1 : 1;
    return particle;
  }
  bool present(int layer, int track) const { return host_present_(item(layer, track)) != 0; }
  float z(int layer, int track) const {
    return host_positions_.const_view()(item(layer, track), 2);
  }
  kalman::SpacePoint<float> hit(int layer, int track) const {
    const auto positions = host_positions_.const_view();
    const auto covariances = host_covariances_.const_view();
    const int number = item(layer, track);
    kalman::SpacePoint<float> hit;
    for (int i = 0; i < 3; ++i) hit.position(i) = positions(number, i);
    for (int e = 0; e < 6; ++e) hit.covariance.elements[e] = covariances.element(number, e);
    return hit;
  }

 private:
  using Starts = Matriplex<double, 6, 1, MemoryOf<ExecutionSpace>>;
  using Positions = Matriplex<float, 3, 1, MemoryOf<ExecutionSpace>>;
  using Covariances = SymMatriplex<float, 3, MemoryOf<ExecutionSpace>>;
  using Charges = Kokkos::View<double*, MemoryOf<ExecutionSpace>>;
  using Flags = Kokkos::View<std::uint8_t*, MemoryOf<ExecutionSpace>>;

  int item(int layer, int track) const { return layer * stride_ + track; }

  ExecutionSpace exec_;
  CylinderEventParams params_;
  int stride_;
  Starts starts_{"Trackplex::Simulation::start"};
  Positions positions_{"Trackplex::Simulation::hit_position"};
  Covariances covariances_{"Trackplex::Simulation::hit_covariance"};
  Charges charges_;
  Flags present_;
  typename Starts::HostMirror host_starts_;
  typename Positions::HostMirror host_positions_;
  typename Covariances::HostMirror host_covariances_;
  Kokkos::View<double*, Kokkos::HostSpace> host_charges_;
  Kokkos::View<std::uint8_t*, Kokkos::HostSpace> host_present_;
};

/// The noise of a layer.
inline std::vector<kalman::SpacePoint<float>> cylinder_noise(const CylinderEventParams& params,
                                                             std::uint64_t event, int layer) {
  const auto& p = params.particles;
  RandomStream<double> random(p.seed, cylinder_stream(event, std::uint64_t(layer)),
                              CylinderSubstream::noise);
  const auto n = std::size_t(random.poisson(params.noise_per_layer));
  std::vector<kalman::SpacePoint<float>> noise(n);
  const double half_length = params.noise_half_length(layer);
  for (auto& hit : noise) {
    const auto phi = sincospi(random.uniform(-1., 1.));
    const double z = random.uniform(-half_length, half_length);
    const double r = random.normal(p.radius(layer), p.sigma_r);
    const auto covariance = cylinder_hit_covariance(p, phi.cos, phi.sin);
    hit.position = {{float(r * phi.cos), float(r * phi.sin), float(z)}};
    for (int e = 0; e < 6; ++e) hit.covariance.elements[e] = float(covariance.elements[e]);
  }
  return noise;
}

/// Appends a layer of the event, its hits in the order of z.
template <class ExecutionSpace>
void append_cylinder_layer(const CylinderEventMemory<ExecutionSpace>& memory,
                           const CylinderEventParams& params, std::uint64_t event, int layer,
                           tracks::TrackingEvents& events) {
  const auto noise = cylinder_noise(params, event, layer);
  std::vector<std::pair<float, int>> order;  // z; particle, or particles + number of the noise
  for (int track = 0; track < params.tracks; ++track)
    if (memory.present(layer, track)) order.emplace_back(memory.z(layer, track), track);
  for (std::size_t i = 0; i < noise.size(); ++i)
    order.emplace_back(noise[i].position(2), params.tracks + int(i));
  std::sort(order.begin(), order.end());
  for (const auto& [z, from] : order) {
    const bool is_noise = from >= params.tracks;
    const auto hit = is_noise ? noise[std::size_t(from - params.tracks)] : memory.hit(layer, from);
    std::array<float, 6> covariance;
    for (int e = 0; e < 6; ++e) covariance[std::size_t(e)] = hit.covariance.elements[e];
    events.hits.add(hit.position(0), hit.position(1), z, covariance);
    events.particle_of_hit.push_back(is_noise ? -1 : from);
  }
  events.hits.end_layer();
}

}  // namespace trackplex::simulation::detail
