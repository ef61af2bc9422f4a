"""What the documents say is true. Usage: docs_test.py PATH_OF_TENON SOURCE_FOLDER"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TENON, ROOT = sys.argv[1], Path(sys.argv[2])
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*/*.md")])


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class DocsTest(unittest.TestCase):
    def test_the_program_in_the_readme_is_the_one_that_is_built(self):
        example = (ROOT / "examples/use_installed/main.cpp").read_text()
        self.assertIn("```cpp\n" + example + "```", (ROOT / "README.md").read_text())

    def test_the_program_of_the_black_box_page_is_the_one_that_is_built(self):
        example = (ROOT / "examples/black_box_joint/main.cpp").read_text()
        self.assertIn("```cpp\n" + example + "```", (ROOT / "docs/black-box-joints.md").read_text())

    def test_scenes_in_the_pages_are_fine(self):
        found = 0
        for page in PAGES:
            for block in re.findall(r"```jsonc?\n(.*?)```", page.read_text(), re.S):
                if not re.search(r'"tenon"\s*:\s*1', block):
                    continue
                found += 1
                with tempfile.TemporaryDirectory() as folder:
                    scene = Path(folder) / "scene.json"
                    scene.write_text(block)
                    result = tenon("check", scene)
                    self.assertEqual(result.returncode, 0, f"{page}:\n{block}\n{result.stdout}")
        self.assertGreaterEqual(found, 1)

    def test_links_lead_to_files(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
                self.assertTrue((page.parent / target).exists(), f"{page}: {target}")

    def test_commands_and_gallery_scenes_exist(self):
        commands = set(re.findall(r"^  (\w+)  ", tenon("--help").stdout, re.M))
        scenes = set(tenon("gallery", "--names").stdout.split())
        for page in PAGES:
            text = page.read_text()
            for command in re.findall(r"(?:^    |`|\n    )(?:tenon|\./run) ([a-z]+)\b", text):
                self.assertIn(command, commands, page)
            for scene in re.findall(r"gallery:([a-z0-9/-]+)", text):
                self.assertIn(scene, scenes, page)

    def test_the_gallery_page_lists_every_scene(self):
        listed = re.findall(r"gallery:([a-z0-9/-]+)", (ROOT / "docs/gallery.md").read_text())
        self.assertEqual(sorted(set(tenon("gallery", "--names").stdout.split()) - set(listed)), [])

    def test_the_gallery_page_has_a_still_and_figures_of_every_scene(self):
        # tools/gallery-docs makes the rows
        rows = set(re.findall(r"^\| !\[[^\]]*\]\(images/gallery/[^)]+\) \| `gallery:([a-z0-9/-]+)` \|",
                              (ROOT / "docs/gallery.md").read_text(), re.M))
        self.assertEqual(sorted(set(tenon("gallery", "--names").stdout.split()) - rows), [])

    def test_the_step_page_lists_the_phases_in_order(self):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "r.json")
            self.assertEqual(tenon("run", "gallery:free-top", "--seconds", "0.1", "--report",
                                   report).returncode, 0)
            phases = list(json.loads(Path(report).read_text())["phases_ms"])
        rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/step.md").read_text(), re.M)
        self.assertEqual(rows, phases)

    def test_named_folders_exist(self):
        for folder in re.findall(r"^\| `([\w/]+?)/?` \|", (ROOT / "ARCHITECTURE.md").read_text(), re.M):
            self.assertTrue((ROOT / folder).is_dir(), folder)

    def test_the_schema_is_the_printed_one(self):
        self.assertEqual(tenon("schema").stdout, (ROOT / "docs/scene.schema.json").read_text())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
