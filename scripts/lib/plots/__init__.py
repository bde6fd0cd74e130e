# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots of reports: schema, sources, panels and figures. scripts/plot is the program."""
