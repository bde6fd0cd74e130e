# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs on the ranks of two "hosts": python3 test_two_hosts.py LAUNCHER PROGRAM...

The hosts are network namespaces of the test's own, with a pair of virtual Ethernet devices between them and nothing else: ranks
of different hosts talk through TCP, by UCX, which one-sided calls need there. Skipped (status 77) where namespaces are not
allowed, or the launcher is not that of an Open MPI with UCX."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ADDRESSES = ("10.213.7.1", "10.213.7.2")
NETWORK = "10.213.7.0/24"
ARGUMENTS = {
    "coulomb": ("--histories", "30011"),
    "beamline": ("--generate", "20000", "--repeat", "1"),
    "lhcb_velo": ("--generate", "30", "--repeat", "1", "--batch", "4"),
}
AGENT = """#!/bin/sh
# The remote shell of the launcher: all but its first argument, the host, is the command.
shift
exec ip netns exec {namespace} unshare --uts sh -c "hostname {namespace}; $*"
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Hosts:
    """Two network namespaces that see each other, and the launcher in the first."""

    def __init__(self, launcher, folder):
        self.names = [f"trackplex{i}-{os.getpid()}" for i in range(2)]
        self.launcher, self.agent = launcher, folder / "agent"
        self.agent.write_text(AGENT.format(namespace=self.names[1]))
        self.agent.chmod(0o755)

    def __enter__(self):
        try:
            for name in self.names:
                ip("netns", "add", name)
            devices = [f"tpx{i}-{os.getpid()}" for i in range(2)]
            ip("link", "add", devices[0], "type", "veth", "peer", "name", devices[1])
            for name, device, address in zip(self.names, devices, ADDRESSES):
                ip("link", "set", device, "netns", name)
                ip("-n", name, "address", "add", f"{address}/24", "dev", device)
                ip("-n", name, "link", "set", "lo", "up")
                ip("-n", name, "link", "set", device, "up")
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            skip(f"no network namespaces ({error})")
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)

    def run(self, command):
        hosts = ",".join(f"{address}:2" for address in ADDRESSES)
        # Ranks that wait leave the cores, which both hosts have in common, to others
        settings = {"mpi_yield_when_idle": 1, "plm_rsh_agent": self.agent, "plm_rsh_no_tree_spawn": 1,
                    "oob_tcp_if_include": NETWORK, "pml": "ucx", "osc": "ucx", "opal_common_ucx_tls": "any",
                    "opal_common_ucx_devices": "any"}
        words = [word for name, value in settings.items() for word in ("--mca", name, str(value))]
        named = ["unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', self.names[0]]
        return subprocess.run(["ip", "netns", "exec", self.names[0], *named, self.launcher, *words, "--host", hosts, "-n", "4", *command],
                              capture_output=True, text=True, timeout=120, env={**os.environ, "OMP_NUM_THREADS": "1"})


def result_of(run, program, folder):
    """The hash and the number of ranks in the report of a run."""
    file = folder / "report.json"
    file.unlink(missing_ok=True)
    done = run([program, *ARGUMENTS[Path(program).name], "--quiet", "--json", str(file)])
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, done.args))}\nended with {done.returncode}:\n{done.stderr}")
    report = json.loads(file.read_text())
    return report["results"]["hash"], report["ranks"]


def alone(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def main():
    launcher, *programs = sys.argv[1:]
    info = Path(launcher).parent / "ompi_info"
    if not info.exists() or "osc:ucx" not in subprocess.run([info, "--parsable"], capture_output=True, text=True, check=False).stdout:
        skip(f"{launcher} is not that of an Open MPI with UCX")
    if not shutil.which("ip"):
        skip("ip is missing (Debian: iproute2)")
    with tempfile.TemporaryDirectory() as name, Hosts(launcher, Path(name)) as hosts:
        where = hosts.run(["sh", "-c", "ip -o -4 address"])
        if where.returncode != 0 or any(address not in where.stdout for address in ADDRESSES):
            skip(f"the launcher does not start both hosts: {where.stderr.strip()}")
        for program in programs:
            expected, _ = result_of(alone, program, Path(name))
            found, ranks = result_of(hosts.run, program, Path(name))
            if (found, ranks) != (expected, 4):
                sys.exit(f"{program}: {found} on {ranks} ranks of two hosts, {expected} without")
            print(f"{Path(program).name}: {found} on 4 ranks of two hosts, and without")


if __name__ == "__main__":
    main()
