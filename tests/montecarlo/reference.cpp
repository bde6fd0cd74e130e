// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions of ends against those of a published code: 1e7 histories in each material.
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <montecarlo/run_transport.hpp>
#include <support/data.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/tables/tally_table.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

using namespace trackplex;
using namespace trackplex::montecarlo;
using namespace trackplex::montecarlo::test;
using namespace trackplex::validation;

namespace {

using Counts = std::vector<std::uint64_t>;

io::TallyTable reference_of(const std::string& precision, const std::string& material,
                            const std::string& quantity) {
  const std::string name = "coulomb/peer_" + precision + "_" + material + "_" + quantity + ".csv";
  return io::read_tally(trackplex::test::reference_or_skip(name), quantity);
}

/// Both distributions of 2e6 histories.
template <class T>
std::map<std::string, Counts> distributions_of(const std::string& material) {
  const auto list = reference_tallies<T>();
  const auto counts = run_transport<T, HostExecutor>({scattering_in(material).screening, 33.5, 8},
                                                     list, {{0, 2000000}});
  std::map<std::string, Counts> result;
  for (const auto& view : tally_views(list, counts)) {
    CHECK(view.underflow() == 0);
    CHECK(view.overflow() == 0);
    result[view.description.name] = Counts(view.bins().begin(), view.bins().end());
  }
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("distributions are those of the published code", "[montecarlo]", float, double) {
  for (const char* material : materials) {
    const auto distributions = distributions_of<TestType>(material);
    for (const char* quantity : {"longitudinal", "transverse"})
      for (const char* precision : {"float", "double"}) {
        CAPTURE(material, quantity, precision);
        const auto reference = reference_of(precision, material, quantity);
        const auto& counts = distributions.at(quantity);
        CHECK(kolmogorov_smirnov(counts, reference.counts).p_value > 1e-3);
        CHECK(chi2_of_two(counts, reference.counts, 21).p_value > 1e-3);
      }
  }
}

TEST_CASE("other distributions are told apart", "[montecarlo]") {
  const auto water = distributions_of<float>("water"), gold = distributions_of<float>("gold");
  for (const char* quantity : {"longitudinal", "transverse"}) {
    CAPTURE(quantity);
    const auto air = reference_of("double", "air", quantity).counts;
    CHECK(kolmogorov_smirnov(water.at(quantity), air).p_value < 1e-6);
    auto shifted = gold.at(quantity);
    std::rotate(shifted.begin(), shifted.end() - 1, shifted.end());
    const auto reference = reference_of("double", "gold", quantity).counts;
    CHECK(kolmogorov_smirnov(shifted, reference).p_value < 1e-6);
    CHECK(chi2_of_two(shifted, reference, 21).p_value < 1e-6);
  }
}
