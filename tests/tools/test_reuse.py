# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every file of the repository has a copyright and a licence, as REUSE wants them: reuse lint. Exits with 77 where it cannot run."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def reason_to_skip():
    if not shutil.which("reuse"):
        return "reuse is not installed (Debian: reuse)"
    git = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--show-prefix"], capture_output=True, text=True, check=False) \
        if shutil.which("git") else None
    if not git or git.returncode != 0 or git.stdout.strip():
        return "this is no git checkout: files that git ignores would count"
    return None


def main():
    reason = reason_to_skip()
    if reason:
        print(f"skipped: {reason}")
        return 77
    lint = subprocess.run(["reuse", "--root", str(ROOT), "lint"], capture_output=True, text=True, check=False)
    if lint.returncode != 0:
        print(lint.stdout, lint.stderr, sep="\n")
    return lint.returncode


if __name__ == "__main__":
    sys.exit(main())
