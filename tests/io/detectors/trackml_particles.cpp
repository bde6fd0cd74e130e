// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/io/detectors/trackml_particles.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "support/data.hpp"

using namespace trackplex;
using Catch::Matchers::WithinAbs;

TEST_CASE("charged particles of a list", "[io][trackml_particles]") {
  const auto particles = io::parse_trackml_particles(
      "particle_id,vx,vy,vz,px,py,pz,q,nhits\n1,10,20,-30,0.6,0.8,1,-1,5\n2,0,0,0,1,0,0,0,0\n"
      "3,0,0,0,0,2,0,1,7\n",
      "particles.csv");
  REQUIRE(particles.size() == 2);
  CHECK(particles[0].charge == -1);
  CHECK_THAT(particles[0].start(0), WithinAbs(1., 1e-12));
  CHECK_THAT(particles[0].start(2), WithinAbs(-3., 1e-12));
  CHECK_THAT(particles[0].start(3), WithinAbs(1., 1e-12));
  CHECK(particles[1].charge == 1);
  CHECK_THAT(particles[1].start(3), WithinAbs(0.5, 1e-12));
}

TEST_CASE("a damaged list of particles is refused", "[io][trackml_particles]") {
  CHECK_THROWS_AS(io::parse_trackml_particles("particle_id,vx\n1,2\n", "particles.csv"),
                  InputError);
  CHECK_THROWS_AS(io::parse_trackml_particles("particle_id,vx,vy,vz,px,py,pz,q\n1,0,0,0,0,0,1\n",
                                              "particles.csv"),
                  InputError);
}

TEST_CASE("lists of TrackML and ACTS are read", "[io][trackml_particles]") {
  const auto trackml = test::data_or_skip("trackml/event000001001-particles.csv.gz");
  const auto acts = test::data_or_skip("acts-trackml/particles.csv.gz");
  CHECK(io::read_trackml_particles(trackml).size() == 8915);
  CHECK(io::read_trackml_particles(acts).size() == 988);
}
