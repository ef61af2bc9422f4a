"""Whatever is built, joints hold and nothing explodes: scenes by chance, and those that once failed."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from random_scenes import make_scene  # noqa: E402

TENON = sys.argv.pop(1)
SHORT = "TENON_SHORT_TESTS" in os.environ
SCENES = 12 if SHORT else 200
# relative to bodies, rad: a joint that is open by more has failed. What mechanisms are asked that turn by radians in a
# step may be missed by a little, and is told by `unconverged_steps`.
OPEN = 1e-4


def is_driven(scene):
    motors = any("motor" in joint for joint in scene["joints"])
    return motors or any(body.get("motion") == "kinematic" for body in scene["bodies"])


class RandomScenesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_scene(self, scene):
        file, report = pathlib.Path(self.folder.name) / "scene.json", pathlib.Path(self.folder.name) / "report.json"
        file.write_text(json.dumps(scene))
        result = subprocess.run([TENON, "run", file, "--threads", "1", "--report", report], capture_output=True,
                                text=True, timeout=600)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(report.read_text())

    def test_joints_hold_and_nothing_explodes(self):
        steps = missed = 0
        for seed in range(SCENES):
            scene = make_scene(seed)
            with self.subTest(seed=seed):
                report = self.run_scene(scene)
                self.assertLess(report["joint_gap_rel"]["max"], OPEN)
                self.assertLess(report["joint_angle_rad"]["max"], OPEN)
                for hint in report["health"]:
                    self.assertNotIn("frozen", hint)
                energy = report["energy_J"]
                fallen = energy["max"] - energy["min"]
                # bodies that start inside each other come apart, upwards too
                if not is_driven(scene):
                    self.assertLess(energy["max"] - energy["start"], 0.25 * fallen + 100)
                steps += report["steps"]
                missed += report["joint_solution"]["unconverged_steps"]
        self.assertLess(missed, 0.01 * steps)

    # Joints of two hinged bodies that hit the floor aslant were closed to where their axes point against each other.
    def test_a_hinge_is_not_turned_over(self):
        scene = {
            "tenon": 1, "world": {"step": "1/60", "duration": "3 s"},
            "materials": {"m": {"restitution": 0.2, "static_friction": 1.14, "sliding_friction": 1.0}},
            "bodies": [{"name": "floor", "shape": {"type": "plane"}, "material": "m"}],
            "joints": []}
        # many of them, each from another height: which of them land so is chance
        for i in range(20):
            y, z = 3 + 0.05 * i, 0.5 * i
            scene["bodies"] += [
                {"name": f"a{i}", "shape": {"type": "box", "size": [0.05, 0.03, 0.04]}, "material": "m",
                 "position": [0, y, z], "orientation": [0.4, 0.06, -0.88, 0.24]},
                {"name": f"b{i}", "shape": {"type": "capsule", "radius": 0.0113, "length": 0.0183}, "material": "m",
                 "position": [0.042, y - 0.041, z], "orientation": [-0.6, -0.26, -0.63, 0.41]}]
            scene["joints"].append({"name": f"hinge{i}", "type": "hinge", "parent": f"a{i}", "child": f"b{i}",
                                    "at": [0.021, y - 0.02, z], "axis": [0.036, 1.321, -0.076]})
        report = self.run_scene(scene)
        self.assertLess(report["joint_angle_rad"]["max"], 1e-6)
        self.assertEqual(report["joint_solution"]["unconverged_steps"], 0)

    # It cannot get out of the way: contacts must not push with all that sweeps can add up.
    def test_a_pinned_body_survives_a_bat(self):
        scene = {
            "tenon": 1, "world": {"step": "1/120", "duration": "1 s"},
            "materials": {"m": {"restitution": 0, "static_friction": 0.6, "sliding_friction": 0.5}},
            "bodies": [
                {"name": "box", "shape": {"type": "box", "size": [0.054, 0.03, 0.043]}, "material": "m",
                 "position": [-0.327, 1.075, -0.501], "orientation": [0.4, 0.058, -0.884, 0.236]},
                {"name": "bat", "shape": {"type": "box", "size": [0.2, 1, 2]}, "motion": "kinematic",
                 "position": [-3, 0.6, 0], "velocity": [5, 0, 0], "material": "m"}],
            "joints": [{"name": "pin", "type": "point", "child": "box", "at": [-0.327, 1.075, -0.501]}]}
        for lift in (0, 0.002, 0.005, 0.01, 0.015, 0.02):
            with self.subTest(lift=lift):
                scene["bodies"][1]["position"][1] = 0.57 + lift
                energy = self.run_scene(scene)["energy_J"]
                # its corners are no faster than ten times the bat: 0.07 kg, 50 m/s
                self.assertLess(energy["max"] - energy["min"], 90)
                self.assertLess(abs(energy["balance_error"]), 1)

    # A block and a ball on the same arm overlap, and limits do not let the ball out: pushing them apart must not throw
    # the arm into others, by half a metre at every other step.
    def test_what_cannot_come_apart_is_not_thrown(self):
        turn = {"type": "point", "parent": "hand", "child": "arm", "at": [1.35, 1.75, 0.46], "axis": [0.3, 0.89, 0.13],
                "swing": 0.48, "limits": {"rx": [-0.8, 0.59]}}
        scene = {
            "tenon": 1, "world": {"duration": "2 s"},
            "materials": {"m": {"restitution": 0.5, "static_friction": 0, "sliding_friction": 0}},
            "bodies": [
                {"name": "hand", "shape": {"type": "capsule", "radius": 0.16, "length": 0.68}, "material": "m",
                 "position": [1.1, 1.49, -0.08], "orientation": [0.7, 0.15, -0.66, -0.21]},
                {"name": "arm", "shape": {"type": "box", "size": [0.33, 0.61, 1.15]}, "material": "m",
                 "position": [1.61, 2, 1], "orientation": [0.31, -0.71, -0.47, 0.42]},
                {"name": "block", "shape": {"type": "box", "size": [1.15, 0.76, 0.72]}, "material": "m",
                 "position": [1.4, 1.27, 1.16], "orientation": [-0.66, -0.31, 0.07, 0.68]},
                {"name": "ball", "shape": {"type": "sphere", "radius": 0.68}, "material": "m",
                 "position": [0.74, 2.23, 0.6], "angular_velocity": [-26.52, -10.45, -3.19]}],
            "joints": [
                {"name": "wrist", **turn},
                {"name": "weld", "type": "rigid", "parent": "arm", "child": "block", "at": [1.5, 1.64, 1.08]},
                {"name": "socket", **turn, "parent": "arm", "child": "ball", "at": [1.17, 2.12, 0.8],
                 "axis": [0.84, -1.69, 0.05], "swing": 0.6, "limits": {"rx": [-0.41, 0.48]}}]}
        for step in ("1/60", "1/120", "1/240"):
            with self.subTest(step=step):
                scene["world"]["step"] = step
                # they begin 68 mm deep
                self.assertLess(self.run_scene(scene)["penetration_m"]["max"], 0.068)


if __name__ == "__main__":
    unittest.main(verbosity=2)
