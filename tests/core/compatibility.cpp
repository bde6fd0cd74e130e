// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <optional>
#include <string>
#include <support/spaces.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/host_executor.hpp>
#include <type_traits>

TEST_CASE("A KokkosScope inside another one leaves Kokkos running", "[compatibility]") {
  REQUIRE(Kokkos::is_initialized());
  { trackplex::KokkosScope const inner(1); }
  CHECK(Kokkos::is_initialized());
}

TEST_CASE("Kokkos starts with the number of threads asked for", "[compatibility]") {
#if defined(KOKKOS_ENABLE_OPENMP)
  const char* threads = std::getenv("OMP_NUM_THREADS");
  if (!threads) {
    SKIP("OMP_NUM_THREADS is not set");
  }
  CHECK(Kokkos::OpenMP().concurrency() == std::atoi(threads));
#else
  SKIP("Kokkos without OpenMP");
#endif
}

namespace {
/// A variable of the environment with another value, as long as the object lives.
class WithVariable {
 public:
  WithVariable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~WithVariable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};
}  // namespace

TEST_CASE("more host threads than Kokkos has places for are refused", "[compatibility]") {
  using trackplex::detail::checked_threads;
  CHECK(checked_threads(3) == 3);
  CHECK_THROWS_AS(checked_threads(trackplex::max_host_threads + 1), trackplex::UsageError);
  const std::string name = GENERATE("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS");
  const WithVariable without("KOKKOS_NUM_THREADS", nullptr);
  {
    const WithVariable most(name.c_str(), name == "OMP_NUM_THREADS" ? "512,4" : "512");
    CHECK(checked_threads(0) == 0);
  }
  const WithVariable more(name.c_str(), "600");
  CHECK_THROWS_WITH(checked_threads(0), Catch::Matchers::StartsWith(name));
  CHECK(checked_threads(2) == 2);
}

TEST_CASE("The default host backend is that of Kokkos, or the one that was set", "[host]") {
  using trackplex::HostExecutor;
  const auto before = HostExecutor::default_name();
  for (const auto& name : HostExecutor::names()) {
    HostExecutor::set_default(name);
    CHECK(HostExecutor().name() == name);
  }
  HostExecutor::set_default(before);
  CHECK_THROWS_WITH(HostExecutor::set_default("abacus"),
                    Catch::Matchers::ContainsSubstring("no host backend \"abacus\""));
  CHECK(HostExecutor().name() == before);
}

TEST_CASE("An instance of Kokkos becomes the host executor of its backend", "[host]") {
  using trackplex::HostExecutor;
  const Kokkos::DefaultHostExecutionSpace instance;
  const HostExecutor exec = instance;
  CHECK(exec.name() == instance.name());
  CHECK(exec.concurrency() == trackplex::concurrency_of(instance));
  const Kokkos::View<long*, Kokkos::HostSpace> values("Trackplex::Test::values", 1000);
  exec.visit([&]<class Space>(const Space& space) {
    CHECK(std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>);
    Kokkos::parallel_for(
        "Trackplex::Test::fill", Kokkos::RangePolicy<Space>(space, 0, 1000),
        KOKKOS_LAMBDA(int i) { values(i) = i; });
    long sum = 0;
    Kokkos::parallel_reduce(
        "Trackplex::Test::sum", Kokkos::RangePolicy<Space>(space, 0, 1000),
        KOKKOS_LAMBDA(int i, long& partial) { partial += values(i); }, sum);
    CHECK(sum == 499500);
  });
}
