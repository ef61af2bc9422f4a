"""Pages for browsers, opened in one. Usage: replay_test.py PATH_OF_TENON"""
import csv
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser, find_chromium
from png_file import read_png

TENON = sys.argv[1]
WIDTH, HEIGHT = 640, 400
READY = "window.replay && window.replay.draws > 0"


def tenon(*arguments):
    result = subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


@unittest.skipUnless(find_chromium(), "chromium is missing: Debian package chromium")
class ReplayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        cls.run_file = cls.folder / "run.tenon"
        tenon("run", "gallery:connections", "--seconds", 2, "-o", cls.run_file)
        tenon("export", cls.run_file, "--html", cls.folder / "replay.html", "--poses", cls.folder / "p.csv")
        tenon("plot", cls.run_file, "--what", "energy,joint-gap", "-o", cls.folder / "plot.html")
        cls.browser = Browser(WIDTH, HEIGHT)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.scratch.cleanup()

    def setUp(self):
        self.browser.open(self.folder / "replay.html")
        self.browser.wait_for(READY)
        # shadows are drawn once above; without them it is twice as fast
        self.browser.evaluate("replay.play(0), replay.shadows = false")

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def value(self, expression):
        return self.browser.evaluate(expression)

    def picture(self):
        """Pixels, once everything asked for is drawn; the controls are left out."""
        self.browser.wait_for("!replay.dirty")
        _, _, rows = read_png(self.browser.screenshot())
        return rows[60:HEIGHT - 110]

    def changed(self, a, b):
        different = sum(p != q for r, s in zip(a, b) for p, q in zip(r, s))
        return different / sum(len(row) for row in a)

    def test_it_plays_on_and_back_and_the_picture_changes(self):
        before = self.picture()
        self.value("replay.play(1)")
        self.browser.wait_for("replay.time > 0.6")
        self.value("replay.play(0)")
        self.assertGreater(self.changed(before, self.picture()), 0.01)
        self.value("replay.seek(1.5), document.getElementById('back').click()")
        self.browser.wait_for("replay.time < 1.2")
        self.assertTrue(self.value("replay.playing && replay.direction < 0"))
        # at the end: again, back and forth, stop
        self.value("replay.speed = 4, replay.seek(1.95), replay.play(1)")
        self.browser.wait_for("replay.time < 1.5")
        self.value("replay.loop = 'both', replay.seek(1.95), replay.play(1)")
        self.browser.wait_for("replay.direction < 0")
        self.value("replay.loop = 'stop', replay.play(1)")
        self.browser.wait_for("!replay.playing")
        self.assertEqual(self.value("replay.time"), self.value("replay.end"))

    def test_the_timeline_scrubs_and_frames_are_stepped(self):
        box = self.value("JSON.parse(JSON.stringify(document.getElementById('time').getBoundingClientRect()))")
        x, y = box["x"] + 0.25 * box["width"], box["y"] + 0.5 * box["height"]
        self.browser.drag(box["x"] + 10, y, x, y)
        self.assertAlmostEqual(self.value("replay.time"), 0.5, delta=0.1)
        self.value("replay.seek(1), document.activeElement.blur()")
        frame = self.value("replay.frame")
        self.browser.key("ArrowRight")
        self.assertAlmostEqual(self.value("replay.frame"), frame + 1, delta=1e-3)
        self.browser.key("ArrowLeft")
        self.browser.key("ArrowLeft")
        self.assertAlmostEqual(self.value("replay.frame"), frame - 1, delta=1e-3)
        self.browser.key("End")
        self.assertEqual(self.value("replay.frame"), self.value("replay.recording.frames - 1"))
        self.browser.key(" ")
        self.assertTrue(self.value("replay.playing"))

    def test_mouse_keys_and_fingers_turn_the_camera(self):
        before, eye = self.picture(), self.value("replay.orbit.view().eye")
        self.browser.drag(240, 120, 330, 105)
        turned = self.value("replay.orbit.view().eye")
        self.assertGreater(sum(abs(a - b) for a, b in zip(eye, turned)), 0.1)
        self.assertGreater(self.changed(before, self.picture()), 0.05)
        distance = self.value("replay.orbit.distance")
        self.browser.mouse("mouseWheel", 240, 120, deltaX=0, deltaY=-200)
        self.assertLess(self.value("replay.orbit.distance"), distance)
        yaw = self.value("replay.orbit.yaw")
        self.browser.key("a")
        self.assertNotEqual(self.value("replay.orbit.yaw"), yaw)

        def touch(kind, *points):
            self.browser.call("Input.dispatchTouchEvent", type=kind,
                              touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])
        yaw, distance = self.value("replay.orbit.yaw"), self.value("replay.orbit.distance")
        touch("touchStart", (240, 120))
        touch("touchMove", (280, 120))
        touch("touchEnd")
        self.assertNotEqual(self.value("replay.orbit.yaw"), yaw)
        touch("touchStart", (220, 120), (260, 120))
        touch("touchMove", (180, 120), (300, 120))
        touch("touchEnd")
        self.assertLess(self.value("replay.orbit.distance"), distance)
        # and back to the camera of the scene
        self.browser.key("0")
        self.browser.wait_for("!replay.dirty")
        for a, b in zip(self.value("replay.orbit.view().eye"), eye):
            self.assertAlmostEqual(a, b, places=5)

    def test_bodies_are_where_the_recording_has_them(self):
        tracks = self.value("replay.recording.tracks.filter(t => t.body !== undefined && !t.pose).map(t => t.name)")
        self.assertGreater(len(tracks), 10)
        with open(self.folder / "p.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["body"] in tracks]
        frames = self.value("replay.recording.frames")
        self.assertEqual(len(rows), frames * len(tracks))
        poses = self.value("replay.recording.tracks.filter(t => t.body !== undefined && !t.pose).map("
                           "t => Array.from(t.values))")
        # positions are kept to 1/65535 of the way, orientations to 1/32767
        for i, row in enumerate(rows):
            frame, body = divmod(i, len(tracks))
            values = poses[tracks.index(row["body"])][7 * frame:7 * frame + 7]
            for key, value in zip("xyz", values):
                self.assertAlmostEqual(value, float(row[key]), delta=2e-4)
            alike = sum(float(row[k]) * v for k, v in zip(("qw", "qx", "qy", "qz"), values[3:]))
            self.assertGreater(abs(alike), 1 - 1e-3)

    def test_a_click_names_the_body_that_is_there(self):
        # the middle of the car's chassis, projected by hand
        name = self.value("replay.recording.tracks.find(t => t.body !== undefined && /chassis|car/.test(t.name)).name")
        x, y = self.value("""(() => { const r = replay.recording, t = r.tracks.find(t => t.name === '%s');
          const v = replay.orbit.view(), d = sub(r.pose(t, replay.frame).slice(0, 3), v.eye), z = -dot(d, v.back);
          const c = document.querySelector('canvas'), height = c.clientHeight, f = height / 2 / Math.tan(v.fov / 2);
          return [c.clientWidth / 2 + f * dot(d, v.right) / z, height / 2 - f * dot(d, v.up) / z]; })()""" % name)
        before = self.picture()
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)
        self.browser.wait_for("document.getElementById('picked').textContent !== ''")
        self.assertIn(name, self.value("document.getElementById('picked').textContent"))
        after = self.picture()
        # it is painted orange now
        red, _, blue = after[round(y) - 60][round(x)]
        self.assertGreater(red, blue + 30)
        self.assertNotEqual(before[round(y) - 60][round(x)], after[round(y) - 60][round(x)])

    def test_the_bar_hides_nothing_of_the_picture(self):
        canvas, bar, page = (self.value(f"{what}") for what in (
            "document.querySelector('canvas').getBoundingClientRect().bottom",
            "document.getElementById('bar').getBoundingClientRect().top", "innerHeight"))
        self.assertLessEqual(canvas, bar + 0.5)
        self.assertGreater(canvas, 0.75 * page)

    def test_nothing_is_loaded_from_elsewhere(self):
        for page in ("replay.html", "plot.html"):
            text = (self.folder / page).read_text()
            links = set(re.findall(r"https?://[^\s\"'<>)]+", text))
            self.assertLessEqual(links, {"http://www.w3.org/2000/svg"})
            self.assertEqual(re.findall(r"<(?:script|img|iframe)[^>]*\bsrc=|@import|url\(", text), [])

    def test_a_plot_tells_the_numbers_at_the_pointer(self):
        self.browser.open(self.folder / "plot.html")
        self.browser.wait_for("!!document.querySelector('main svg')")
        self.browser.mouse("mouseMoved", 240, 70)
        self.browser.wait_for("document.getElementById('box').style.display === 'block'")
        text = self.value("document.getElementById('box').innerText")
        for word in ("kinetic", "potential", " J", " s"):
            self.assertIn(word, text)

    def test_without_webgl_it_says_what_helps(self):
        other = Browser(WIDTH, HEIGHT, ["--disable-3d-apis"])
        try:
            other.open(self.folder / "replay.html")
            other.wait_for("/WebGL 2/.test(document.getElementById('message')?.innerText)")
            text = other.evaluate("document.getElementById('message').innerText")
            self.assertIn("another browser", text)
        finally:
            other.close()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
