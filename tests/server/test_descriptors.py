import subprocess
import sys

CHILD = """
import os, subprocess, sys
from mnemos_files.server.descriptors import claim
source, sink = claim()
print("printed")
sys.stdout.flush()
os.write(1, b"written\\n")
subprocess.run(["sh", "-c", "echo of a child; cat"], check=True)
os.write(sink, b"wire:" + os.read(source, 100))
"""
BARE = """
import os
from mnemos_files.server.descriptors import claim
source, sink = claim()
os._exit(0 if min(source, sink) > 2 and os.read(source, 1) == b"" else 1)
"""


def test_only_the_wire_reaches_standard_output():
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=b"hello", capture_output=True, check=True
    )

    assert done.stdout == b"wire:hello"
    assert done.stderr.split(b"\n") == [b"printed", b"written", b"of a child", b""]


def test_closed_standard_descriptors_are_no_failure():
    shell = ["sh", "-c", 'exec "$0" -c "$1" <&- >&- 2>&-', sys.executable, BARE]

    assert subprocess.run(shell, check=False).returncode == 0


def test_a_command_works_without_standard_output():
    shell = ["sh", "-c", 'exec "$0" -m mnemos_files --version >&-', sys.executable]

    assert subprocess.run(shell, check=False).returncode == 0
