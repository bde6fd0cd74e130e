// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The program as a process: exit status, standard streams, messages, and processes of its own.

#include <sys/types.h>

#include <functional>
#include <string>

namespace trackplex::program {

/// Status that a program returns to the shell. An output that cannot be written is a failure,
/// whenever it is found out.
enum ExitStatus : int { success = 0, failure = 1, wrong_usage = 2, bad_input = 3 };

/// Prints a message on stderr, on a terminal in yellow unless NO_COLOR is set.
void print_warning(const std::string& message);

/// Prints a message on stderr, on a terminal in red unless NO_COLOR is set, and returns the status.
int print_problem(const std::string& message, ExitStatus status);

/// Calls `body()` and returns its exit status. An exception becomes the message `program: problem`
/// and the status of its kind: `fail(message, status)`.
int guarded(const std::string& program, const std::function<int()>& body,
            const std::function<int(const std::string&, ExitStatus)>& fail = print_problem);

namespace detail {

/// Keeps the numbers of standard streams that are closed from being given to files: what is printed
/// would go there. Writing to what they are now fails, as it should.
void open_standard_streams();

/// Gives blocks of a megabyte and more pages of their own, which go back to the system when they
/// are freed. By default glibc keeps blocks of up to 32 MB in its heap once one of that size was
/// freed.
void return_large_blocks();

/// Throws where something that was printed did not get out: the disk may be full.
void check_standard_output();

/// A process that has begun before Kokkos did, and says what it found through a pipe.
class Child {
 public:
  explicit Child(const std::function<int(int to_parent)>& body);
  /// Waits for its end.
  /// @throws Error where it failed; it has said why
  std::string result();

 private:
  pid_t process_ = -1;
  int from_child_ = -1;
};

void write_all(int descriptor, const std::string& text);

}  // namespace detail

}  // namespace trackplex::program
