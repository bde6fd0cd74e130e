// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/lhcb/detail/mc_particle.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>

#include "support/refusals.hpp"
#include "support/small_raw_event.hpp"

using namespace trackplex;
using namespace trackplex::io;
using test::check_refused;
using test::with_number;

namespace {

std::vector<lhcb::McParticle> small_particles() { return test::small_mc_event().particles; }

/// What a file of this form keeps of the particles.
std::vector<lhcb::McParticle> as_in(McForm form, std::vector<lhcb::McParticle> particles) {
  const bool in_mdf = form == McForm::mdf_v1 || form == McForm::mdf_v2;
  for (auto& q : particles) {
    if (form != McForm::mdf_v2) q.from_signal = false;
    if (!in_mdf) q.mother_pid = 0;
    if (form == McForm::early_2018) {
      q.phi = 0.f;
      q.n_vertices = 0;
    }
    if (in_mdf || form == McForm::full_2020) continue;
    q.origin_x = q.origin_y = q.origin_z = 0.f;
    q.mother_key = 0;
    q.origin_mother_key = q.origin_mother_pid = 0;
    q.origin_mother_pt = q.origin_mother_tau = q.charge = 0.f;
  }
  return particles;
}

}  // namespace

TEST_CASE("Particles survive a file of each form, which is told from the others", "[io]") {
  for (const auto form : mc_forms) {
    INFO(mc_form_name(form));
    const auto bytes = mc_particles_bytes(small_particles(), form);
    for (const auto& list :
         {parse_mc_particles(bytes, "f"), parse_mc_particles(bytes, "f", form)}) {
      CHECK(list.form == form);
      CHECK(list.particles == as_in(form, small_particles()));
      CHECK(list.without_hits == 0);
    }
    for (const auto other : mc_forms)
      if (other != form) CHECK_THROWS_AS(parse_mc_particles(bytes, "f", other), InputError);
  }
}

TEST_CASE("A particle has as many bytes as the form says", "[io]") {
  const auto bytes = [](McForm form) { return io::detail::mc_particle_bytes(form); };
  CHECK(bytes(McForm::short_2019) == 36 + 3 * 4);
  CHECK(bytes(McForm::early_2018) == 28 + 3 * 4);
  CHECK(bytes(McForm::full_2020) == 72 + 3 * 4);
  CHECK(bytes(McForm::mdf_v1) == 76 + 3 * 4);
  CHECK(bytes(McForm::mdf_v2) == 77 + 3 * 4);
  CHECK(mc_particles_bytes(small_particles()).size() == 4 + 2 * 84 + 4 * (2 + 1 + 3 + 1));
}

TEST_CASE("Particles without hits are left out, and counted", "[io]") {
  auto particles = small_particles();
  particles.insert(particles.begin() + 1, lhcb::McParticle{});
  const auto list = parse_mc_particles(mc_particles_bytes(particles), "f");
  CHECK(list.particles == as_in(McForm::full_2020, small_particles()));
  CHECK(list.without_hits == 1);
  CHECK(parse_mc_particles(mc_particles_bytes({}), "f").particles.empty());
}

TEST_CASE("Files of particles that are cut off or changed are refused", "[io]") {
  for (const auto form : mc_forms) {
    const auto bytes = mc_particles_bytes(small_particles(), form);
    const auto parse = [&](const std::string& text) { parse_mc_particles(text, "f"); };
    test::check_cut_off_anywhere(bytes, parse);
    test::check_changed_anywhere(bytes, parse, 5000);
    check_refused([&] { parse(bytes + "x"); }, "1 bytes follow the last particle");
  }
}

TEST_CASE("Damaged files of particles are refused with their place", "[io]") {
  const auto good = mc_particles_bytes(small_particles());
  const auto parse = [](const std::string& bytes) { parse_mc_particles(bytes, "MC.bin"); };
  const auto parse_2020 = [](const std::string& bytes) {
    parse_mc_particles(bytes, "MC.bin", McForm::full_2020);
  };
  for (const int n : {-1, 1 << 30, 3, 1})
    CHECK_THROWS_AS(parse(with_number(good, 0, n)), InputError);
  check_refused([&] { parse_2020(with_number(good, 0, 1 << 30)); },
                "MC.bin: form full_2020: particles, byte 0: their number is 1073741824");
  check_refused([&] { parse_2020(with_number(good, 4 + 36, '\2')); },
                "MC.bin: form full_2020: particles[0], byte 40: a flag of it is 2");
  check_refused([&] { parse_2020(with_number(good, 12, std::numeric_limits<float>::infinity())); },
                "particles[0], byte 12: a number of it is not finite");
  check_refused([&] { parse_2020(with_number(good, 76, 1000000)); },
                "hits of a particle, byte 76: their number is 1000000");
  check_refused([&] { parse(""); }, "the file ends too early");
}

/// One particle with one UT hit in the form of 2019, with three in that of 2018.
TEST_CASE("A file of particles that has two forms is refused unless one is given", "[io]") {
  io::detail::ByteWriter out;
  out.append_count(1);
  out.append_all(test::Words{1, 2, 3, 4, 5});  // key, code, p, pt, eta
  out.append_all(test::Words{0, 0, 0});        // 2019: phi, flags; 2018: flags, no VELO hits
  out.append_all(test::Words{3, 0, 1, 7});     // 2019: 3 vertices, no VELO hits, 1 UT hit
  out.append(0u);                              // no SciFi hits
  const auto bytes = out.take();
  CHECK(parse_mc_particles(bytes, "f", McForm::early_2018).particles.at(0).ut_ids.size() == 3);
  CHECK(parse_mc_particles(bytes, "f", McForm::short_2019).particles.at(0).ut_ids.size() == 1);
  check_refused([&] { parse_mc_particles(bytes, "f"); },
                "f: its particles can be read in two forms (short_2019 and early_2018)");
}

TEST_CASE("Vertices survive a file, and damaged ones are refused", "[io]") {
  const auto vertices = test::small_mc_event().vertices;
  const auto good = mc_vertices_bytes(vertices);
  const auto parse = [](const std::string& bytes) { return parse_mc_vertices(bytes, "PV.bin"); };
  CHECK(parse(good) == vertices);
  CHECK(good.size() == 4 + 2 * 28);
  test::check_cut_off_anywhere(good, parse);
  test::check_changed_anywhere(good, parse, 5000);
  check_refused([&] { parse(good + "x"); }, "PV.bin, byte 60: 1 bytes follow the last vertex");
  check_refused([&] { parse(with_number(good, 0, -2)); }, "PV.bin: vertices, byte 0");
  check_refused([&] { parse(with_number(good, 36, std::numeric_limits<double>::quiet_NaN())); },
                "PV.bin: vertices[1], byte 32: its position is not finite");
}

TEST_CASE("The truth of an event survives a folder", "[io]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_mc_truth";
  std::filesystem::remove_all(folder);
  const auto event = test::small_mc_event();
  write_mc_event(folder, "7_9", event);
  const auto again = read_mc_event(folder, "7_9");
  std::filesystem::remove_all(folder);
  CHECK(again.name == (folder / "7_9").string());
  CHECK(again.particles == as_in(McForm::full_2020, event.particles));
  CHECK(again.vertices == event.vertices);
  check_refused([&] { read_mc_event(folder, "7_9"); }, "7_9.bin: cannot be opened");
}

TEST_CASE("Identifiers of other years become those of 2020, or are refused", "[io]") {
  const auto read = [](std::uint32_t velo, std::uint32_t ut) {
    auto particles = small_particles();
    particles[0].velo_ids[1] = velo;
    particles[0].ut_ids[0] = ut;
    return parse_mc_particles(mc_particles_bytes(particles), "f").particles.at(0);
  };
  CHECK(read(0x81b808ee, 0xb12cc467).velo_ids[1] == 0x81b808ee);
  CHECK(read(0x21b808ee, 0xb12cc467).velo_ids[1] == 0x81b808ee);
  CHECK(read(0x2db808ee, 0xb12cc467).velo_ids[1] == 0x81b808ee);  // with bits of fractions
  CHECK(read(0x81b808ee, 0x012cc467).ut_ids[0] == 0xb12cc467);
  check_refused([&] { read(0x81b808ee, 0x312cc467); },
                "f: particles[0]: a UT hit of it has an identifier of 2023 (tag 3)");
  check_refused([&] { read(0x91b808ee, 0xb12cc467); }, "a VELO hit of it has the tag 9");
  check_refused([&] { read(0x81b808ee, 0xa12cc467); }, "a UT hit of it has the tag 10");
}

TEST_CASE("Particles with a momentum below 0 are refused", "[io]") {
  auto particles = small_particles();
  particles[1].pt = -1.f;
  check_refused([&] { parse_mc_particles(mc_particles_bytes(particles), "f", McForm::full_2020); },
                "particles[1], byte ");
}
