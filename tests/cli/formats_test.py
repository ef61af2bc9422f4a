"""Scenes in the formats of others: worlds of AERO, captured motions, and what convert writes.

Usage: formats_test.py PATH_OF_TENON FOLDER_OF_THIS_FILE
"""
import csv
import json
import os
import re
import sys
import unittest

from cli_case import FALL, HERE, SWING, CliCase, tenon


class FormatsTest(CliCase):
    def test_world_files_of_aero_are_scenes_like_others(self):
        world = self.path("swing.world", SWING)
        self.assertIn("fine, 4 bodies, 1 connection, 1 force", self.ok("check", world))
        run, report = self.path("swing.tenon"), self.path("r.json")
        self.ok("run", world, "-o", run, "--seconds", "1", "--report", report)
        with open(report, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["bodies"], 4)
        self.assertIn("swing.world", self.ok("info", run))
        longer = self.path("longer.tenon")
        self.ok("resume", run, "--seconds", "0.5", "-o", longer)
        scene, again = self.path("swing.json"), self.path("again.world")
        self.ok("convert", world, "-o", scene)
        self.ok("convert", scene, "-o", again)
        first, second = self.path("a.tenon"), self.path("b.tenon")
        for source, output in [(scene, first), (again, second)]:
            self.ok("run", source, "-o", output, "--seconds", "1", "--set", "world.step=1/120")
        self.ok("compare", first, second)
        # what is wrong has a line
        broken = self.path("broken.world", SWING.replace("0.1 iron", "iron"))
        self.assertIn("broken.world:7:1: a sphere needs a radius", tenon("check", broken).stdout)
        self.fails(1, "run", broken)
        # what AERO cannot say is told
        result = tenon("convert", "gallery:carousel", "-o", self.path("carousel.world"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: ", result.stderr)
        self.assertIn("no kinematic bodies", result.stderr)
        self.ok("check", self.path("carousel.world"))
        fall = self.path("fall.world")
        self.ok("convert", self.path("fall.json", FALL), "-o", fall)
        self.ok("run", fall)
        with open(fall, encoding="utf-8") as file:
            self.assertIn("#: name ball, red", file.read())
        # the summary counts what was written, and names and title come back
        written = self.ok("convert", scene, "-o", again, "--overwrite", "--set", "title=Swing",
                          "--set", "world.duration=3")
        self.assertIn("4 bodies, 1 connection, 1 force", written)
        self.ok("convert", again, "-o", scene, "--overwrite")
        with open(scene, encoding="utf-8") as file:
            text = file.read()
        for word in ('"Swing"', '"duration": 3'):
            self.assertIn(word, text)

    def test_motions_become_figures_that_follow_and_fall(self):
        walk = os.path.join(HERE, "..", "..", "gallery", "figures", "walk.bvh")
        scene, run = self.path("walk.json"), self.path("walk.tenon")
        out = self.ok("import", walk, "-o", scene, "--height", "1.8", "--release", "1", "--fps", "20",
                      "--floor")
        for words in ("23 joints, 73 frames", "22 joints, 4 of them hinges", "1.8 m tall", "key frames: 49",
                      "released at 1 s"):
            self.assertIn(words, out)
        gap = float(re.search(r"\(([0-9.e+-]+) of body size\)", out).group(1))
        self.assertLessEqual(gap, 1e-8)
        self.assertIn("fine, 24 bodies, 22 joints", self.ok("check", scene))
        self.assertIn("23 kinematic, 23 released", self.ok("run", scene, "-o", run, "--seconds", "1.5"))
        events = self.path("events.csv")
        self.ok("export", run, "--events", events)
        with open(events, newline="", encoding="utf-8") as file:
            released = [row for row in csv.DictReader(file) if row["event"] == "body_released"]
        self.assertEqual(len(released), 23)
        self.assertIn("kinematic until 1 s", self.ok("info", run, "--bodies"))
        # resumed over the release, the run is the same to the last bit
        half, whole = self.path("half.tenon"), self.path("whole.tenon")
        self.ok("run", scene, "-o", half, "--seconds", "0.9")
        self.ok("resume", half, "-o", whole, "--seconds", "0.6")
        self.assertIn("equal", self.ok("compare", run, whole).lower())
        # every command takes the motion itself
        self.assertIn("fine, 24 bodies", self.ok("check", walk))
        self.ok("run", walk, "--seconds", "0.2")
        self.assertIn("without joints", self.ok("import", walk, "-o", scene, "--release", "never",
                                                "--overwrite"))

    def test_motions_that_are_wrong_are_refused_with_their_place(self):
        with open(os.path.join(HERE, "..", "..", "gallery", "figures", "walk.bvh"),
                  encoding="utf-8") as file:
            text = file.read()
        good, scene = self.path("good.bvh", text), self.path("figure.json")
        bad = self.path("bad.bvh", text.replace("Frames: 73", "Frames: many"))
        self.assertIn("bad.bvh:138:9: ", self.fails(1, "import", bad, "-o", scene))
        self.assertIn("bad.bvh:138:9: ", self.fails(1, "run", bad))
        self.fails(1, "import", self.path("missing.bvh"), "-o", scene)
        self.assertIn(".bvh", self.fails(1, "import", self.path("fall.json", FALL), "-o", scene))
        self.assertIn(".json", self.fails(1, "import", good, "-o", self.path("figure.txt")))
        for option, value in [("--release", "-1"), ("--release", "soon"), ("--release", "1e9")]:
            self.assertIn("release", self.fails(1, "import", good, "-o", scene, option + "=" + value))
        self.fails(2, "import", good, "-o", scene, "--height", "0")
        self.fails(2, "import", good, "-o", scene, "--height", "1", "--scale", "1")
        self.ok("import", good, "-o", scene)
        self.assertIn("--overwrite", self.fails(1, "import", good, "-o", scene))

    def test_convert_refuses_what_it_cannot_write(self):
        scene = self.path("fall.json", FALL)
        self.assertIn(".json, .world, .urdf, .xml (MuJoCo) or .glb", self.fails(1, "convert", scene, "-o", self.path("x.txt")))
        self.assertIn("overwrite", self.fails(1, "convert", scene, "-o", scene))
        self.fails(1, "convert", scene, "-o", self.path("no/such/folder.json"))
        self.fails(1, "convert", self.path("missing.world"), "-o", self.path("y.json"))

    def test_a_loss_of_an_array_is_named_once_with_its_count(self):
        result = tenon("convert", "gallery:dominoes", "-o", self.path("dominoes.world"))
        self.assertEqual(result.returncode, 0, result.stderr)
        losses = [line for line in result.stderr.splitlines() if "does not know the material" in line]
        self.assertEqual(len(losses), 1, result.stderr)
        self.assertIn("written as plastic, 100 times (got tile)", losses[0])
        self.assertIn("4 losses are named above", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
