"""Scenes for POV-Ray, drawn by it. Usage: pov_test.py PATH_OF_TENON PATH_OF_SILHOUETTE"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from png_file import read_png

TENON, SILHOUETTE = sys.argv[1], sys.argv[2]
# many parts and a camera of its own; coils, ropes and dampers; glass, hulls and capsules
SCENES = {"bridge": 0.8, "connections": 1.0, "in-flight": 0.8}

ROOM = """{ "tenon": 1, "world": { "duration": 0 }, "bodies": [
  { "name": "floor", "shape": { "type": "plane" }, "color": "#909090" },
  { "name": "red", "shape": { "type": "box", "size": [1, 1, 1] }, "position": [-0.8, 0.5, 0], "color": "#d02020" },
  { "name": "ball", "shape": { "type": "sphere", "radius": 0.5 }, "position": [0.8, 0.5, 0], "color": "#e0e0e0" } ],
  "cameras": [ { "name": "c", "position": [0, 3, 5], "look_at": [0, 0, 0], "fov": "40 deg" } ], "lights": [ LIGHTS ] }"""
LIGHTS = {
    "day": "",
    "bright-day": '{ "type": "sun", "direction": [-0.5, -1, -0.6], "intensity": 100 }, { "type": "ambient", "intensity": 40 }',
    "lamp": '{ "type": "point", "position": [1.4, 3, 2], "intensity": 6 }, { "type": "ambient", "intensity": 0.1 }',
}


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300)


class PovTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        for scene in SCENES:
            made = tenon("run", f"gallery:{scene}", "--seconds", "1.2", "-o", cls.folder / f"{scene}.tenon")
            assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @unittest.skipUnless(shutil.which("povray"), "povray is missing: Debian packages povray, povray-includes")
    def test_three_scenes_are_drawn_without_warnings(self):
        for scene, time in SCENES.items():
            to = self.folder / f"pov-{scene}"
            result = tenon("export", self.folder / f"{scene}.tenon", "--pov", to, "--render", "--from",
                           time, "--to", time + 0.05, "--fps", 25, "--size", "160x90")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("no warnings", result.stdout)
            self.assertEqual(result.stderr, "")
            log = (to / "frame.log").read_text()
            self.assertEqual(re.findall(r".*Warning:.*", log), [])
            for number in (1, 2):
                width, height, rows = read_png((to / f"frame_{number}.png").read_bytes())
                self.assertEqual((width, height), (160, 90))
                self.assertGreater(len({p for row in rows for p in row}), 200)

    @unittest.skipUnless(shutil.which("povray"), "povray is missing: Debian packages povray, povray-includes")
    def test_silhouettes_are_those_of_our_own_renderer(self):
        for scene, time in SCENES.items():
            to = self.folder / f"mask-{scene}"
            to.mkdir()
            subprocess.run([SILHOUETTE, self.folder / f"{scene}.tenon", str(time), "480", "270", to],
                           check=True, timeout=120)
            drawn = subprocess.run(["povray", "mask.ini"], cwd=to, capture_output=True, text=True,
                                   timeout=120)
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
            _, _, ours = read_png((to / "ours.png").read_bytes())
            _, _, theirs = read_png((to / "mask_1.png").read_bytes())
            pixels, same, inside = 0, 0, 0
            for a, b in zip(ours, theirs):
                for p, q in zip(a, b):
                    # sRGB of half the light is 188: pixels that are more than half covered
                    pixels, inside = pixels + 1, inside + (p[1] > 188)
                    same += (p[1] > 188) == (q[1] > 188)
            print(f"{scene}: {100 * same / pixels:.2f} % of pixels agree, {100 * inside / pixels:.1f} % inside")
            self.assertGreater(same / pixels, 0.99)
            # something is in the picture, and not everything
            self.assertGreater(inside / pixels, 0.01)
            self.assertLess(inside / pixels, 0.9)

    @unittest.skipUnless(shutil.which("povray"), "povray is missing: Debian packages povray, povray-includes")
    def test_pictures_are_as_bright_as_our_own(self):
        for name, lights in LIGHTS.items():
            scene, run, to = (self.folder / f"{name}{end}" for end in (".json", ".tenon", "-pov"))
            scene.write_text(ROOM.replace("LIGHTS", lights))
            self.assertEqual(tenon("run", scene, "-o", run).returncode, 0)
            ours = self.folder / f"{name}.png"
            self.assertEqual(tenon("film", run, "-o", ours, "--size", "160x90").returncode, 0)
            made = tenon("export", run, "--pov", to, "--render", "--size", "160x90")
            self.assertEqual(made.returncode, 0, made.stderr)
            bright = []
            for picture in (ours, to / "frame_1.png"):
                _, _, rows = read_png(picture.read_bytes())
                bright.append(sum(sum(p[:3]) for row in rows for p in row) / (3 * 160 * 90))
            print(f"{name}: ours {bright[0]:.0f}, POV-Ray {bright[1]:.0f} of 255")
            # ours go through a filmic curve, which POV-Ray does not have; a stop is 60 levels or so
            self.assertLess(abs(bright[0] - bright[1]), 30, name)

    def test_both_eyes_get_their_own_camera(self):
        to = self.folder / "stereo"
        result = tenon("export", self.folder / "bridge.tenon", "--pov", to, "--stereo", "--eye-distance",
                       0.1, "--from", 0.5, "--to", 0.6, "--fps", 20)
        self.assertEqual(result.returncode, 0, result.stderr)
        places = {}
        for eye in ("left", "right"):
            self.assertTrue((to / f"{eye}.ini").exists())
            text = (to / f"{eye}_1.pov").read_text()
            places[eye] = [float(v) for v in re.search(r"location <(.*?)>", text).group(1).split(",")]
            places[eye + " right"] = [float(v) for v in re.search(r"\bright <(.*?)>", text).group(1).split(",")]
        apart = [b - a for a, b in zip(places["left"], places["right"])]
        self.assertAlmostEqual(sum(v * v for v in apart) ** 0.5, 0.1, places=6)
        self.assertGreater(sum(a * b for a, b in zip(apart, places["left right"])), 0)

    def test_bad_wishes_are_refused_with_a_reason(self):
        run = self.folder / "bridge.tenon"
        file = self.folder / "a-file"
        file.write_text("x")
        for options, words in [
            (("--pov", self.folder / "x", "--fps", 0), "frames per second"),
            (("--pov", self.folder / "x", "--size", "9x9"), "size of the pictures"),
            (("--pov", self.folder / "x", "--size", "large"), "not understood"),
            (("--pov", file), "a folder"),
            (("--pov", self.folder / "x", "--from", 50), "0 to 1.2"),
            (("--pov", self.folder / "x", "--camera", "sidd"), "did you mean 'side'"),
        ]:
            result = tenon("export", run, *options)
            self.assertEqual(result.returncode, 1, options)
            self.assertIn(words, result.stderr)
        self.assertEqual(tenon("export", run, "--svg", self.folder / "x.svg", "--render").returncode, 2)
        result = subprocess.run([TENON, "export", run, "--pov", self.folder / "x", "--render"],
                                capture_output=True, text=True, env={"PATH": "/nowhere"}, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("povray-includes", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
