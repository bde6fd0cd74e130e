// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/simulation/detail/collisions.hpp>
#include <trackplex/simulation/detail/raw_event_builder.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <trackplex/simulation/raw_event_params.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace trackplex::simulation {

TRACKPLEX_INLINE GeneratedRawEvent RawEventGenerator::operator()(std::uint64_t number) const {
  const RawEventParams& params = model_.params;
  detail::Draws draws(seed_, number);
  detail::Draws ut_draws(~seed_, number);
  constexpr std::uint64_t scifi_key = 1ull << 63;
  detail::Draws scifi_draws(seed_ ^ scifi_key, number);
  detail::RawEventBuilder builder(model_, ut_draws, scifi_draws);
  detail::Collisions(params, builder, draws)();
  const auto repeat = [](unsigned n, const auto& add) {
    for (unsigned i = 0; i < n; ++i) add();
  };
  repeat(draws.poisson(params.mean_velo_noise), [&] { builder.add_velo_noise(draws); });
  repeat(ut_draws.poisson(params.mean_secondaries), [&] { builder.add_secondary(); });
  repeat(ut_draws.poisson(params.mean_ut_noise), [&] { builder.add_ut_noise(); });
  if (model_.scifi_flights) {
    repeat(scifi_draws.poisson(params.mean_scifi_noise), [&] { builder.add_scifi_noise(); });
    repeat(scifi_draws.poisson(params.mean_scifi_secondaries),
           [&] { builder.add_scifi_secondary(); });
  }
  GeneratedRawEvent event;
  builder.finish(event.raw, event.truth);
  event.raw.name = "generated-" + std::to_string(seed_) + "-" + std::to_string(number);
  event.raw.run = static_cast<std::uint32_t>(seed_);
  event.raw.number = number;
  event.truth.name = event.raw.name;
  return event;
}

TRACKPLEX_INLINE const RawEventParams& RawEventGenerator::checked(const RawEventParams& params,
                                                                  const lhcb::Detector& detector) {
  params.check();
  const auto need = [](const char* what, std::size_t size, std::size_t expected) {
    if (size == expected) return;
    throw UsageError("RawEventGenerator",
                     std::to_string(size) + " values of " + what + " in the detector",
                     std::to_string(expected) + " are needed", "use simulation::ideal_detector");
  };
  need("the UT geometry", detector.ut.size(), lhcb::ut_sectors);
  const auto& boards = detector.ut_boards;
  for (const auto* column :
       {&boards.station, &boards.layer, &boards.region, &boards.sector, &boards.channel})
    need("a column of the UT boards", column->size(),
         lhcb::UtBoards::hybrids_per_board * boards.size());
  need("deflection", detector.magnet.deflection.size(),
       lhcb::ut_layers * lhcb::UtMagnetTables::deflection_nodes);
  const auto& nodes = lhcb::UtMagnetTables::bdl_nodes;
  need("the field integral", detector.magnet.bdl.size(), nodes[0] * nodes[1] * nodes[2]);
  if (!detector.scifi) return params;
  need("first channels of SciFi banks", detector.scifi->first_channel.size(), lhcb::scifi_banks);
  need("lengths of SciFi mats", detector.scifi->length.size(), lhcb::scifi_mat_count);
  return params;
}

}  // namespace trackplex::simulation
