# Adds up the reports of a test run and prints the last line of scripts/test: "N passed, N failed, N skipped". Fails if a
# test failed, a suite left no report, or nothing ran.
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def counts(report):
    """(passed, failed, skipped) of a JUnit-style report of any tool."""
    root = ElementTree.parse(report).getroot()
    suites = [root] if root.get("tests") else root.iter("testsuite")
    passed = failed = skipped = 0
    for suite in suites:
        bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        idle = int(suite.get("skipped", 0)) + int(suite.get("disabled", 0))
        passed += int(suite.get("tests")) - bad - idle
        failed += bad
        skipped += idle
    return passed, failed, skipped


def main(results):
    # Every GoogleTest binary reports its own cases. CTest's report adds binaries that crashed before they could.
    reports = {path.stem: counts(path) for path in (results / "unit").glob("*.xml")}
    for name in ("ctest", "lit"):
        path = results / f"{name}.xml"
        if not path.exists():
            print(f"{name}: no report at {path}")
            return 1
    for case in ElementTree.parse(results / "ctest.xml").getroot().iter("testcase"):
        name = case.get("name")
        if name not in reports:
            reports[name] = (0, 0, 0)
        if case.get("status") == "fail" and reports[name][1] == 0:
            passed, _, skipped = reports[name]
            reports[name] = (passed, 1, skipped)
        elif case.get("status") == "run" and reports[name] == (0, 0, 0):
            reports[name] = (1, 0, 0)
    reports["lit"] = counts(results / "lit.xml")

    passed, failed, skipped = (sum(column) for column in zip(*reports.values()))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
