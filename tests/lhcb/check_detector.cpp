// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <limits>
#include <trackplex/lhcb/check_detector.hpp>

#include "lhcb/scifi_reference.hpp"
#include "support/refusals.hpp"
#include "support/small_raw_event.hpp"

using namespace trackplex;
using lhcb::Detector;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

struct Damage {
  std::function<void(Detector&)> apply;
  const char* message;
};

const Damage damages[] = {
    {[](Detector& d) { d.velo.module_z[3] = infinite; }, "module_z[3]: is not finite"},
    {[](Detector& d) { d.velo.module_z[3] = -300.f; },
     "module_z[3]: -300 is not more than -262.5 before it"},
    {[](Detector& d) { d.velo.column_x[767] = d.velo.column_x[766]; }, "column_x[767]"},
    {[](Detector& d) { d.velo.column_pitch[5] = -0.055f; },
     "column_pitch[5]: -0.055 is not positive"},
    {[](Detector& d) { d.velo.transforms[207][0] = not_a_number; },
     "transforms[207]: its matrix is not orthonormal"},
    {[](Detector& d) { d.velo.transforms[9][1] = 0.01f; }, "transforms[9]: its matrix"},
    {[](Detector& d) { d.velo.transforms[9][0] = 0.99f; }, "transforms[9]: its matrix"},
    {[](Detector& d) { d.velo.transforms[9][11] = not_a_number; },
     "transforms[9]: its translation is not finite"},
    {[](Detector& d) { d.ut_boards.strips_per_hybrid.pop_back(); },
     "strips_per_hybrid: has 239 values (240 are expected)"},
    {[](Detector& d) { d.ut_boards.station.push_back(0); }, "station: has 1441 values"},
    {[](Detector& d) { d.ut_boards.layer.pop_back(); }, "layer: has 1439 values"},
    {[](Detector& d) { d.ut_boards.region.pop_back(); }, "region: has 1439 values"},
    {[](Detector& d) { d.ut_boards.sector.pop_back(); }, "sector: has 1439 values"},
    {[](Detector& d) { d.ut_boards.channel.clear(); }, "channel: has 0 values"},
    {[](Detector& d) { d.ut_boards.strips_per_hybrid[4] = 256; },
     "strips_per_hybrid[4]: 256 is neither 0 nor 512"},
    {[](Detector& d) { d.ut_boards.strips_per_hybrid[1] = 0; },
     "hybrid[6]: it is connected, but its board has no strips"},
    {[](Detector& d) { d.ut_boards.station[7] = 3; }, "hybrid[7]: there is no station 3"},
    {[](Detector& d) { d.ut_boards.station[7] = 0; }, "hybrid[7]: there is no station 0"},
    {[](Detector& d) { d.ut_boards.layer[7] = 0xffffffff; },
     "hybrid[7]: there is no layer 4294967295"},
    {[](Detector& d) { d.ut_boards.region[7] = 4; }, "hybrid[7]: there is no region 4"},
    {[](Detector& d) { d.ut_boards.sector[7] = 85; },
     "hybrid[7]: there is no sector 85 in its region"},
    {[](Detector& d) { d.ut_boards.sector[7] = 0; }, "hybrid[7]: there is no sector 0"},
    {[](Detector& d) { ++d.ut_boards.channel[7]; }, "hybrid[7]: its channel 1"},
    {[](Detector& d) {
       auto& boards = d.ut_boards;
       for (auto* numbers : {&boards.sector, &boards.channel}) (*numbers)[7] = (*numbers)[6];
     },
     "hybrid[7]: a hybrid before it is connected to the same sector"},
    {[](Detector& d) { d.ut.first_strip.pop_back(); }, "first_strip: has 1047 values"},
    {[](Detector& d) { d.ut.first_strip[1] = 513; }, "first_strip[1]: 513 is more than 512"},
    {[](Detector& d) { d.ut.pitch[1047] = 0.f; }, "pitch[1047]: 0 is not positive"},
    {[](Detector& d) { d.ut.length[2] = -1.f; }, "length[2]: -1 is not positive"},
    {[](Detector& d) { d.ut.x_per_strip.pop_back(); }, "x_per_strip: has 1047 values"},
    {[](Detector& d) { d.ut.y_per_strip[3] = not_a_number; }, "y_per_strip[3]: is not finite"},
    {[](Detector& d) { d.ut.z_per_strip[3] = not_a_number; }, "z_per_strip[3]: is not finite"},
    {[](Detector& d) { d.ut.x[3] = infinite; }, "detector: x[3]: is not finite"},
    {[](Detector& d) { d.ut.y[3] = -infinite; }, "detector: y[3]: is not finite"},
    {[](Detector& d) { d.ut.z[3] = not_a_number; }, "detector: z[3]: is not finite"},
    {[](Detector& d) { d.ut.cosine[0] = 1.01f; }, "cosine[0]: 1.01 is more than 1"},
    {[](Detector& d) { d.ut.cosine[0] = 0.f; }, "cosine[0]: 0 is not positive"},
    {[](Detector& d) { d.magnet.deflection.pop_back(); }, "deflection: has 123 values"},
    {[](Detector& d) { d.magnet.deflection[1] = 0.f; }, "deflection[1]: 0 is not positive"},
    {[](Detector& d) { d.magnet.bdl.push_back(0.f); }, "bdl: has 3752 values (3751 are expected)"},
    {[](Detector& d) { d.magnet.bdl[8] = not_a_number; }, "bdl[8]: is not finite"},
    {[](Detector& d) { d.beam_y = not_a_number; }, "beam[1]: is not finite"},
    {[](Detector& d) { d.polarity = 0.5f; }, "polarity: 0.5 is neither -1 nor 1"},
    {[](Detector& d) { d.polarity = not_a_number; }, "is neither -1 nor 1"},
};

}  // namespace

TEST_CASE("A detector that is as it should be passes", "[lhcb]") {
  auto detector = test::small_detector();
  CHECK_NOTHROW(lhcb::check_detector(detector));
  detector.polarity = 1.f;
  CHECK_NOTHROW(lhcb::check_detector(detector));
}

TEST_CASE("Faults of a detector are named", "[lhcb]") {
  for (const auto& damage : damages) {
    auto detector = test::small_detector();
    damage.apply(detector);
    test::check_refused([&] { lhcb::check_detector(detector); }, damage.message);
  }
}

TEST_CASE("Faults of the geometry of the SciFi are named", "[lhcb]") {
  for (const bool has_links : {false, true}) {
    CAPTURE(has_links);
    const auto good = test::small_scifi(has_links);
    CHECK_NOTHROW(lhcb::check_scifi_geometry(good, "S"));
    const auto refuses = [&](const auto& change, const char* message) {
      auto bad = good;
      change(bad);
      test::check_refused([&] { lhcb::check_scifi_geometry(bad, "S"); }, message);
    };
    refuses([](auto& g) { g.modules.pop_back(); }, "S: modules: has 47 values (48 are expected)");
    refuses([](auto& g) { g.modules[3] = 9; }, "modules[3]: 9 is more than 8");
    refuses([](auto& g) { g.modules[3] = 6; }, "length[116]: is 0, but its quarter has this mat");
    refuses([](auto& g) { g.length[20] = 1.f; },
            "length[20]: is not 0, but its quarter has no such mat");
    refuses([](auto& g) { g.z.pop_back(); }, "z: has 1535 values");
    refuses([](auto& g) { g.x[7] = not_a_number; }, "x[7]: is not finite");
    refuses([](auto& g) { g.half_pitch[5] = 0.f; }, "half_pitch[5]: 0 is not positive");
    refuses([](auto& g) { g.sipm_pitch[5] = -1.f; }, "sipm_pitch[5]: -1 is not positive");
    refuses([](auto& g) { g.die_gap[5] = -1.f; }, "die_gap[5]: -1 is negative");
    refuses([](auto& g) { g.step_x[5] = 0.9f; }, "step_x[5]: 0.9 is not of a direction");
    refuses([](auto& g) { g.dxdy[130] = -g.dxdy[130]; }, "is not the slope of layer 1");
    refuses([](auto& g) { g.dzdy[5] = 0.1f; }, "dzdy[5]: 0.1 is not the slope");
    if (!has_links) {
      refuses([](auto& g) { g.first_channel.pop_back(); }, "first_channel: has 239 values");
      refuses([](auto& g) { ++g.first_channel[9]; },
              "first_channel[9]: 286721 is not the first channel of a SiPM");
      refuses([](auto& g) { g.first_channel[9] = 0; }, "first_channel[9]: 0 is not");
      refuses([](auto& g) { g.sipms.push_back(0); }, "sipms: has 1 values");
    } else {
      refuses([](auto& g) { g.sources.pop_back(); }, "sources: has 239 values");
      refuses([](auto& g) { g.sipms.pop_back(); }, "sipms: has 5759 values");
      refuses([](auto& g) { g.sources[9] = g.sources[3]; }, "is the source of a bank before it");
      refuses([](auto& g) { g.sources[9] = 0x10000; }, "sources[9]: 65536 has more than 16 bits");
      refuses([](auto& g) { g.sipms[24] = g.sipms[3]; }, "sipms[24]: ");
    }
  }
}
