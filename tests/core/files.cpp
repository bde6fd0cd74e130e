// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/files.hpp>

#include <support/refusals.hpp>

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <string>

#include <sys/stat.h>

using namespace trackplex;
using test::check_refused;
namespace fs = std::filesystem;

namespace {

/// An empty folder that is removed in the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / "trackplex_files";
  Folder() {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

}  // namespace

TEST_CASE("A file is read to its end", "[files]") {
  const Folder folder;
  std::string bytes("a\0b", 3);
  bytes.append(200000, 'x');
  write_file(folder / "a", bytes);
  CHECK((read_file(folder / "a") == bytes));
  write_file(folder / "a", "");
  CHECK(read_file(folder / "a").empty());
  CHECK(read_file("/dev/null").empty());
}

TEST_CASE("What cannot be read is an input error", "[files]") {
  const Folder folder;
  check_refused<InputError>([&] { read_file(folder / "none"); }, "none: cannot be opened (No such");
  check_refused<InputError>([&] { read_file(folder.path); }, "is a folder");
}

TEST_CASE("What does not end, and files larger than the limit, are not read", "[files]") {
  check_refused<InputError>([] { read_file("/dev/zero"); },
                            "/dev/zero: is too large (at most 256 MiB are read of what tells no");
  const Folder folder;
  write_file(folder / "a", "");
  std::error_code error;
  fs::resize_file(folder / "a", max_file_bytes + 1, error);  // without taking up the disk
  if (!error) check_refused<InputError>([&] { read_file(folder / "a"); }, "a: is too large");
}

TEST_CASE("Where a file cannot be written is known before", "[files]") {
  const Folder folder;
  CHECK_NOTHROW(check_output(folder / "a"));
  CHECK_FALSE(fs::exists(folder / "a"));
  write_file(folder / "a", "old");
  CHECK_NOTHROW(check_output(folder / "a"));
  CHECK(read_file(folder / "a") == "old");
  CHECK_NOTHROW(check_output("/dev/null"));
  check_refused<Error>([&] { check_output(folder.path); }, "it is a folder");
  check_refused<Error>([&] { check_output(folder / "b/"); }, "cannot be written");
  check_refused<Error>([&] { check_output(folder / "none/b"); }, "there is no folder");
  check_refused<Error>([&] { check_output(folder / "a/b"); }, "cannot be written");
  check_refused<Error>([&] { check_output(folder / std::string(300, 'x').c_str()); }, "too long");
  fs::create_symlink("none/b", folder / "link");
  check_refused<Error>([&] { check_output(folder / "link"); }, "there is no folder");
}

TEST_CASE("Where a folder cannot be made is known before", "[files]") {
  const Folder folder;
  CHECK_NOTHROW(check_output_folder(folder / "a/b/c"));
  CHECK_NOTHROW(check_output_folder(folder / "a/"));
  CHECK_NOTHROW(check_output_folder(folder.path));
  CHECK_FALSE(fs::exists(folder / "a"));
  write_file(folder / "file", "");
  check_refused<Error>([&] { check_output_folder(folder / "file/b"); }, "cannot be made");
}

TEST_CASE("A full disk is an error", "[files]") {
  if (!fs::exists("/dev/full")) SKIP("there is no /dev/full");
  CHECK_NOTHROW(check_output("/dev/full"));
  check_refused<Error>([] { write_file("/dev/full", "a"); }, "/dev/full: cannot be written (No");
  check_refused<Error>([] { write_file("/dev/full", std::string(1 << 20, 'a')); }, "(No space");
  check_refused<Error>([] { replace_file("/dev/full", "a"); }, "/dev/full: cannot be written");
}

TEST_CASE("A file is replaced as a whole, where its links lead", "[files]") {
  const Folder folder;
  replace_file(folder / "a", "first");
  fs::create_symlink("a", folder / "link");
  replace_file(folder / "link", "second");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "a") == "second");
  fs::create_symlink("new", folder / "dangling");
  replace_file(folder / "dangling", "third");
  CHECK(read_file(folder / "new") == "third");
  CHECK_FALSE(fs::exists(folder / "a.part"));
}

TEST_CASE("What is no regular file is written to, not replaced", "[files]") {
  const Folder folder;
  fs::create_symlink("/dev/null", folder / "device");
  replace_file(folder / "device", "text");
  CHECK(fs::is_symlink(folder / "device"));
  CHECK(fs::is_character_file(folder / "device"));
  CHECK_FALSE(fs::exists("/dev/null.part"));
}

TEST_CASE("A file that cannot be replaced leaves nothing behind", "[files]") {
  const Folder folder;
  fs::create_directories(folder / "a/b");
  check_refused<Error>([&] { replace_file(folder / "a", "text"); }, "a: cannot be");
  CHECK_FALSE(fs::exists(folder / "a.part"));
  CHECK(fs::is_directory(folder / "a"));
}

TEST_CASE("The file of the standard output is written in order with what is printed", "[files]") {
  const Folder folder;
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  REQUIRE(std::freopen((folder / "out").c_str(), "w", stdout));
  std::fputs("before\n", stdout);
  write_file("/dev/stdout", "file\n");
  write_file(folder / "out", "the same\n");
  std::fputs("after\n", stdout);
  std::fflush(stdout);
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  CHECK(read_file(folder / "out") == "before\nfile\nthe same\nafter\n");
}
