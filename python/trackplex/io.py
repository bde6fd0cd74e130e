# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files: lattices of elegant, MAD-X, PALS and Xsuite, bunches, raw data of LHCb, detectors and events of TrackML and ACTS. Each
function is also in the module of its domain."""

from .beam import MadxFile, parse_elegant, parse_madx, read_bunch, read_elegant, read_madx, read_pals, read_xsuite, write_pals
from .detector import read_acts_detector, read_acts_measurements, read_trackml_detector, read_trackml_event
from .lhcb import read_detector, read_mc_event, read_mdf, read_raw_events, write_mdf

__all__ = [
    "MadxFile", "parse_elegant", "parse_madx", "read_acts_detector", "read_acts_measurements", "read_bunch", "read_detector",
    "read_elegant", "read_madx", "read_mc_event", "read_mdf", "read_pals", "read_raw_events", "read_trackml_detector", "read_trackml_event",
    "read_xsuite", "write_mdf", "write_pals",
]
