# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the wrong programs of this folder: check_messages.py <compiler> <flag>...

Each says in its second line what the first error must match. No message may be longer than MAX_LINES.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

MAX_LINES = 40


def check(compiler, source):
    """What is wrong with the compiler's message about a program, or nothing."""
    expected = re.search(r"^// expect: (.+)$", source.read_text(), re.MULTILINE)
    done = subprocess.run([*compiler, "-fsyntax-only", "-fdiagnostics-color=never", source.name], cwd=source.parent,
                          capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"})
    lines = done.stderr.splitlines()
    errors = [line for line in lines if " error: " in line]
    if done.returncode == 0 or not errors:
        return "it compiles"
    if not re.search(expected.group(1), errors[0]):
        return f"the first error is not '{expected.group(1)}': {errors[0]}"
    if len(lines) > MAX_LINES:
        return f"the message has {len(lines)} lines, more than {MAX_LINES}"
    print(f"{source.name}: {len(lines)} lines")
    return ""


def main():
    sources = sorted(Path(__file__).resolve().parent.glob("*.cpp"))
    problems = {source.name: check(sys.argv[1:], source) for source in sources}
    for name, problem in problems.items():
        if problem:
            print(f"{name}: {problem}")
    sys.exit(1 if any(problems.values()) or not sources else 0)


if __name__ == "__main__":
    main()
