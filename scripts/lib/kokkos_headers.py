# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the headers of Kokkos are."""

import re
import sys
from pathlib import Path

RECORD = Path(__file__).resolve().parents[2] / "build" / "setup-openmp.env"


def kokkos_include():
    """The folder of headers of the Kokkos that scripts/setup recorded for the preset openmp."""
    found = re.search(r"^TRACKPLEX_KOKKOS_DIR='(.+)'$", RECORD.read_text(), re.M) if RECORD.is_file() else None
    if not found:
        sys.exit(f"error: no Kokkos ({RECORD} does not name one) run scripts/setup, or give --kokkos")
    return Path(found.group(1)).parents[2] / "include"
