// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main program of every test executable: Catch2 inside a running Kokkos. The number of host
// threads comes from TRACKPLEX_TEST_THREADS or OMP_NUM_THREADS; without them Kokkos decides.
// TRACKPLEX_TEST_BACKEND names the default backend of HostExecutor, in small letters. Temporary
// files go to a folder of this process, which is removed at its end.

#include <catch2/catch_session.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/host_executor.hpp>

namespace {

int threads_from_environment() {
  for (const char* name : {"TRACKPLEX_TEST_THREADS", "OMP_NUM_THREADS"}) {
    if (const char* value = std::getenv(name)) {
      return std::atoi(value);
    }
  }
  return 0;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "trackplex_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return;
    path_ = name;
    ::setenv("TMPDIR", name.c_str(), 1);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

int main(int argc, char* argv[]) {
  const TemporaryFolder folder;
  trackplex::KokkosScope const kokkos(threads_from_environment());
  if (const char* const backend = std::getenv("TRACKPLEX_TEST_BACKEND"))
    trackplex::HostExecutor::set_default(backend);
  return Catch::Session().run(argc, argv);
}
