// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample.hpp"

#include <trackplex/core/files.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/kalman/propagation.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>

namespace trackplex::benchmarks {

namespace {

/// The numbers after the name of a line; exactly as many as the record has.
template <std::size_t N>
std::array<double, N> numbers_of(std::string_view line, const std::string& file, std::size_t row) {
  std::array<double, N> numbers{};
  std::size_t n = 0, comma = line.find(',');
  while (comma != std::string_view::npos) {
    const auto next = line.find(',', comma + 1);
    const auto cell = line.substr(comma + 1, next - comma - 1);
    double value = 0.;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
      throw InputError({.file = file, .field = "line", .index = row},
                       "'" + std::string(cell) + "' is not a number");
    if (n < N) numbers[n] = value;
    ++n;
    comma = next;
  }
  if (n != N)
    throw InputError({.file = file, .field = "line", .index = row},
                     std::to_string(n) + " numbers instead of " + std::to_string(N));
  return numbers;
}

}  // namespace

SampleTrack read_sample(const std::filesystem::path& file) {
  std::istringstream stream(read_file(file));
  SampleTrack sample{};
  bool has_track = false;
  std::string line;
  for (std::size_t row = 1; std::getline(stream, line); ++row) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("track,")) {
      sample.track = numbers_of<track_components>(line, file.string(), row);
      has_track = true;
    } else if (line.starts_with("hit")) {
      sample.hits.push_back(numbers_of<hit_components>(line, file.string(), row));
    } else {
      throw InputError({.file = file.string(), .field = "line", .index = row},
                       "neither a track nor a hit");
    }
  }
  if (!has_track || sample.hits.empty())
    throw InputError({.file = file.string()}, "a track and its hits are missing");
  std::reverse(sample.hits.begin(), sample.hits.end());
  return sample;
}

SampleTrack generate_sample(Surfaces surfaces, int layers, std::uint64_t seed) {
  constexpr double tesla = 3.8112;
  const kalman::UniformField field{tesla};
  RandomStream<double> random(seed, 0x70327a, 0);
  const auto normal = [&] { return random.normal(); };
  const bool planes = surfaces == Surfaces::planes;

  // at the outermost layer, flying outwards
  kalman::TrackState<double> state{};
  for (auto& element : state.covariance.elements) element = 0.;
  if (planes) {
    state.parameters = {{20., 86., -271.75, 0.084, 1.384, 2.821}};
    state.charge = -1.;
  } else {
    state.parameters = {{-102.9, -36.7, 38.2, 0.22, -2.936, 1.272}};
    state.charge = 1.;
  }
  constexpr std::array<double, 6> sigma = {0.01, 0.01, 0.02, 1e-3, 3e-4, 3e-4};
  SampleTrack sample{};
  for (std::size_t i = 0; i < sigma.size(); ++i) {
    sample.track[i] = state.parameters(int(i)) + 0.1 * sigma[i] * normal();
    const auto diagonal = std::size_t(covariance_begin) + i * (i + 3) / 2;
    sample.track[diagonal] = sigma[i] * sigma[i];
  }
  sample.track[charge_component] = state.charge;

  constexpr double error = 0.01;  // cm
  const double begin = planes ? -271.75 : 109.3, end = planes ? -80. : 7.;
  for (int layer = 0; layer < layers; ++layer) {
    const double part = layers > 1 ? double(layer) / double(layers - 1) : 0.;
    const double at = begin + part * (end - begin);
    const auto reached = planes ? kalman::propagate(state, field, kalman::ZPlane<double>{at})
                                : kalman::propagate(state, field, kalman::Cylinder<double>{at});
    if (!reached) throw Error("generated track", "layer " + std::to_string(layer) + " is missed");
    const auto& x = state.parameters;
    std::array<double, hit_components> hit{};
    const double tangent = planes ? 0. : error * normal() / at;  // along the circle of a cylinder
    hit[0] = x(0) - tangent * x(1) + (planes ? error * normal() : 0.);
    hit[1] = x(1) + tangent * x(0) + (planes ? error * normal() : 0.);
    hit[2] = x(2) + (planes ? 0. : error * normal());
    hit[3] = hit[5] = hit[8] = error * error;
    sample.hits.push_back(hit);
  }
  return sample;
}

}  // namespace trackplex::benchmarks
