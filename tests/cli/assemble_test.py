"""tenon assemble, and runs that assemble first."""
import json
import os
import sys
import unittest

from cli_case import CliCase


class AssembleTest(CliCase):
    def test_assemble_writes_the_scene_and_nothing_else_of_it_changes(self):
        scene = self.path("apart.json", """{ "tenon": 1, "parameters": {"d": "10 cm"}, "bodies": [
          { "name": "arm", "shape": { "type": "box", "size": [1, "d", "2*d/2"] }, "position": [0.7, 0.2, 0] },
          { "name": "hand", "shape": { "type": "box", "size": [1, 0.1, 0.1] }, "position": [1.5, 0, 0],
            "angular_velocity_body": [0, 0, 1] },
          { "name": "other", "shape": { "type": "sphere", "radius": "d" }, "position": ["3 m", 0, 0] } ],
          "joints": [
          { "name": "shoulder", "type": "hinge", "child": "arm", "parent_frame": {"axis": [0, 0, 1]},
            "child_frame": {"position": [-0.5, 0, 0], "axis": [0, 0, 1]} },
          { "name": "wrist", "type": "hinge", "parent": "arm", "child": "hand", "at": [1.1, 0, 0], "axis": [0, 0, 1] } ],
          "assembly": {"wants": [{"body": "hand", "reach": [0, 1.2, 0]}]} }""")
        out = self.path("together.json")
        report = self.path("report.json")
        text = self.ok("assemble", scene, "-o", out, "--report", report)
        self.assertIn("assembled: all joints fit to 1e-09", text)
        self.assertIn("moved      2 of 3 bodies", text)
        with open(report) as file:
            said = json.load(file)
        self.assertEqual((said["outcome"], said["solver"], said["escaped"]), ("assembled", "direct", False))
        self.assertEqual([m["body"] for m in said["moved"]], ["arm", "hand"])
        self.assertLess(said["error"], 1e-9)
        self.assertLess(said["wants"][0]["miss_m"], 1e-6)
        with open(scene) as file:
            before = json.load(file)
        with open(out) as file:
            after = json.load(file)
        self.assertEqual(after["bodies"][0]["shape"], before["bodies"][0]["shape"])  # as it was written
        self.assertEqual(after["bodies"][2], before["bodies"][2])
        self.assertEqual(after["joints"][0], before["joints"][0])
        self.assertEqual(after["assembly"], before["assembly"])
        self.assertNotIn("at", after["joints"][1])  # the place belonged to the old poses
        self.assertEqual(after["bodies"][1]["angular_velocity"], [0, 0, 1])
        again = self.ok("assemble", out)
        self.assertIn("moved      none of 3 bodies", again)
        self.assertIn("it is kept", self.fails(1, "assemble", scene, "-o", out))
        self.ok("assemble", scene, "-o", out, "--overwrite")

    def test_assemble_makes_flat_what_prefabs_made(self):
        out = self.path("people.json")
        text = self.ok("assemble", "gallery:faure/hand-in-hand", "-o", out)
        self.assertIn("every body now stands alone", text)
        with open(out) as file:
            flat = json.load(file)
        self.assertEqual((len(flat["bodies"]), len(flat["joints"])), (161, 166))
        self.assertIn("moved      none of 161 bodies", self.ok("assemble", out))

    def test_assemble_says_what_contradicts_and_what_a_budget_leaves(self):
        out = self.path("triangle.json")
        text = self.fails(1, "assemble", "gallery:faure/impossible-triangle", "-o", out)
        self.assertIn("CONFLICT", text)
        for corner in ("left corner", "right corner", "top"):
            self.assertRegex(text, f'conflict   joint "{corner}" .* by 0.3333 m')
        self.assertTrue(os.path.exists(out))
        text = self.fails(1, "assemble", "gallery:faure/two-hinges")
        self.assertIn("upper hinge", text)
        self.assertIn("lower hinge", text)
        text = self.ok("assemble", "gallery:faure/hand-in-hand", "--budget", "2x5")
        self.assertIn("conjugate gradients, 2 iterations with 10 inner ones", text)
        self.assertIn("stopped", text)
        self.ok("assemble", "gallery:faure/hand-in-hand", "--budget", "2 s")
        self.assertIn("biconjugate", self.ok("assemble", "gallery:faure/two-disks", "--solver", "biconjugate"))

    def test_assemble_refuses_bad_options_and_names(self):
        disks = "gallery:faure/two-disks"
        self.assertIn("did you mean 'direct'?", self.fails(1, "assemble", disks, "--solver", "drect"))
        self.assertIn("precision", self.fails(1, "assemble", disks, "--precision", "0"))
        self.assertIn("budget", self.fails(1, "assemble", disks, "--budget", "6y30"))
        self.assertIn("did you mean 'bar'?", self.fails(1, "assemble", disks, "--set", "assembly.locked=bat"))
        self.assertIn(".json", self.fails(1, "assemble", disks, "-o", self.path("x.world")))
        locked = self.fails(1, "assemble", disks, "--set", 'assembly.locked=["bar", "left", "right"]')
        self.assertIn('joint "left end"', locked)
        self.assertIn("none of 3 bodies", locked)

    def test_runs_assemble_first_and_can_be_resumed(self):
        run, other, longer = self.path("a.tenon"), self.path("b.tenon"), self.path("c.tenon")
        report = self.path("r.json")
        text = self.ok("run", "gallery:faure/two-disks", "-o", run, "--seconds", "1", "--report", report)
        self.assertIn('3 bodies moved, "bar" farthest', text)
        with open(report) as file:
            self.assertEqual(json.load(file)["assembly"]["outcome"], "assembled")
        self.ok("run", "gallery:faure/two-disks", "-o", other, "--seconds", "1")
        self.ok("compare", run, other)
        self.ok("resume", run, "-o", longer, "--at", "0.5")
        self.ok("compare", run, longer)
        quiet = self.ok("run", "gallery:faure/two-disks", "--seconds", "0.1", "--set", "assembly.auto=false")
        self.assertNotIn("assembled", quiet)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
