"""The tenon command as a user meets it: runs, reports, mistakes, kills, full disks.

Usage: cli_test.py PATH_OF_TENON FOLDER_OF_THIS_FILE
"""
import csv
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

from cli_case import FALL, HERE, SWING, TENON, CliCase, tenon


# a scene busy enough that a run takes a while
BUSY = """{ "tenon": 1, "world": { "step": "1/240", "duration": "20 s", "gravity": [0, 0, 0] },
  "arrays": [ { "for": { "i": 6, "j": 6, "k": 6 }, "bodies": [ { "name": "b_{i}_{j}_{k}",
    "shape": { "type": "box", "size": [0.3, 0.5, 0.2] }, "position": ["i", "j", "k"],
    "velocity": ["0.1*(j-3)", "0.1*(k-3)", "0.1*(i-3)"],
    "angular_velocity": ["1+0.1*i", "2-0.1*j", "0.3*k"] } ] } ] }"""


# a crate on a belt that carries it through a light barrier
LINE = """{ "tenon": 1, "world": { "step": "1/100", "duration": "3 s", "gravity": [0, -10, 0] }, "bodies": [
  { "name": "belt", "motion": "static", "shape": { "type": "box", "size": [4, 0.2, 1] }, "position": [0, -0.1, 0],
    "surface_velocity": ["50 cm/s", 0, 0] },
  { "name": "barrier", "motion": "static", "shape": { "type": "box", "size": [0.01, 0.4, 1] }, "position": [0.6, 0.2, 0],
    "sensor": true },
  { "name": "crate, \\"red\\"", "shape": { "type": "box", "size": [0.3, 0.3, 0.3] }, "mass": 2, "position": [0, 0.16, 0] }
  ] }"""


# a double pendulum whose second joint breaks
ARM = """{ "tenon": 1, "world": { "step": "1/100", "duration": "1 s" }, "bodies": [
  { "name": "arm", "shape": { "type": "box", "size": [1, 0.1, 0.1] }, "mass": 1, "position": [0.5, 0, 0] },
  { "name": "hand", "shape": { "type": "box", "size": [1, 0.1, 0.1] }, "mass": 1, "position": [1.5, 0, 0] } ],
  "joints": [
  { "name": "shoulder", "type": "hinge", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1] },
  { "name": "wrist", "type": "hinge", "parent": "arm", "child": "hand", "at": [1, 0, 0], "axis": [0, 0, 1],
    "break_force": 15 } ] }"""


class CliTest(CliCase):
    # -- help and usage

    def test_every_command_has_help_with_an_example(self):
        text = self.ok("--help")
        commands = re.findall(r"^  (\w+)  ", text.split("Subcommands:")[1].split("Examples:")[0], re.M)
        self.assertGreaterEqual(len(commands), 8)
        for command in commands:
            self.assertIn("Example", self.ok(command, "--help"), command)

    def test_wrong_usage_exits_with_2(self):
        self.fails(2)
        self.fails(2, "fly")
        self.fails(2, "run")
        self.fails(2, "run", "gallery:free-top", "--threads", "0")

    def test_misspelt_words_get_a_suggestion(self):
        self.assertIn("'rum' is not a command or option of tenon; did you mean 'run'?", self.fails(2, "rum", "x.json"))
        self.assertIn("did you mean '--version'?", self.fails(2, "--verison"))
        for words, meant in [(["run", "gallery:pendulum", "--secnds", "1"], "--seconds"),
                             (["run", "gallery:pendulum", "--secnds=1"], "--seconds"),
                             (["resume", "x.tenon", "--ouput", "y.tenon"], "--output"),
                             (["export", "x.tenon", "--pose", "y.csv"], "--poses")]:
            said = self.fails(2, *words)
            self.assertIn(f"is not an option of 'tenon {words[0]}'; did you mean '{meant}'?", said)
        self.assertIn("scene is required", self.fails(2, "run", "--no-joints"))
        self.assertIn("did you mean 'gallery:pendulum'?", self.fails(1, "run", "pendulum"))
        self.assertIn("did you mean 'pendulum'?", self.fails(1, "run", "gallery:pendulm"))
        self.assertIn("did you mean 'bench/s2'?", self.fails(1, "check", "gallery:s2"))

    def test_help_offers_only_methods_that_work(self):
        offered = re.search(r"--method TEXT +(.*)", self.ok("run", "--help")).group(1)
        methods = re.findall(r"impulse|force|displacement", offered)
        self.assertEqual(len(methods), 3)
        for method in methods:
            self.ok("run", "gallery:free-top", "--seconds", "0.1", "--method", method)

    # -- runs and reports

    def test_forces_that_never_act_are_named(self):
        scene = self.path("late.json", """{ "tenon": 1, "world": { "duration": 1 }, "bodies": [
          { "name": "ball", "shape": { "type": "sphere", "radius": 0.1 } } ], "forces": [
          { "name": "late", "body": "ball", "force": [1, 0, 0], "from": 3, "until": 4 },
          { "name": "flat", "body": "ball", "force": [1, 0, 0], "curve": [{"t": 0, "scale": 0}, {"t": 2, "scale": 0}, {"t": 3, "scale": 1}] },
          { "name": "good", "body": "ball", "force": [1, 0, 0], "from": 0.5 } ] }""")
        for command in ("run", "check"):
            out = self.ok(command, scene)
            self.assertIn('"late" begins at 3 s, but the run ends at 1 s', out)
            self.assertIn('"flat" is zero during the whole run', out)
            self.assertNotIn('"good"', out)
        self.assertNotIn("never acts", self.ok("run", scene, "--seconds", "3.5"))

    def test_joints_that_start_outside_their_limits_are_named(self):
        scene = self.path("elbow.json", """{ "tenon": 1, "world": { "duration": 0.1 }, "bodies": [
          { "name": "arm", "shape": { "type": "sphere", "radius": 0.1 }, "motion": "static" },
          { "name": "hand", "shape": { "type": "sphere", "radius": 0.1 }, "position": [1, 0, 0],
            "orientation": { "axis": [0, 0, 1], "angle": "50 deg" } } ], "joints": [
          { "name": "elbow", "type": "hinge", "parent": "arm", "child": "hand",
            "parent_frame": { "position": [0.5, 0, 0], "axis": [0, 0, 1] },
            "child_frame": { "position": [-0.5, 0, 0], "axis": [0, 0, 1] },
            "limits": ["-10 deg", "20 deg"] } ] }""")
        said = self.ok("check", scene) + tenon("run", scene).stderr
        self.assertEqual(said.count('joint "elbow": it starts outside its limits: the coordinate rx '
                                    'is above `max` (got 50 deg; accepted: 20 deg or less)'), 2)
        said = self.ok("check", scene, "--set", "joints.elbow.limits=[\"-10 deg\", \"60 deg\"]")
        self.assertNotIn("outside", said)

    def test_the_energy_of_springs_is_reported(self):
        report = self.path("report.json")
        out = self.ok("run", "gallery:connections", "--seconds", "0.1", "--report", report)
        self.assertIn("of it in springs: ", out)
        with open(report, encoding="utf-8") as file:
            energy = json.load(file)["energy_J"]
        self.assertGreater(energy["springs_start"], 0)
        self.assertGreater(energy["springs_end"], 0)
        self.assertGreaterEqual(energy["max"], energy["start"])

    def test_connections_are_called_what_the_scene_calls_them(self):
        run = self.path("c.tenon")
        self.ok("run", "gallery:connections", "-o", run, "--seconds", "0.1")
        out = self.ok("info", run, "--joints")
        for word in ("spring", "damper", "rod", "shock absorber", "rope", "rigid", "ball", "Hz"):
            self.assertIn(word, out)
        self.assertNotIn("distance", out)
        self.assertNotIn("six", out)

    # -- files that are there already

    def test_files_of_another_kind_are_not_overwritten(self):
        scene, other = self.path("fall.json", FALL), self.path("other.json", ARM)
        notes, run = self.path("notes.txt", "my notes"), self.path("run.tenon")
        world = self.path("swing.world", SWING)
        self.ok("run", scene, "-o", run, "--seconds", "0.1")
        self.ok("run", scene, "-o", run, "--seconds", "0.2")  # recordings may be replaced
        for path, text, kind in [(other, ARM, "is a scene"), (notes, "my notes", "is no recording"),
                                 (world, SWING, "is a scene")]:
            self.assertIn(kind, self.fails(1, "run", scene, "-o", path))
            self.assertIn(kind, self.fails(1, "resume", run, "-o", path, "--seconds", "1"))
            if path != notes:
                self.assertIn("--overwrite", self.fails(1, "convert", scene, "-o", path))
                self.assertIn(kind, self.fails(1, "run", scene, "--report", path))
                self.assertIn(kind, self.fails(1, "export", run, "--poses", path))
                self.assertIn(kind, self.fails(1, "referee", "gallery:pendulum", "-o", path))
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        self.assertIn("is a recording", self.fails(1, "run", scene, "--report", run))
        self.ok("convert", scene, "-o", world, "--overwrite")
        report = self.path("report.json")
        self.ok("run", scene, "--report", report)
        self.ok("run", scene, "--report", report)

    def test_a_recording_is_no_scene_and_says_what_to_do_with_it(self):
        run = self.path("run.tenon")
        self.ok("run", "gallery:pendulum", "-o", run, "--seconds", "0.1")
        for command in (["run", run], ["check", run], ["convert", run, "-o", self.path("x.json")]):
            said = self.fails(1, *command)
            self.assertIn("this is a recording", said)
            for word in ("tenon info", "tenon export", "tenon resume"):
                self.assertIn(word, said)

    def test_an_export_is_written_whole_or_not_at_all(self):
        scene, run = self.path("fall.json", FALL), self.path("run.tenon")
        self.ok("run", scene, "-o", run, "--no-joints")
        files = {name: self.path(name) for name in ("poses", "joints", "contacts", "svg")}
        said = self.fails(1, "export", run, *[w for n, p in files.items() for w in ("--" + n, p)])
        self.assertIn("joint", said)
        self.assertIn("contact", said)
        self.assertIn("nothing was written", said)
        for path in files.values():
            self.assertFalse(os.path.exists(path))
        said = self.fails(1, "export", run, "--poses", files["poses"], "--svg", files["svg"], "--at", "99")
        self.assertIn("99 s", said)
        self.assertIn("0 to 1 s", said)
        self.assertFalse(os.path.exists(files["poses"]))
        self.ok("export", run, "--poses", files["poses"], "--svg", files["svg"], "--at", "1")

    def test_every_gallery_scene_runs_and_reports_all_keys(self):
        names = self.ok("gallery", "--names").split()
        self.assertIn("in-flight", names)
        seconds = "0.1" if "TENON_SHORT_TESTS" in os.environ else "0.5"
        for name in names:
            with self.subTest(scene=name):
                # scenes of millions of triangles have a factor for them: a quarter of them, for a few steps
                text = self.ok("gallery", "--show", name)
                if "TENON_SHORT_TESTS" in os.environ and '"type": "mesh"' in text:
                    continue  # distance fields take minutes where a sanitizer watches
                fine = '"fine": 1' in text
                coarse = ["--set", "parameters.fine=0.5"] if fine else []
                self.assertIn("fine", self.ok("check", "gallery:" + name, *coarse))
                report = self.path("report.json")
                time = "0.1" if fine else seconds
                out = self.ok("run", "gallery:" + name, "--seconds", time, "--report", report,
                              "-o", self.path("run.tenon"), *coarse)
                self.assertIn("energy", out)
                with open(report, encoding="utf-8") as file:
                    data = json.load(file)
                for key in ("scene method step_s steps bodies joints contacts_max cpu_ms_per_step "
                            "phases_ms real_time_factor joint_gap_m joint_gap_rel joint_angle_rad "
                            "contact_solution penetration_m energy_J momentum health").split():
                    self.assertIn(key, data)
                for key in ("mean", "min", "p99", "max"):
                    self.assertIn(key, data["cpu_ms_per_step"])
                for key in ("joint_gap_m", "joint_gap_rel", "joint_angle_rad"):
                    self.assertEqual(sorted(data[key]), ["end", "max", "rms"])
                for key in ("start", "end", "min", "max", "contacts", "balance_error"):
                    self.assertIn(key, data["energy_J"])
                if name.startswith("health/"):
                    continue  # what they are there for
                if data["method"] == "displacement":
                    continue  # previews: they may lose what they cannot resolve
                scale = 1 + abs(data["energy_J"]["max"])
                unexplained = data["energy_J"]["balance_error"]
                if data["joints"] == 0:
                    self.assertLess(abs(unexplained), 1e-10 * scale)
                else:  # jointed bodies lose what the step cannot resolve, and gain nothing
                    self.assertLess(unexplained, 1e-3 * scale)
                    self.assertGreater(unexplained, -0.05 * scale)
                self.assertEqual(data["steps"], math.ceil(float(time) / data["step_s"] - 1e-9))
                self.assertGreater(data["bodies"], 0)

    def test_every_hint_of_health_has_a_scene_that_triggers_it(self):
        names = [n for n in self.ok("gallery", "--names").split() if n.startswith("health/")]
        self.assertEqual(len(names), 6)
        for name in names:
            with self.subTest(scene=name):
                run, events = self.path("run.tenon"), self.path("events.csv")
                out = self.ok("run", "gallery:" + name, "-o", run)
                self.ok("export", run, "--events", events)
                with open(events, encoding="utf-8") as file:
                    kinds = [line.split(",")[2] for line in file]
                self.assertIn("health_" + name.split("/")[1].replace("-", "_"), kinds)
                hints = re.findall(r"^  hint +(.*)$", out, re.M)
                self.assertTrue(hints, out)
                self.assertTrue(any(" s" in hint and "help" in hint for hint in hints), out)
                # the recording says the same
                self.assertIn(hints[0], self.ok("info", run))

    def test_the_referee_says_how_far_a_fast_run_is_off(self):
        table = self.path("off.csv")
        out = self.ok("referee", "gallery:double-pendulum", "--seconds", "2", "-o", table)
        for label in ("16.67 ms", "4.167 ms", "1 ms"):
            self.assertIn("impulse, " + label, out)
        orders = [float(order) for order in re.findall(r"observed order ([0-9.]+)", out)]
        self.assertEqual(len(orders), 2, out)
        for order in orders:
            self.assertAlmostEqual(order, 2, delta=0.15)
        with open(table, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "t,run,step_s,body,error_m,position_m,angle_rad,uncertainty_m")
        self.assertEqual(len(lines), 1 + 3 * 2 * 41)
        run = self.path("run.tenon")
        self.ok("run", "gallery:double-pendulum", "--seconds", "1", "-o", run)
        out = self.ok("referee", run)
        self.assertIn("impulse, 0.0166667 s", out)
        self.assertIn("rod_1: off by at most", out)

    def test_the_referee_refuses_what_it_cannot_judge(self):
        self.assertIn("not a step", self.fails(1, "referee", "gallery:pendulum", "--steps", "fast"))
        self.assertIn("in common",
                      self.fails(1, "referee", "gallery:pendulum", "--steps", "0.01,0.00707106781"))
        self.fails(1, "referee", "gallery:nothing")
        self.fails(1, "referee", self.path("nothing.tenon"))
        self.fails(2, "referee", "gallery:pendulum", "--accuracy", "0")

    def test_scenes_after_aero_run_by_its_own_method(self):
        names = [n for n in self.ok("gallery", "--names").split() if n.startswith("aero/")]
        self.assertGreaterEqual(len(names), 15)
        for name in names:
            with self.subTest(scene=name):
                out = self.ok("run", "gallery:" + name, "--method", "force", "--seconds", "0.3")
                self.assertIn("energy", out)

    def test_joints_of_rules_are_counted_and_explain_what_joining_loses(self):
        report = self.path("r.json")
        out = self.ok("run", "gallery:tread", "--seconds", "2", "--report", report)
        with open(report, encoding="utf-8") as file:
            solution = json.load(file)["joint_solution"]
        # twelve pins are on the sprockets at first; 3.3 teeth pass each of them
        self.assertAlmostEqual(solution["made"], 12 + 6.7, delta=2)
        self.assertAlmostEqual(solution["released"], 6.7, delta=2)
        self.assertIn("rules made %d joints and released %d" % (solution["made"], solution["released"]), out)
        self.assertNotIn("nothing to explain", out)

    def test_options_of_the_joint_solver_are_overrides(self):
        report = self.path("r.json")
        self.ok("run", "gallery:bricard", "--seconds", "0.2", "--joint-solver", "sweep", "--sweeps", "3",
                "--tolerance", "1e-9", "--report", report)
        with open(report, encoding="utf-8") as file:
            data = json.load(file)
        self.assertEqual(data["joints"], 6)
        solution = data["joint_solution"]
        self.assertEqual(sorted(solution), ["bisections", "broken", "fallbacks", "iterations", "made", "released",
                                            "softened_steps", "substeps", "unconverged_joints_max",
                                            "unconverged_steps", "worst_joint", "worst_time_s"])
        self.assertIn("integration", self.fails(1, "run", "gallery:bricard", "--integration", "wild"))
        fig10 = ("run", "gallery:fig10", "--seconds", "0.1", "--joint-solver", "sweep")
        self.assertNotIn("overlapped", self.ok(*fig10))
        self.assertIn("overlapped", self.ok(*fig10, "--sweep-option", "joints.correction=after_move",
                                            "--sweep-option", "push_out.on=false"))
        self.assertIn("before_move, after_move", self.fails(1, *fig10, "--sweep-option", "joints.correction=late"))
        self.assertIn("did you mean 'shock'", self.fails(1, *fig10, "--sweep-option", "shok.on=false"))
        self.assertIn("only the joint solver 'sweep'",
                      self.fails(1, "run", "gallery:fig10", "--sweep-option", "shock.on=false"))
        self.assertIn("joint_solver", self.fails(1, "run", "gallery:bricard", "--joint-solver", "x"))
        out = self.ok("run", "gallery:bricard", "--seconds", "0.2", "--integration", "conservative")
        self.assertIn("6 joints, worst gap", out)
        self.assertNotIn("substeps", out)
        out = self.ok("run", "gallery:bricard", "--seconds", "0.2", "--integration", "rattle", "--report", report)
        self.assertIn("substeps per step", out)
        with open(report, encoding="utf-8") as file:
            self.assertGreaterEqual(json.load(file)["joint_solution"]["substeps"]["max"], 1)

    def test_joints_are_recorded_and_exported_with_names(self):
        scene = self.path("arm.json", ARM)
        run, table, events = self.path("r.tenon"), self.path("j.csv"), self.path("e.csv")
        self.ok("run", scene, "-o", run)
        self.ok("export", run, "--joints", table, "--events", events, "--every", "10")
        rows = self.table(table)
        self.assertEqual(list(rows[0]), ("t joint gap_m angle_rad x y z rx ry rz fx fy fz tx ty tz enabled "
                                         "broken").split())
        self.assertEqual([row["joint"] for row in rows[:2]], ["shoulder", "wrist"])
        self.assertEqual(len(rows), 2 * 11)
        self.assertEqual(rows[1]["broken"], "0")
        self.assertEqual(rows[-1]["broken"], "1")
        broke = [row for row in self.table(events) if row["joint"]]
        self.assertEqual([(row["event"], row["joint"]) for row in broke], [("joint_broke", "wrist")])
        self.assertIn("shoulder  hinge  world", self.ok("info", run, "--joints"))
        self.assertIn("2, recorded in every frame", self.ok("info", run))
        more = self.path("more.tenon")
        self.ok("resume", run, "--at", "0.05", "--seconds", "0.5", "-o", more)
        late = self.fails(1, "resume", run, "--at", "99", "-o", self.path("late.tenon"))
        self.assertIn("got 99 s; accepted: --at from 0 s to ", late)
        self.assertIn("equal", self.ok("compare", run, more))
        # not asked for
        self.ok("run", scene, "-o", run, "--no-joints")
        self.assertIn("--joints", self.fails(1, "export", run, "--joints", table))
        self.assertEqual(len(self.table(table)), 2 * 11, "a failed export leaves the old table alone")

    def test_contacts_are_recorded_and_exported_with_names(self):
        scene = self.path("line.json", LINE)
        run, table, events = self.path("r.tenon"), self.path("c.csv"), self.path("e.csv")
        self.ok("run", scene, "-o", run, "--contacts")
        self.assertIn("points, recorded in every step", self.ok("info", run))
        self.ok("export", run, "--contacts", table, "--events", events)
        rows = self.table(table)
        self.assertEqual(list(rows[0]), "t step a b x y z nx ny nz distance_m jx jy jz acts".split())
        # at rest on the belt: the impulses of a step add up to the weight
        last = [row for row in rows if row["step"] == "300" and row["acts"] == "1"]
        self.assertEqual({row["b"] for row in last} | {row["a"] for row in last}, {"belt", "crate, \"red\""})
        upward = sum(float(row["jy"]) * float(row["ny"]) for row in last)
        self.assertAlmostEqual(upward, 2 * 10 * 0.01, 5)
        felt = [row for row in self.table(events) if row["event"].startswith("sensor")]
        self.assertEqual([(row["event"], row["a"], row["b"]) for row in felt],
                         [(event, "barrier", 'crate, "red"') for event in ("sensor_enter", "sensor_leave")])
        begin = [row for row in self.table(events) if row["event"] == "contact_begin"]
        self.assertGreater(float(begin[0]["impulse"]), 0)
        self.ok("export", run, "--contacts", table, "--body", "barrier", "--from", "1", "--every", "10")
        rows = self.table(table)
        self.assertEqual({row["acts"] for row in rows}, {"0"})
        self.assertEqual({int(row["step"]) % 10 for row in rows}, {0})
        more = self.path("more.tenon")
        self.ok("resume", run, "--seconds", "0.5", "-o", more)
        self.assertIn("points, recorded in every step", self.ok("info", more))
        # not asked for
        self.ok("run", scene, "-o", run, "--seconds", "0.1")
        self.assertIn("--contacts", self.fails(1, "export", run, "--contacts", table))

    def test_the_parcel_line_carries_counts_and_lets_through(self):
        run, events, poses = self.path("r.tenon"), self.path("e.csv"), self.path("p.csv")
        self.ok("run", "gallery:parcels", "-o", run)
        self.ok("export", run, "--events", events, "--poses", poses, "--from", "12")
        self.ok("export", run, "--events", events)
        felt = [(row["event"], row["b"]) for row in self.table(events) if row["a"] == "light barrier"]
        self.assertEqual(felt, [(event, f"parcel_{i}") for i in range(5, -1, -1)
                                for event in ("sensor_enter", "sensor_leave")])
        end = {row["body"]: [float(row[key]) for key in "xyz"] for row in self.table(poses)}
        for i in range(3):  # thrown up through the deck, 1.22 m high, and at rest on it
            self.assertAlmostEqual(end[f"ball_{i}"][1], 1.32, 3)
        for i in range(6):  # in the bin
            x, y, z = end[f"parcel_{i}"]
            self.assertTrue(0.6 < x < 2.6 and 0 < y < 0.6 and 2.6 < z < 4.6, (x, y, z))

    def test_check_says_what_mechanisms_can_do(self):
        out = self.ok("check", "gallery:bricard", "--mobility")
        self.assertIn("freedoms   1\n", out)
        self.assertIn('redundant  joint "hinge_5": 1 of the 5', out)
        self.assertIn("no mechanism", self.ok("check", "gallery:free-top", "--mobility"))
        twice = ARM.replace('"type": "hinge", "child"', '"type": "rigid", "child"').replace(
            '"joints": [', '"joints": [ { "name": "other", "type": "rigid", "child": "arm", "at": [0, 0, 0], '
            '"to": [0, 0.01, 0] },')
        out = self.fails(1, "check", self.path("twice.json", twice), "--mobility")
        self.assertIn("contradict", out)
        self.assertIn('"shoulder" by', out)
        self.assertIn('"other" by', out)

    def test_options_and_overrides_change_the_run_and_are_recorded(self):
        scene = self.path("s.json", BUSY)
        run, report = self.path("r.tenon"), self.path("r.json")
        self.ok("run", scene, "-o", run, "--seconds", "0.25 s", "--step", "1/120", "--report", report,
                "--set", "world.gravity=[0, -1.62, 0]")
        with open(report, encoding="utf-8") as file:
            data = json.load(file)
        self.assertEqual(data["steps"], 30)
        self.assertAlmostEqual(data["step_s"], 1 / 120)
        self.assertLess(data["momentum"]["linear_end"][1], data["momentum"]["linear_start"][1])
        # resuming uses the recorded overrides, not the scene as written
        more = self.path("more.tenon")
        self.ok("resume", run, "--at", "0.1", "--seconds", "0.15", "-o", more)
        self.assertIn("equal", self.ok("compare", run, more))

    def test_csv_has_the_promised_columns_and_the_start_of_the_scene(self):
        run, table = self.path("r.tenon"), self.path("r.csv")
        self.ok("run", self.path("s.json", BUSY), "-o", run, "--seconds", "0.1")
        self.ok("export", run, "--poses", table, "--body", "b_1_2_3")
        with open(table, encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(",".join(rows[0]), "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz")
        self.assertEqual(len(rows), 1 + 25)
        first = rows[1]
        self.assertEqual([float(v) for v in first[2:5]], [1, 2, 3])
        self.assertEqual([round(float(v), 12) for v in first[9:12]], [-0.1, 0.0, -0.2])
        last = rows[-1]
        # constant velocity without gravity: exact to round-off
        self.assertAlmostEqual(float(last[2]), 1 - 0.1 * 0.1, places=14)

    def table(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_events_and_diagnostics_are_exported_as_tables(self):
        run, events, steps = self.path("r.tenon"), self.path("e.csv"), self.path("d.csv")
        self.ok("run", self.path("s.json", FALL), "-o", run)
        out = self.ok("export", run, "--events", events, "--diagnostics", steps)
        self.assertIn("d.csv: 100 lines", out)
        rows = self.table(events)
        self.assertEqual(list(rows[0]), "t step event a b value joint impulse".split())
        begin = rows[0]
        self.assertEqual(begin["event"], "contact_begin")
        self.assertEqual({begin["a"], begin["b"]}, {"ball, red", "floor"})
        # the ball's lowest point reaches the floor's top after 1 - 0.1 - 0.1 = 0.8 m of free fall: at 0.4 s,
        # to the step; whether touching counts is left to round-off
        self.assertIn(int(begin["step"]), (40, 41))
        self.assertLessEqual(float(begin["value"]), 1e-12)
        self.assertGreater(float(begin["impulse"]), 0)
        rows = self.table(steps)
        self.assertEqual(list(rows[0]), (
            "t step kinetic_J potential_J work_J balance_J px py pz lx ly lz contacts contact_pairs "
            "penetration_m joint_gap_m joint_gap_rel joint_angle_rad frozen_bodies worst_joint "
            "joint_iterations bisections softened_steps unconverged_joints contact_work_J contact_sweeps "
            "contact_residual candidate_pairs substeps fallbacks sleeping_bodies elastic_J").split())
        self.assertEqual([int(row["step"]) for row in rows], list(range(1, 101)))
        self.assertAlmostEqual(float(rows[19]["py"]), -14 * 10 * 0.2, places=12)
        for row in rows:
            energy = float(row["kinetic_J"]) + float(row["potential_J"]) - float(row["work_J"])
            self.assertEqual(float(row["balance_J"]), energy)
        self.assertGreater(max(int(row["contacts"]) for row in rows), 0)
        self.assertLess(float(rows[-1]["contact_work_J"]), 0)
        # choices
        self.ok("export", run, "--events", events, "--diagnostics", steps, "--body", "far", "--from", "0.2",
                "--to", "0.4", "--every", "5")
        self.assertEqual(self.table(events), [])
        self.assertEqual([row["step"] for row in self.table(steps)], ["20", "25", "30", "35", "40"])
        self.ok("export", run, "--events", events, "--body", "ball, red", "--body", "far")
        self.assertGreater(len(self.table(events)), 0)
        self.assertIn("nobody", self.fails(1, "export", run, "--events", events, "--body", "nobody"))
        self.assertGreater(len(self.table(events)), 0, "a failed export leaves the old table alone")

    def test_exports_need_files_of_their_own(self):
        run = self.path("r.tenon")
        self.ok("run", "gallery:free-top", "-o", run, "--seconds", "0.1")
        kinds = ("--poses", "--events", "--diagnostics", "--svg")
        for i, a in enumerate(kinds):
            self.assertIn("overwrite", self.fails(1, "export", run, a, run))
            for b in kinds[:i]:
                # the same file in two spellings, not there before
                text = self.fails(1, "export", "r.tenon", a, "x.out", b, "./x.out", cwd=self.folder.name)
                self.assertIn("file of its own", text)
        self.assertFalse(os.path.exists(self.path("x.out")))
        self.assertIn("r.tenon", self.ok("info", run))

    def test_info_lists_bodies_with_their_masses(self):
        run = self.path("r.tenon")
        self.ok("run", self.path("s.json", FALL), "-o", run, "--seconds", "0.1",
                "--set", "bodies.far.mass=\"24 kg\"")
        lines = [re.split(r"  +", line) for line in self.ok("info", run, "--bodies").splitlines()]
        self.assertEqual(lines[0], ["body", "motion", "mass (kg)", "mass centre (m)",
                                    "principal moments (kg m^2)"])
        self.assertEqual(lines[1], ["floor", "static", "-", "-", "-"])
        # 2/5 m r^2; m/12 (b^2 + c^2)
        self.assertEqual(lines[2], ["ball, red", "dynamic", "2", "0 0 0", "0.008 0.008 0.008"])
        self.assertEqual(lines[3], ["far", "dynamic", "24", "0 0 0", "10 20 26"])

    def test_words_agree_with_counts(self):
        run = self.path("r.tenon")
        scene = self.path("s.json", '{"tenon": 1, "world": {"step": "0.01"}, "bodies": [{"name": "a", '
                                    '"shape": {"type": "sphere", "radius": 1}}]}')
        texts = [self.ok("check", scene), self.ok("run", scene, "-o", run, "--seconds", "0.01"),
                 self.ok("info", run), self.ok("export", run, "--diagnostics", self.path("d.csv")),
                 self.fails(1, "export", run, "--events", self.path("e.csv"), "--body", "b")]
        for text in texts:
            self.assertNotRegex(text, r"\b1 (bodies|steps|chunks|lines|frames|pairs|points)\b")
        self.assertIn("fine, 1 body", texts[0])
        self.assertIn("1 step of", texts[1])
        self.assertIn("in 1 chunk,", texts[2])
        self.assertIn(": 1 line\n", texts[3])

    def test_svg_is_well_formed_and_shows_the_bodies(self):
        run, picture = self.path("r.tenon"), self.path("r.svg")
        self.ok("run", self.path("s.json", BUSY), "-o", run, "--seconds", "0.1")
        self.ok("export", run, "--svg", picture, "--at", "0.05", "--strobe", "3", "--size", "640x480")
        with open(picture, encoding="utf-8") as file:
            plain = file.read()
        self.ok("export", run, "--svg", picture, "--at", "50 ms", "--strobe", "3", "--size", "640x480")
        with open(picture, encoding="utf-8") as file:
            self.assertEqual(file.read(), plain)
        self.assertIn("700 ms", self.fails(2, "export", run, "--svg", picture, "--at", "2 kg"))
        root = xml.etree.ElementTree.parse(picture).getroot()
        self.assertEqual((root.get("width"), root.get("height")), ("640", "480"))
        names = {g.get("data-body") for g in root.iter() if g.get("data-body")}
        self.assertIn("b_1_2_3", names)
        with open(picture, "rb") as file:
            before = file.read()
        for wrong in (["--size", "640by480"], ["--camera", "nowhere"]):
            self.assertIn(wrong[1], self.fails(1, "export", run, "--svg", picture, *wrong))
        with open(picture, "rb") as file:
            self.assertEqual(file.read(), before, "a failed export leaves the old picture alone")
        self.assertIn("--svg", self.fails(2, "export", run))

    def test_threads_and_repetition_do_not_change_a_bit(self):
        scene = self.path("s.json", BUSY)
        a, b, c = self.path("a.tenon"), self.path("b.tenon"), self.path("c.tenon")
        self.ok("run", scene, "-o", a, "--seconds", "1", "--threads", "1")
        self.ok("run", scene, "-o", b, "--seconds", "1", "--threads", "2")
        self.ok("run", scene, "-o", c, "--seconds", "1", "--threads", "2")
        self.ok("compare", a, b)
        self.ok("compare", b, c)

    def test_compare_finds_the_first_different_step(self):
        scene = self.path("s.json", BUSY)
        a, b = self.path("a.tenon"), self.path("b.tenon")
        self.ok("run", scene, "-o", a, "--seconds", "0.2")
        self.ok("run", scene, "-o", b, "--seconds", "0.2", "--set", "world.gravity=[0, -1e-9, 0]")
        text = self.fails(1, "compare", a, b)
        self.assertRegex(text, r"step 1\b")
        other = self.path("other.tenon")
        self.ok("run", "gallery:free-top", "-o", other, "--seconds", "0.2")
        text = self.fails(1, "compare", a, other)
        self.assertIn("no body in common", text)
        self.assertNotIn("equal", text)

    # -- interruption

    def start_long_run(self, run):
        scene = self.path("busy.json", BUSY)
        process = subprocess.Popen([TENON, "run", scene, "-o", run, "--seconds", "3000"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            if os.path.exists(run) and os.path.getsize(run) > 3_000_000:
                return process
            time.sleep(0.05)
        process.kill()
        self.fail("the run wrote nothing")

    def test_a_killed_run_is_readable_and_resumes_with_the_same_bits(self):
        run = self.path("killed.tenon")
        process = self.start_long_run(run)
        process.send_signal(signal.SIGKILL)
        process.wait()
        info = self.ok("info", run)
        self.assertIn("cut off", info)
        end = float(re.search(r"0 s to ([0-9.]+) s", info).group(1))
        self.assertGreater(end, 0.5)
        resumed, whole = self.path("resumed.tenon"), self.path("whole.tenon")
        self.ok("resume", run, "--seconds", "1", "-o", resumed)
        self.ok("run", self.path("busy.json", BUSY), "-o", whole, "--seconds", repr(end + 1))
        self.assertIn("equal", self.ok("compare", run, whole))
        self.assertIn("equal", self.ok("compare", resumed, whole))
        self.ok("resume", run, "--at", repr(end / 2), "--seconds", "0.5", "-o", resumed)
        self.ok("compare", resumed, whole)

    def test_ctrl_c_closes_the_recording(self):
        run = self.path("interrupted.tenon")
        process = self.start_long_run(run)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertIn("interrupted", self.ok("info", run))

    def test_a_full_disk_is_reported_and_the_recording_stays_readable(self):
        run = self.path("full.tenon")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

        text = self.fails(1, "run", self.path("s.json", BUSY), "-o", run, preexec_fn=limit)
        self.assertIn(run, text)
        self.assertIn("frames", self.ok("info", run))
        text = self.fails(1, "run", "gallery:free-top", "-o", "/dev/full")
        self.assertIn("/dev/full", text)

    # -- mistakes

    def test_all_eight_mistakes_are_listed_with_line_and_column(self):
        text = self.fails(1, "check", os.path.join(HERE, "eight_mistakes.json"))
        for place in ("3:25", "3:45", "4:40", "6:62", "7:15", "8:43", "9:83", "10:82"):
            self.assertIn(":" + place + ":", text)
        self.assertIn("box", text)       # did you mean
        self.assertIn("position", text)  # did you mean
        self.assertIn("wood", text)
        self.assertIn("8 mistakes", text)

    def test_bad_scenes_get_an_error_and_exit_code_1(self):
        cases = {
            "empty": "", "truncated": BUSY[:200], "binary": "\x00\x01\x02", "nested": "[" * 100000,
            "not a number": '{"tenon": 1, "world": {"step": NaN}}',
            "huge": '{"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1e999}}]}',
            "many": BUSY.replace('"i": 6', '"i": 1000000000000'),
            "joints": '{"tenon": 1, "joints": [{"type": "hinge"}]}',
            "future": '{"tenon": 99}',
            "inertia": '{"tenon": 1, "bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 3],'
                       ' "shape": {"type": "sphere", "radius": 1}}]}',
            "flat hull": '{"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "hull", "points":'
                         ' [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}]}',
        }
        for name, text in cases.items():
            with self.subTest(case=name):
                path = self.path("bad.json", text)
                self.assertRegex(self.fails(1, "check", path), r"bad\.json:\d+:\d+: ")
                self.fails(1, "run", path)

    def test_unsupported_methods_are_refused_by_name(self):
        self.assertIn("magic", self.fails(1, "run", "gallery:free-top", "--method", "magic"))

    def test_bad_overrides_and_sources_are_named(self):
        self.assertIn("gravty", self.fails(1, "run", "gallery:free-top", "--set", "world.gravty=1"))
        self.assertIn("free-top", self.fails(1, "run", "gallery:fre-top"))
        self.assertIn("nowhere.json", self.fails(1, "run", "nowhere.json"))
        self.assertIn("folder", self.fails(1, "run", self.folder.name))

    def test_bad_paths_for_output_are_reported_before_the_run(self):
        self.assertIn("nowhere", self.fails(1, "run", "gallery:free-top", "-o", "/nowhere/x.tenon"))
        scene = self.path("s.json", BUSY)
        self.assertIn("overwrite", self.fails(1, "run", scene, "-o", scene))
        with open(scene, encoding="utf-8") as file:
            self.assertEqual(file.read(), BUSY)

    def test_resuming_beyond_the_end_is_refused_and_leaves_files_alone(self):
        run, other = self.path("r.tenon"), self.path("other.tenon")
        notes = self.path("notes.csv", "precious")
        self.ok("run", "gallery:free-top", "-o", run, "--seconds", "0.5")
        self.ok("run", "gallery:pendulum", "-o", other, "--seconds", "0.1")
        with open(other, "rb") as file:
            before = file.read()
        self.assertIn("0.5 s", self.fails(1, "resume", run, "--at", "1e9", "--seconds", "1", "-o", other))
        self.fails(1, "export", run, "--poses", notes, "--body", "nobody")
        with open(other, "rb") as file:
            self.assertEqual(file.read(), before)
        with open(notes, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_bad_recordings_are_refused(self):
        for name, text in {"empty": "", "text": "hello", "scene": BUSY}.items():
            path = self.path("bad.tenon", text)
            with self.subTest(case=name):
                for command in (["info", path], ["info", path, "--bodies"],
                                ["export", path, "--events", self.path("x.csv")],
                                ["export", path, "--diagnostics", self.path("x.csv")], ["export", path, "--poses", self.path("x.csv")],
                                ["resume", path, "-o", self.path("y.tenon")]):
                    self.assertIn("bad.tenon", self.fails(1, *command))
                self.fails(2, "compare", path, path)
        self.fails(1, "info", "missing.tenon")
        self.fails(1, "info", self.folder.name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
