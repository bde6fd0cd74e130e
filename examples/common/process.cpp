// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/process.hpp>
#include <trackplex/core/error.hpp>

#include <fmt/color.h>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

namespace trackplex::program {

namespace {

void print_message(fmt::terminal_color color, const std::string& message) {
  const bool colours = ::isatty(STDERR_FILENO) && std::getenv("NO_COLOR") == nullptr;
  fmt::print(stderr, colours ? fmt::fg(color) : fmt::text_style(), "{}\n", message);
}

}  // namespace

void print_warning(const std::string& message) {
  print_message(fmt::terminal_color::yellow, message);
}

int print_problem(const std::string& message, ExitStatus status) {
  print_message(fmt::terminal_color::red, message);
  return status;
}

int guarded(const std::string& program, const std::function<int()>& body,
            const std::function<int(const std::string&, ExitStatus)>& fail) {
  const auto report = [&](const std::string& problem, ExitStatus status) {
    return fail(program + ": " + problem, status);
  };
  try {
    return body();
  } catch (const UsageError& error) {
    return report(error.what(), wrong_usage);
  } catch (const InputError& error) {
    return report(error.what(), bad_input);
  } catch (const std::filesystem::filesystem_error& error) {
    // Outputs throw errors of our own: this is a folder that could not be looked into.
    return report(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return report("out of memory", failure);
  } catch (const std::exception& error) {
    return report(error.what(), failure);
  } catch (...) {
    return report("unknown failure", failure);
  }
}

namespace detail {

void open_standard_streams() {
  for (const int descriptor : {0, 1, 2})
    if (::fcntl(descriptor, F_GETFD) == -1)
      ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

void return_large_blocks() {
#if defined(__GLIBC__)
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void check_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (failed)
    throw Error("standard output", "cannot be written", errno ? std::strerror(errno) : "");
}

Child::Child(const std::function<int(int to_parent)>& body) {
  std::fflush(nullptr);
  int ends[2];
  if (::pipe(ends) != 0) throw Error("pipe", std::strerror(errno));
  process_ = ::fork();
  if (process_ < 0) throw Error("fork", std::strerror(errno));
  if (process_ == 0) {
    ::close(ends[0]);
    const int status = body(ends[1]);
    std::fflush(nullptr);
    std::_Exit(status);
  }
  ::close(ends[1]);
  from_child_ = ends[0];
}

std::string Child::result() {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n; (n = ::read(from_child_, buffer, sizeof buffer)) != 0;) {
    if (n > 0)
      text.append(buffer, std::size_t(n));
    else if (errno != EINTR)
      break;
  }
  ::close(from_child_);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error("--threads", "the run with another number of threads failed");
  return text;
}

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const auto n = ::write(descriptor, text.data() + done, text.size() - done);
    if (n > 0)
      done += std::size_t(n);
    else if (errno != EINTR)
      throw Error("pipe", std::strerror(errno));
  }
}

}  // namespace detail

}  // namespace trackplex::program
