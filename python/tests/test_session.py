# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Start and end of Kokkos, in processes of their own."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

INHERITED = {
    name: value for name, value in os.environ.items()
    if name not in ("KOKKOS_NUM_THREADS", "OMP_NUM_THREADS", "TRACKPLEX_BACKEND")}


def run(code, **environment):
    """Runs a program; returns what it prints. Fails if it does, or if it writes to stderr."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120,
        env={**INHERITED, "OMP_WAIT_POLICY": "passive", **environment})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.strip()


def test_nothing_starts_before_the_first_use():
    assert run("""
        import trackplex
        print(trackplex.is_running())
        trackplex.beam.Line([trackplex.beam.Drift("d", length=1.0)])
        print(trackplex.is_running())
        trackplex.beam.generate_bunch(particles=10)
        print(trackplex.is_running())
    """).split() == ["False", "False", "True"]


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_by_argument_and_environment(threads):
    assert run(f"import trackplex; trackplex.start(threads={threads}, backend='openmp'); print(trackplex.threads())") == str(threads)
    assert run("import trackplex; print(trackplex.threads())", OMP_NUM_THREADS=str(threads)) == str(threads)


def test_backend_by_argument_and_environment():
    assert run("import trackplex; trackplex.start(backend='serial'); print(trackplex.backend(), trackplex.threads())") == "Serial 1"
    assert run("import trackplex; trackplex.threads(); print(trackplex.backend())", TRACKPLEX_BACKEND="serial") == "Serial"
    chosen = "import trackplex; trackplex.set_backend('openmp'); trackplex.threads(); print(trackplex.backend())"
    assert run(chosen, TRACKPLEX_BACKEND="serial") == "OpenMP"
    assert run("""
        import trackplex
        try:
            trackplex.threads()
        except ValueError as error:
            print(error)
    """, TRACKPLEX_BACKEND="cude").count('no host backend "cude"') == 1


def test_one_and_two_threads_give_the_same_bits():
    code = """
        from trackplex import beam
        ring = beam.Line([beam.CanonicalQuadrupole("q", length=0.2, k1=1.0), beam.ExactDrift("d", length=1.0),
                          beam.CanonicalQuadrupole("p", length=0.2, k1=-1.0), beam.ExactDrift("d", length=1.0)])
        bunch = beam.generate_bunch(particles=30000)
        tracker = beam.Tracker(ring, monitors="p")
        tracker.track(bunch, 5)
        print(bunch.fingerprint(), tracker.records.covariance.tobytes().hex())
    """
    assert run(code, OMP_NUM_THREADS="1") == run(code, OMP_NUM_THREADS="2")


@pytest.mark.parametrize("threads", [1, 2])
def test_golden_hashes_with_threads(threads):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", Path(__file__).with_name("test_golden.py")], capture_output=True,
        text=True, timeout=300, env={**INHERITED, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(threads)})
    assert done.returncode == 0, done.stdout


def test_a_second_start_is_an_error():
    assert "Kokkos is already running" in run("""
        import trackplex
        trackplex.start(threads=1)
        try:
            trackplex.start(threads=2)
        except ValueError as error:
            print(error)
    """)


@pytest.mark.parametrize("order", ["x, b, t", "t, b, x", "b, x, t"])
def test_the_interpreter_exits_in_any_order(order):
    run(f"""
        import atexit, sys
        from trackplex import beam, lhcb, montecarlo
        b = beam.generate_bunch(particles=100)
        x = b.x
        t = beam.Tracker([beam.Drift("d", length=1.0)], monitors=[0])
        t.track(b)
        finder = lhcb.VeloFinder()
        result, = finder(lhcb.generate_velo_events(1))
        states = result.states
        transport = montecarlo.Transport(0.01, 5.0)
        sys.kept = [{order}, states, transport]
        cycle = [b, finder]
        cycle.append(cycle)
        del b, x, t, cycle, finder
    """)


def test_arrays_stay_when_the_interpreter_exits():
    assert run("""
        import atexit
        def last():
            print(x[3] == 3.0, bunch.x[3] == 3.0)
            try:
                bunch.moments()
            except RuntimeError as error:
                print("the interpreter exits" in str(error))
        atexit.register(last)
        import numpy
        from trackplex import beam
        bunch = beam.bunch_of(p0=1.0, x=numpy.arange(10.0))
        x = bunch.x
    """).split() == ["True", "True", "True"]


def test_an_error_at_the_end_is_only_that_error():
    done = subprocess.run(
        [sys.executable, "-c", "from trackplex import beam\nb = beam.generate_bunch(particles=10)\nraise KeyError('x')"],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stderr.strip().endswith("KeyError: 'x'")


def test_a_forked_child_gets_an_exception_and_its_parent_goes_on():
    assert run("""
        import os
        from trackplex import beam
        bunch = beam.generate_bunch(particles=100)
        tracker = beam.Tracker([beam.Drift("d", length=1.0)])
        child = os.fork()
        if child == 0:
            said = []
            for use in (lambda: tracker.track(bunch), bunch.moments, lambda: beam.generate_bunch(particles=1)):
                try:
                    use()
                except RuntimeError as error:
                    said.append("forked" in str(error) and "spawn" in str(error))
            os._exit(0 if said == [True] * 3 and bunch.x.shape == (100,) else 1)
        print(os.waitpid(child, 0)[1])
        tracker.track(bunch)
        print(bunch.turn)
    """).split() == ["0", "1"]


def test_a_child_that_is_forked_before_the_first_use_works():
    assert run("""
        import os
        from trackplex import beam
        child = os.fork()
        bunch = beam.generate_bunch(particles=100)
        if child == 0:
            os._exit(0 if bunch.moments().number == 100 else 1)
        print(os.waitpid(child, 0)[1])
    """) == "0"


def test_spawned_processes_work(tmp_path):
    script = tmp_path / "spawn.py"
    script.write_text(textwrap.dedent("""
        import multiprocessing
        from trackplex import beam

        LINE = beam.Line([beam.Quadrupole("q", length=0.1, k1=1.0), beam.Drift("d", length=1.0)])

        def work(bunch):
            return beam.track(LINE, bunch)

        if __name__ == "__main__":
            bunch = beam.generate_bunch(particles=100)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                found, = pool.map(work, [bunch])
            print(found.fingerprint() == beam.track(LINE, bunch).fingerprint())
    """))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (done.stdout.strip(), done.returncode) == ("True", 0), done.stderr
