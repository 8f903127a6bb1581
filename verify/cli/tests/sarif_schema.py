#!/usr/bin/env python3
"""What verify --sarif writes has the structure that sarif.schema.json says.

usage: sarif_schema.py FIXTURE [PROGRAM]

FIXTURE: the command line on made-up scenarios, one of each kind. PROGRAM: the kit's own, which is
given so little time that much is incomplete. Exit status 77: python3-jsonschema is not there.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys

DEBIAN = "/usr/bin/python3"
try:
    import jsonschema
except ImportError:
    if sys.executable != DEBIAN and os.path.exists(DEBIAN):  # where the package is
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    print("SKIP: no module jsonschema (Debian: python3-jsonschema)")
    sys.exit(77)

failures = 0


def fail(what):
    global failures
    failures += 1
    print("FAIL:", what)


def written_by(program, *arguments):
    run = subprocess.run([program, "verify", *arguments, "--sarif", "-"], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if run.returncode not in (0, 1, 3):
        fail(f"{program} {' '.join(arguments)} ended with {run.returncode}")
    return json.loads(run.stdout)


tree = pathlib.Path(__file__).parents[3]
deque = tree / "core/include/fencepost/deque/chase_lev.hpp"
schema = json.loads((pathlib.Path(__file__).parent / "sarif.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)


def hold(log, results, what):
    """It is as the schema says, and has at least so many results."""
    for error in validator.iter_errors(log):
        fail(f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
    run = log["runs"][0]
    if len(run["results"]) < results:
        fail(f"{what}: only {len(run['results'])} results")
    for result in run["results"]:
        if run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] != result["ruleId"]:
            fail(f"{what}: ruleIndex of {result['partialFingerprints']}")


log = written_by(sys.argv[1], "sample", "bad", "slow/endless", "--max-executions", "5")
hold(log, 7, "fixture")
hold(written_by(sys.argv[1], "sample"), 0, "fixture, nothing wrong")
for program in sys.argv[2:]:
    hold(written_by(program, "--max-executions", "5"), 20, "kit, incomplete")
    # With counterexamples: a claim needs this order.
    line = next(number for number, text in enumerate(deque.open(), 1)
                if "back_.store(" in text and "release" in text)
    hold(written_by(program, "chase_lev", "--max-executions", "2000",
                    "--weaken", f"{deque.name}:{line}=relaxed"), 1, "kit, weakened")


# The schema rejects faulty logs.
def refuse(what, change):
    changed = copy.deepcopy(log)
    change(changed["runs"][0], changed)
    if validator.is_valid(changed):
        fail(f"the schema lets pass: {what}")


with_steps = next(i for i, r in enumerate(log["runs"][0]["results"]) if "codeFlows" in r)


def result(run):
    return run["results"][with_steps]


def place(run):
    return result(run)["locations"][0]["physicalLocation"]


refuse("no version", lambda run, whole: whole.pop("version"))
refuse("another version", lambda run, whole: whole.update(version="2.0.0"))
refuse("no tool", lambda run, whole: run.pop("tool"))
refuse("an unknown level", lambda run, whole: result(run).update(level="fatal"))
refuse("a message that is text", lambda run, whole: result(run).update(message="wrong"))
refuse("an unknown property", lambda run, whole: result(run).update(scenario="a/b"))
refuse("line 0", lambda run, whole: place(run)["region"].update(startLine=0))
refuse("a blank in a URI", lambda run, whole: place(run).update(
    artifactLocation={"uri": "a b", "uriBaseId": "SRCROOT"}))
refuse("no base of a relative URI", lambda run, whole: place(run).update(
    artifactLocation={"uri": "a/b"}))
refuse("a base of an absolute URI", lambda run, whole: place(run).update(
    artifactLocation={"uri": "file:///a/b", "uriBaseId": "SRCROOT"}))
refuse("no thread flows", lambda run, whole: result(run)["codeFlows"][0].update(threadFlows=[]))
refuse("a step without text", lambda run, whole: result(run)["codeFlows"][0]["threadFlows"][0]
       ["locations"][0]["location"].pop("message"))

print("all as expected" if failures == 0 else f"{failures} failures")
sys.exit(failures != 0)
