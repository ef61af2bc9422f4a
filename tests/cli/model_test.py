"""tenon import of models, and commands that take them."""
import os
import sys
import unittest

from cli_case import CliCase

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gallery", "models")


class ModelTest(CliCase):
    def test_models_become_scenes_and_robots_again(self):
        arm, scene = os.path.join(MODELS, "arm.urdf"), self.path("arm.json")
        out = self.ok("import", arm, "-o", scene)
        for words in ("URDF 'imported-arm': 8 bodies, 9 joints, 7 freedoms", "tool_tip into hand",
                      "<transmission>, 1 time"):
            self.assertIn(words, out)
        # out again and in again: not a byte differs
        robot, again = self.path("arm2.urdf"), self.path("arm2.json")
        self.ok("convert", scene, "-o", robot)
        self.ok("import", robot, "-o", again)
        with open(scene, encoding="utf-8") as a, open(again, encoding="utf-8") as b:
            self.assertEqual(a.read(), b.read())
        # every command takes the model itself
        self.assertIn("fine, 8 bodies", self.ok("check", arm))
        run = self.path("arm.tenon")
        self.ok("run", arm, "-o", run, "--seconds", "0.2")
        self.assertIn("forearm", self.ok("info", run, "--bodies"))
        gripper = os.path.join(MODELS, "gripper.xml")
        self.assertIn("4 loops", self.ok("import", gripper, "-o", scene, "--keyframe", "grip",
                                         "--overwrite"))
        self.assertIn("fine, ", self.ok("check", gripper))

    def test_models_that_are_wrong_are_refused_with_their_place(self):
        out = self.path("out.json")
        bad = self.path("bad.urdf", "<robot name='r'>\n<link name='a'>\n</robot>")
        self.assertIn("bad.urdf:", self.fails(1, "import", bad, "-o", out))
        twice = self.path("twice.urdf", "<robot name='r'>\n<link name='a'/>\n<link name='a'/>\n</robot>")
        self.assertIn("twice.urdf:3: two links", self.fails(1, "run", twice))
        circle = self.path("circle.xml", "<mujoco>\n<include file='circle.xml'/>\n</mujoco>")
        self.assertIn("includes itself", self.fails(1, "check", circle))
        good = os.path.join(MODELS, "arm.urdf")
        self.assertIn("elbow", self.fails(1, "import", good, "-o", out, "--start", "elbo=1"))
        self.assertIn("name=value", self.fails(1, "import", good, "-o", out, "--start", "elbow"))
        self.fails(2, "import", good, "-o", out, "--base", "flying")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
