# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files: lattices of elegant and MAD-X, bunches, raw data of LHCb. Each function is also in the module of its domain."""

from .beam import MadxFile, parse_elegant, parse_madx, read_bunch, read_elegant, read_madx
from .lhcb import read_detector, read_mdf, read_raw_events, write_mdf

__all__ = [
    "MadxFile", "parse_elegant", "parse_madx", "read_bunch", "read_detector", "read_elegant", "read_madx", "read_mdf",
    "read_raw_events", "write_mdf",
]
