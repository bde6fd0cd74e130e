# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""History of benchmarks: measuring, comparing, reporting. scripts/bench is the program."""


class BenchError(Exception):
    """A message, and the exit status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
