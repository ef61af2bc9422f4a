"""The tenon command as tests call it: cli_test.py TENON FOLDER-OF-THE-TESTS."""
import os
import subprocess
import sys
import tempfile
import unittest

TENON = sys.argv[1]
os.environ.setdefault("TENON_CACHE", "off")  # nothing is left in the home of who runs the tests
HERE = sys.argv[2]

# a ball that passes through a floor beside a body that nothing touches; small enough to reckon by hand
FALL = """{ "tenon": 1, "world": { "step": "1/100", "duration": "1 s", "gravity": [0, -10, 0] }, "bodies": [
  { "name": "floor", "motion": "static", "shape": { "type": "box", "size": [4, 0.2, 4] } },
  { "name": "ball, red", "shape": { "type": "sphere", "radius": 0.1 }, "mass": 2, "position": [0, 1, 0] },
  { "name": "far", "shape": { "type": "box", "size": [1, 2, 3] }, "mass": 12, "position": [9, 9, 0] } ] }"""


# AERO's own format
SWING = """# a swing that is pushed
Z
t 0
g 0 -9.81 0
K1 plane stone
K2 nail p 0 2 0
K3 sphere 0.1 iron p 0 1 0
K4 box 0.5 0.5 0.5 wood p 3 0.25 0
V1 K3 K2 rod
F 0 0.5 K3 inertial 20 0 0
Q
"""


def tenon(*arguments, **options):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          **options)


class CliCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = os.path.join(self.folder.name, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def ok(self, *arguments, **options):
        result = tenon(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def fails(self, code, *arguments, **options):
        result = tenon(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertNotIn("terminate called", result.stderr)
        return result.stdout + result.stderr
