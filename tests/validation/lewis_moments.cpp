// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact moments against their formulas in 120 digits, and what pulls say.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <limits>
#include <support/refusals.hpp>
#include <trackplex/montecarlo/material.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>
#include <trackplex/validation/lewis_moments.hpp>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using namespace trackplex;
using namespace trackplex::validation;

namespace {

struct Exact {
  double screening, mean_free_paths;
  double moments[7];  // g1, g2, z, z2, r2, cosine, cosine2
};

constexpr Exact exact[] = {
    {1e-12,
     1e-9,
     {5.3262042231914357e-11, 1.5378612669606264e-10, 1.0, 1.0, 3.4174694821347256e-20, 1.0, 1.0}},
    {1e-12,
     1e6,
     {5.3262042231914357e-11, 1.5378612669606264e-10, 0.99997336945168527, 0.99994807329639533,
      3.4172925928604556e-5, 0.99994673937616547, 0.99989748379852278}},
    {1e-6,
     1000,
     {2.5631050746950663e-5, 7.0893306027156471e-5, 0.98729326840405453, 0.97613104128426295,
      0.015379741585783723, 0.9746946361354129, 0.95437418586620046}},
    {1.280542578e-4,
     1e-3,
     {0.0020397333268888478, 0.0053524416130902515, 0.99999898013402997, 0.99999813065996629,
      1.1894292714568364e-6, 0.99999796026875337, 0.9999964317151408}},
    {1.280542578e-4,
     33.5,
     {0.0020397333268888478, 0.0053524416130902515, 0.9665995418832864, 0.9401328865963188,
      0.037473928329488491, 0.93395122247228313, 0.89056628429048378}},
    {1.323518893e-3,
     33.5,
     {0.014922826997749444, 0.036945871496059284, 0.78696945742404209, 0.66968727492611767,
      0.18258028468148603, 0.60658239630066714, 0.52670295117532038}},
    {1.323518893e-3,
     1e5,
     {0.014922826997749444, 0.036945871496059284, 0.00067011431557225247, 0.00044668534467749826,
      0.00089264518007513694, 0, 0.33333333333333333}},
    {0.01,
     0.7,
     {0.073225434440193442, 0.16406982938699193, 0.97480343736237349, 0.95864150824017182,
      0.024489278419002455, 0.95003371636374242, 0.9276672378854908}},
    {0.3,
     1.9,
     {0.54374291365887309, 0.80996598556259085, 0.62345848496606317, 0.54114081896717908,
      0.18780567312093754, 0.3558978469944916, 0.47640630597636136}},
    {1.9999,
     2.1,
     {0.86557583196582399, 0.98371813398818033, 0.46080123319577687, 0.40234686404632101,
      0.19092597940330612, 0.16239733733194428, 0.41781056830939421}},
    {2,
     1e-7,
     {0.86558129729797258, 0.98371945946958876, 0.99999995672093638, 0.99999994928685929,
      2.1860431421994699e-8, 0.99999991344187402, 0.99999993441870593}},
    {2,
     2.5,
     {0.86558129729797258, 0.98371945946958876, 0.40903373952691137, 0.34990196949852342,
      0.19628937018764456, 0.11487011275413762, 0.39032992793389391}},
    {50,
     1.7,
     {0.99339921051653643, 0.99996078651053912, 0.48274827080454356, 0.43873402518594223,
      0.17384089904405031, 0.18474502313772362, 0.45513046845201219}},
    {50,
     3,
     {0.99339921051653643, 0.99996078651053912, 0.31850813964848712, 0.27166332801272726,
      0.18568342854929207, 0.050782796590306469, 0.36652861712428549}},
    {1e6,
     2.1,
     {0.99999966666683333, 0.9999999999999, 0.41787798978189416, 0.37236991796734111,
      0.18203218132670037, 0.12245651397246882, 0.41497095216867174}},
    {1e9,
     1e-5,
     {0.99999999966666667, 1.0, 0.99999500001666829, 0.99999444446388995, 2.2222111111444464e-6,
      0.99999000005000317, 0.99999333336666656}},
    {1e9,
     40,
     {0.99999999966666667, 1.0, 0.025000000008333333, 0.017083333338888889, 0.031666666676944445,
      4.2483543119363127e-18, 0.33333333333333334}},
};

}  // namespace

TEST_CASE("Lewis moments keep their digits for any screening and limit", "[validation]") {
  for (const auto& row : exact) {
    CAPTURE(row.screening, row.mean_free_paths);
    const auto m = lewis_moments(row.screening, row.mean_free_paths);
    const double found[] = {m.g1, m.g2, m.z, m.z2, m.r2, m.cosine, m.cosine2};
    for (int i = 0; i < 7; ++i) {
      CAPTURE(i);
      if (row.moments[i] < 1e-300) continue;  // e^-a of large a
      CHECK_THAT(
          found[i],
          WithinRel(row.moments[i], 1e-13 * std::max(1., i < 5 ? 0. : m.g2 * row.mean_free_paths)));
    }
    CHECK(m.scatterings == row.mean_free_paths);
  }
}

TEST_CASE("Lewis moments are continuous where their formulas change", "[validation]") {
  const auto near = [](const LewisMoments& a, const LewisMoments& b) {
    CHECK_THAT(a.g1, WithinRel(b.g1, 1e-13));
    CHECK_THAT(a.g2, WithinRel(b.g2, 1e-13));
    CHECK_THAT(a.z, WithinRel(b.z, 1e-13));
    CHECK_THAT(a.z2, WithinRel(b.z2, 1e-13));
    CHECK_THAT(a.r2, WithinRel(b.r2, 1e-13));
  };
  near(lewis_moments(std::nextafter(2., 0.), 3.), lewis_moments(2., 3.));
  for (const double a : {1e-3, 0.1, 5., 1e8}) {
    const double change = 2. / lewis_moments(a, 1.).g2;
    CAPTURE(a);
    near(lewis_moments(a, change * (1. - 1e-14)), lewis_moments(a, change * (1. + 1e-14)));
  }
}

TEST_CASE("Lewis moments are those of the published materials", "[validation]") {
  struct Row {
    const char* material;
    double z, z2, r2, cosine, cosine2;
  };
  for (const Row& row :
       {Row{"water", 0.966599542, 0.940132887, 0.037473928, 0.933951222, 0.890566284},
        Row{"air", 0.965948032, 0.939006418, 0.038161038, 0.932678005, 0.888615861},
        Row{"bone", 0.954447821, 0.919335838, 0.050059710, 0.910300439, 0.855165486},
        Row{"tissue", 0.967585936, 0.941840920, 0.036430900, 0.935880005, 0.893530915},
        Row{"gold", 0.786969457, 0.669687275, 0.182580285, 0.606582396, 0.526702951}}) {
    CAPTURE(row.material);
    const auto scattering =
        montecarlo::screened_rutherford(montecarlo::published_material(row.material), 0.128);
    const auto m = lewis_moments(scattering.screening, 33.5);
    CHECK_THAT(m.z, WithinAbs(row.z, 6e-10));
    CHECK_THAT(m.z2, WithinAbs(row.z2, 6e-10));
    CHECK_THAT(m.r2, WithinAbs(row.r2, 6e-10));
    CHECK_THAT(m.cosine, WithinAbs(row.cosine, 6e-10));
    CHECK_THAT(m.cosine2, WithinAbs(row.cosine2, 6e-10));
  }
}

TEST_CASE("Lewis moments need a screening and a limit", "[validation]") {
  for (const double wrong : {0., -1., std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    test::check_refused<UsageError>([&] { lewis_moments(wrong, 33.5); }, "not above 0");
    test::check_refused<UsageError>([&] { lewis_moments(1e-3, wrong); }, "not above 0");
  }
}

TEST_CASE("Pulls of moments", "[validation]") {
  // two histories: z of 1/2 and 3/4, all else alike
  montecarlo::MomentSums sums;
  test::check_refused<UsageError>([&] { lewis_pulls(sums, 1e-3, 1.); }, "too few");
  for (const double z : {0.5, 0.75})
    montecarlo::add_moments(
        montecarlo::End<double>{0., 0., z, {0., 0., 1.}, 3},
        [&](montecarlo::Moment moment, std::int64_t value) { sums.sums[int(moment)] += value; });
  sums.histories = 2;
  const auto pulls = lewis_pulls(sums, 1e-3, 1.);
  REQUIRE(pulls.size() == 6);
  CHECK(pulls[0].name == "z");
  CHECK(pulls[0].measured.value == 0.625);
  CHECK(pulls[0].measured.error == 0.125);
  CHECK_THAT(pulls[0].pull(), WithinRel((0.625 - lewis_moments(1e-3, 1.).z) / 0.125, 1e-14));
  CHECK(pulls[2].name == "r2");
  CHECK(pulls[2].pull() == -std::numeric_limits<double>::infinity());  // 0 without an error
  CHECK(pulls[5].name == "scatterings");
  CHECK(pulls[5].measured.value == 3.);
  CHECK(pulls[5].exact == 1.);
  CHECK((LewisPull{"z", {1., 0.}, 1. - 1e-11}.pull()) == 0.);
}
