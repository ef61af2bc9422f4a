"""The tenon command as tests call it: cli_test.py TENON FOLDER-OF-THE-TESTS."""
import os
import subprocess
import sys
import tempfile
import unittest

TENON = sys.argv[1]
os.environ.setdefault("TENON_CACHE", "off")  # nothing is left in the home of who runs the tests
HERE = sys.argv[2]


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
