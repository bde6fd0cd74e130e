// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/counted.hpp>  // first, so the kernel finds its functions

#include <trackplex/kalman/update.hpp>
#include <trackplex/perfmodel/decision.hpp>
#include <trackplex/perfmodel/device_library.hpp>

#include <cstdio>

using namespace trackplex;

/// The Kalman update of a track with a point on a cylinder, on any number type.
template <class Real>
void update_once() {
  kalman::TrackState<Real> state{};
  kalman::SpacePoint<Real> hit{};
  state.parameters(0) = hit.position(0) = Real(12);
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = Real(1);
  for (int i = 0; i < 3; ++i) hit.covariance(i, i) = Real(1);
  (void)kalman::update(state, kalman::measure_on_cylinder(hit, state.parameters));
}

int main() {
  perfmodel::Application application;
  application.name = "Kalman updates";
  application.items = 1e8;
  application.loops = {perfmodel::Loop{
      .name = "hits of a track",
      .trip_count = {.fixed = 4., .poisson = 6.},  // 10 on average, at least 4
      .operations = perfmodel::operations_of(count_operations(update_once<Counted<float>>))}};
  application.streams = {{.name = "hits", .bytes_per_item = 10. * 9. * sizeof(float)}};

  const auto devices = perfmodel::device_library();
  std::vector<perfmodel::Forecast> forecasts;
  for (const char* name : {"EPYC 7763", "H200"}) {
    const auto f = perfmodel::forecast(application, perfmodel::device_named(devices, name),
                                       {.with_start = true});
    std::printf("%s: %.0f ms (%.0f to %.0f), lanes busy %.2f, dominated by: %s\n", name,
                1e3 * f.expected.total, 1e3 * f.best.total, 1e3 * f.worst.total, f.efficiency,
                f.expected.dominant());
    forecasts.push_back(f);
  }
  for (const auto& step : perfmodel::decide(application, forecasts).steps)
    std::printf("%s\n", step.c_str());
}
