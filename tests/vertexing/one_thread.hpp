// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace trackplex::test {

/// Handle of a team of one thread.
struct OneThread {
  int team_size() const { return 1; }
  int team_rank() const { return 0; }
  void team_barrier() const {}
  template <class T>
  T team_scan(T) const {
    return T(0);
  }
  template <class T>
  void team_broadcast(T&, int) const {}
};

}  // namespace trackplex::test
