# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the Python package share."""
import json
import pathlib
import subprocess

import pytest

import tdat
from tdat import _program

VALID = pathlib.Path(__file__).parent.parent / "fixtures" / "valid"
FILES = sorted(VALID.glob("*.dat"))
assert len(FILES) > 20


def pytest_configure(config):
    """Many tests read tables whose events were not recorded."""
    config.addinivalue_line("filterwarnings", "ignore::tdat.TraceWarning")


def run(*args):
    """What the program of the package prints."""
    done = subprocess.run([_program.program(), *map(str, args)], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def dump(path, *args):
    """The events of a file as dump --json has them."""
    return [json.loads(line) for line in run("dump", "--json", *args, path).splitlines()]


@pytest.fixture(params=FILES, ids=lambda p: p.stem)
def each(request):
    """Each file of tests/fixtures/valid."""
    return request.param


@pytest.fixture
def sched():
    """A trace with switches on two CPUs."""
    with tdat.open(VALID / "x64-61-conv-v7-zstd.dat") as trace:
        yield trace
