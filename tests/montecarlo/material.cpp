// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Materials: the published constants, those of a composition, and what follows for an energy.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <limits>
#include <support/refusals.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>

using Catch::Matchers::WithinRel;
using trackplex::UsageError;
using trackplex::test::check_refused;
using namespace trackplex::montecarlo;

TEST_CASE("cross sections of the published materials at 128 keV", "[montecarlo]") {
  struct Row {
    const char* name;
    double screening, mean_free_path, limit;  // mm
  };
  for (const Row& row : {Row{"water", 1.280542578e-4, 4.107028357e-4, 1.375854500e-2},
                         Row{"air", 1.309821503e-4, 3.525077485e-1, 11.80900957},
                         Row{"bone", 1.845853136e-4, 2.191834742e-4, 7.342646386e-3},
                         Row{"tissue", 1.236446220e-4, 4.056486629e-4, 1.358923021e-2},
                         Row{"gold", 1.323518893e-3, 2.892176723e-5, 9.688792023e-4}}) {
    CAPTURE(row.name);
    const auto scattering = screened_rutherford(published_material(row.name), 0.128);
    CHECK_THAT(scattering.screening, WithinRel(row.screening, 6e-10));
    CHECK_THAT(scattering.mean_free_path, WithinRel(row.mean_free_path, 6e-10));
    CHECK_THAT(33.5 * scattering.mean_free_path, WithinRel(row.limit, 6e-10));
    CHECK_THAT(mean_free_paths(scattering, row.limit), WithinRel(33.5, 6e-10));
    CHECK(scattering.kinetic_energy == 0.128);
  }
}

TEST_CASE("constants of materials by composition", "[montecarlo]") {
  const auto water =
      material_of("water", {{1, 1.00794, 2.}, {8, 15.9994, 1.}}, 1., FractionOf::atoms);
  CHECK_THAT(water.b_c, WithinRel(877.8788, 1e-6));
  CHECK_THAT(water.chi_cc_square, WithinRel(0.06619048, 1e-6));
  // the same by mass
  const double mass = 2. * 1.00794 + 15.9994;
  const auto by_mass =
      material_of("water", {{1, 1.00794, 2. * 1.00794 / mass}, {8, 15.9994, 15.9994 / mass}}, 1.);
  CHECK_THAT(by_mass.b_c, WithinRel(water.b_c, 1e-13));
  CHECK_THAT(by_mass.chi_cc_square, WithinRel(water.chi_cc_square, 1e-13));

  const auto gold = material_of("gold", {{79, 196.967, 1.}}, 19.32);
  CHECK_THAT(gold.b_c, WithinRel(12481.155, 1e-6));
  CHECK_THAT(gold.chi_cc_square, WithinRel(9.726435, 1e-6));

  // dry air near sea level: mass fractions of C, N, O, Ar
  const auto air = material_of("air",
                               {{6, 12.0107, 0.000124},
                                {7, 14.0067, 0.755267},
                                {8, 15.9994, 0.231781},
                                {18, 39.948, 0.012827}},
                               1.20479e-3);
  CHECK_THAT(air.b_c, WithinRel(1.0228166, 1e-5));
  CHECK_THAT(air.chi_cc_square, WithinRel(7.888150e-5, 1e-5));

  // both are proportional to the density
  const auto thin = material_of("gold", {{79, 196.967, 1.}}, 1.932);
  CHECK_THAT(thin.b_c, WithinRel(gold.b_c / 10., 1e-14));
  CHECK_THAT(thin.chi_cc_square, WithinRel(gold.chi_cc_square / 10., 1e-14));
}

TEST_CASE("the cross section follows the energy", "[montecarlo]") {
  const auto water = published_material("water");
  for (const double energy : {1e-3, 0.05, 1., 200.}) {
    CAPTURE(energy);
    const auto scattering = screened_rutherford(water, energy);
    constexpr double mass = trackplex::constants::published_simulation::electron_mass;
    const double total = energy + mass;
    const double momentum2 = total * total - mass * mass;
    CHECK_THAT(scattering.screening, WithinRel(0.0661905 / (4. * momentum2 * 877.879), 1e-9));
    CHECK_THAT(
        scattering.mean_free_path,
        WithinRel(momentum2 / (total * total) * (1. + scattering.screening) / 877.879, 1e-9));
  }
}

TEST_CASE("materials and energies that are none", "[montecarlo]") {
  check_refused<UsageError>([] { published_material("wood"); },
                            "known: water, air, bone, tissue, gold");
  check_refused<UsageError>([] { material_of("x", {}, 1.); }, "consists of nothing");
  check_refused<UsageError>([] { material_of("x", {{1, 1., 1.}}, 0.); }, "density");
  check_refused<UsageError>([] { material_of("x", {{0, 1., 1.}}, 1.); }, "Z, A or the fraction");
  check_refused<UsageError>([] { material_of("x", {{119, 300., 1.}}, 1.); }, "no such element");
  check_refused<UsageError>([] { material_of("x", {{1, 0., 1.}}, 1.); }, "Z, A or the fraction");
  check_refused<UsageError>([] { material_of("x", {{1, 1., -1.}}, 1.); }, "Z, A or the fraction");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {nan, infinity}) {
    check_refused<UsageError>([&] { material_of("x", {{1, 1., 1.}}, wrong); }, "density");
    check_refused<UsageError>([&] { material_of("x", {{1, wrong, 1.}}, 1.); }, "Z, A or");
    check_refused<UsageError>([&] { material_of("x", {{1, 1., wrong}}, 1.); }, "Z, A or");
  }
  const auto of_mass = [](double hydrogen, double oxygen) {
    return material_of("water", {{1, 1.008, hydrogen}, {8, 15.999, oxygen}}, 1.);
  };
  check_refused<UsageError>([&] { of_mass(2., 1.); },
                            "material water: the fractions of its mass do not add up to 1 (their "
                            "sum is 3)");
  check_refused<UsageError>([&] { of_mass(0.112, 0.8868); }, "do not add up to 1");
  check_refused<UsageError>([&] { of_mass(0.112, 0.8892); }, "do not add up to 1");
  CHECK_NOTHROW(of_mass(0.112, 0.8885));  // rounded fractions
  CHECK_NOTHROW(of_mass(0.112, 0.8872));
  const auto water = published_material("water");
  for (const double wrong : {0., -1., std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    check_refused<UsageError>([&] { screened_rutherford(water, wrong); }, "kinetic energy");
    check_refused<UsageError>([&] { mean_free_paths(screened_rutherford(water, 1.), wrong); },
                              "length");
  }
  check_refused<UsageError>([] { screened_rutherford({"nothing", 0., 1.}, 1.); }, "constant");
}
