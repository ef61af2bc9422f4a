#!/usr/bin/env python3
"""Writes gallery/figures/walk.bvh: a walk made of sines, for tests and for the gallery.

    python3 tools/make_walk_bvh.py > gallery/figures/walk.bvh

Nobody was recorded: hips, knees and arms swing by formulas with 0.95 pairs of steps per second, and the
hips move forward with the stride. Units are centimetres, y is up, the figure faces +z. Knees and
elbows turn about one axis each, so that hinges can follow.
"""
import math

FRAMES_PER_S = 30
SECONDS = 2.4
PAIRS_PER_S = 0.95
SPEED = 105  # cm/s

# name, parent, offset; rotations are Z, Y, X unless said otherwise
TREE = [
    ("Hips", None, (0, 0, 0)),
    ("LeftUpLeg", "Hips", (9, -6, 0)),
    ("LeftLeg", "LeftUpLeg", (0, -42, 0)),
    ("LeftFoot", "LeftLeg", (0, -41, 0)),
    ("LeftToeBase", "LeftFoot", (0, -5, 13)),
    ("RightUpLeg", "Hips", (-9, -6, 0)),
    ("RightLeg", "RightUpLeg", (0, -42, 0)),
    ("RightFoot", "RightLeg", (0, -41, 0)),
    ("RightToeBase", "RightFoot", (0, -5, 13)),
    ("Spine", "Hips", (0, 9, 0)),
    ("Spine1", "Spine", (0, 17, 0)),
    ("Neck", "Spine1", (0, 24, 0)),
    ("Head", "Neck", (0, 10, 1)),
    ("LeftShoulder", "Spine1", (3, 19, 0)),
    ("LeftArm", "LeftShoulder", (14, 0, 0)),
    ("LeftForeArm", "LeftArm", (29, 0, 0)),
    ("LeftHand", "LeftForeArm", (25, 0, 0)),
    ("LeftHandIndex", "LeftHand", (9, 0, 0)),
    ("RightShoulder", "Spine1", (-3, 19, 0)),
    ("RightArm", "RightShoulder", (-14, 0, 0)),
    ("RightForeArm", "RightArm", (-29, 0, 0)),
    ("RightHand", "RightForeArm", (-25, 0, 0)),
    ("RightHandIndex", "RightHand", (-9, 0, 0)),
]
TIPS = {
    "LeftToeBase": (0, 0, 7),
    "RightToeBase": (0, 0, 7),
    "Head": (0, 17, 1),
    "LeftHandIndex": (8, 0, 0),
    "RightHandIndex": (-8, 0, 0),
}


def leg(phase):
    """Thigh, shin, foot and toes about x, degrees; the leg is in the middle of its swing at 0."""
    hip = -6 - 24 * math.sin(phase)
    knee = 8 + 48 * (0.5 + 0.5 * math.cos(phase)) ** 2
    foot = -0.55 * (hip + knee) - 6 * math.cos(phase + 0.8)
    toes = 10 - 10 * math.cos(phase + 2.2)
    return hip, knee, foot, toes


def frame(t):
    """Channels of all joints: {name: (z, y, x)}, and the root's position."""
    phi = 2 * math.pi * PAIRS_PER_S * t
    sway, swing = math.sin(phi), math.cos(phi)
    turns = {name: (0, 0, 0) for name, _, _ in TREE}
    for side, phase in (("Left", phi), ("Right", phi + math.pi)):
        hip, knee, foot, toes = leg(phase)
        turns[side + "UpLeg"] = (0, 0, hip)
        turns[side + "Leg"] = (0, 0, knee)
        turns[side + "Foot"] = (0, 0, foot)
        turns[side + "ToeBase"] = (0, 0, -toes)
        # arms hang, and swing against the legs
        sign = 1 if side == "Left" else -1
        swing_arm = 22 * math.sin(phase)
        turns[side + "Shoulder"] = (-4 * sign, 3 * sign * math.sin(phase), 0)
        turns[side + "Arm"] = (-72 * sign, sign * swing_arm, 0)
        turns[side + "ForeArm"] = (0, -sign * (24 - 14 * math.sin(phase)), 0)
        turns[side + "Hand"] = (-6 * sign, 0, 8 * math.sin(phase))
        turns[side + "HandIndex"] = (-18 * sign, 0, 0)
    turns["Hips"] = (2.5 * swing, 6 * sway, 2)
    turns["Spine"] = (-2 * swing, -5 * sway, 2)
    turns["Spine1"] = (-1.5 * swing, -6 * sway, 2)
    turns["Neck"] = (0, 3 * sway, -3)
    turns["Head"] = (1.5 * swing, 2 * sway, -3 + 2 * math.cos(2 * phi))
    position = (1.8 * swing, 93 + 1.6 * math.cos(2 * phi + 0.4), SPEED * t)
    return position, turns


def write_tree(name, depth):
    pad = "\t" * depth
    offset = next(o for n, _, o in TREE if n == name)
    print(f"{pad}{'ROOT' if depth == 0 else 'JOINT'} {name}")
    print(pad + "{")
    print(f"{pad}\tOFFSET {offset[0]:.2f} {offset[1]:.2f} {offset[2]:.2f}")
    rotations = "Zrotation Yrotation Xrotation"
    root = "6 Xposition Yposition Zposition "
    print(f"{pad}\tCHANNELS {root if depth == 0 else '3 '}{rotations}")
    for child in (n for n, p, _ in TREE if p == name):
        write_tree(child, depth + 1)
    if name in TIPS:
        tip = TIPS[name]
        print(f"{pad}\tEnd Site")
        print(pad + "\t{")
        print(f"{pad}\t\tOFFSET {tip[0]:.2f} {tip[1]:.2f} {tip[2]:.2f}")
        print(pad + "\t}")
    print(pad + "}")


def main():
    print("HIERARCHY")
    write_tree("Hips", 0)
    count = round(SECONDS * FRAMES_PER_S) + 1
    print(f"MOTION\nFrames: {count}\nFrame Time: {1 / FRAMES_PER_S:.9f}")
    for k in range(count):
        position, turns = frame(k / FRAMES_PER_S)
        values = list(position)
        for name, _, _ in TREE:
            values += turns[name]
        print(" ".join(f"{v:.4f}" for v in values))


main()
