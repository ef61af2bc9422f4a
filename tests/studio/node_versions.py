"""Every package of a lock file must accept the node of Debian 12 (18.19 or later of 18), and name no registry."""
import json
import re
import sys

NODE = (18, 19, 0)


def version(text):
    parts = [int(p) for p in re.findall(r"\d+", text)[:3]]
    return tuple(parts + [0] * (3 - len(parts)))


def accepts(wanted):
    """Ranges as npm writes them: alternatives of comparators that all hold."""
    for alternative in wanted.split("||"):
        comparators = re.findall(r"([\^~]|[<>]=?|=)?\s*v?(\d+(?:\.\d+|\.x){0,2}|\*)", alternative)
        if not comparators:
            raise SystemExit(f"a range that is not understood: {wanted!r}")
        if all(holds(sign, v) for sign, v in comparators):
            return True
    return False


def holds(sign, text):
    if text == "*":
        return True
    v = version(text)
    if sign == "^":
        return NODE >= v and NODE[0] == v[0]
    if sign == "~":
        return NODE >= v and NODE[:2] == v[:2]
    if sign in ("", "="):
        return NODE[: len(re.findall(r"\d+", text))] == v[: len(re.findall(r"\d+", text))]
    return {">=": NODE >= v, ">": NODE > v, "<": NODE < v, "<=": NODE <= v}[sign]


# the reading of ranges itself
assert accepts(">=18") and accepts("^18.0.0 || ^20.0.0 || >=22.0.0") and accepts("18.x")
assert not accepts("^20.19.0 || >=22.12.0") and not accepts(">=20") and not accepts("^18.20.0")

packages = json.load(open(sys.argv[1], encoding="utf-8"))["packages"]
faults = []
for name, package in packages.items():
    engines = package.get("engines") or {}
    if "node" in engines and not accepts(engines["node"]):
        faults.append(f"{name or 'the page'} {package.get('version', '')} needs node {engines['node']}")
    if "resolved" in package:
        faults.append(f"{name} names where it was fetched from: {package['resolved']}")
if faults:
    sys.exit("\n".join(faults))
print(f"{len(packages)} packages accept node {'.'.join(map(str, NODE))}")
