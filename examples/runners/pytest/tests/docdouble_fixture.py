"""Tests against docdouble: one server for the session, and one tenant for each test.

    from docdouble_fixture import docdouble, docdouble_server  # noqa: F401

    def test_offer(docdouble):
        my_client = MyClient(base_url=docdouble.url, api_key=docdouble.key)

Move the import to conftest.py to use the fixture everywhere.
"""
import json
import os
import pathlib
import shutil
import subprocess
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


def command():
    """docdouble of the project, of a folder above, or on PATH."""
    here = pathlib.Path(__file__).resolve().parent
    for folder in [here, *here.parents]:
        found = shutil.which("docdouble", path=str(folder / "node_modules" / ".bin"))
        if found:
            return found
    found = shutil.which("docdouble")
    if not found:
        pytest.fail("docdouble is missing: add it to node_modules with npm install, or put it on PATH", pytrace=False)
    return found


class Docdouble:
    """`url` and `key` are for the client under test. The key selects a tenant of this test alone."""

    def __init__(self, url, key):
        self.url = url
        self.key = key
        self.has_failed = False

    def call(self, method, path, body=None):
        """Returns the status and the body, also of a refusal."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Authorization": f"API-Key {self.key}", "Content-Type": "application/json"}
        try:
            with urlopen(Request(self.url + path, data, headers, method=method), timeout=60) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except HTTPError as refusal:
            return refusal.code, json.loads(refusal.read() or "null")

    def load_world(self, file):
        """The test goes on in a world that `run --save-world` wrote. Its calls do not count as calls of the test."""
        status, answer = self.call("PUT", "/__admin/world", pathlib.Path(file).read_bytes())
        if status != 200:
            pytest.fail(f"{file}: {answer['detail']}", pytrace=False)
        self.call("DELETE", "/__admin/requests")

    def what_happened(self):
        """One line for each call of the test, oldest first."""
        requests = self.call("GET", "/__admin/requests")[1]["requests"]
        lines = []
        for one in reversed(requests):
            why = f" ({one['why']})" if "why" in one else ""
            answer = one["response"]["status"] or "no answer"
            lines.append(f"{one['request']['method']} {one['request']['url']} -> {answer}{why}")
        return "\n".join(lines) or "no call"

    def problems(self):
        """Calls of unknown paths, and mistakes that the service accepts."""
        unmatched = self.call("GET", "/__admin/requests/unmatched")[1]["requests"]
        findings = self.call("GET", "/__admin/contract")[1]["findings"]
        return [f"unknown path: {one['request']['method']} {one['request']['url']}" for one in unmatched] + [
            f"{one['kind']}: {one['message']} {one['fix']}" for one in findings
        ]


class Stories:
    """Shows what happened beside a failure."""

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item):
        report = (yield).get_result()
        double = getattr(item, "funcargs", {}).get("docdouble")
        if report.when == "call" and report.failed and isinstance(double, Docdouble):
            double.has_failed = True
            report.sections.append(("What happened", double.what_happened()))


@pytest.fixture(scope="session")
def docdouble_server(request):
    """Attaches to DOCDOUBLE_URL, as under `docdouble run`. Otherwise starts a server that ends with this process."""
    request.config.pluginmanager.register(Stories())
    if os.environ.get("DOCDOUBLE_URL"):
        yield os.environ["DOCDOUBLE_URL"].rstrip("/")
        return
    arguments = [command(), "start", "--port", "0", "--clock", "auto", "--seed", "1", "--log", "silent", "--stop-with-input"]
    server = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    if " on " not in line:
        pytest.fail(f"docdouble did not start: {line}", pytrace=False)
    yield line.split(" on ")[1].strip()
    server.stdin.close()
    server.wait(timeout=30)
    server.stdout.close()


@pytest.fixture
def docdouble(docdouble_server):
    # `docdouble explore` sets this variable, and `run` with a scenario or a file to write, because these concern one key only.
    if os.environ.get("DOCDOUBLE_ONE_WORLD"):
        yield Docdouble(docdouble_server, os.environ["DOCDOUBLE_API_KEY"])
        return
    double = Docdouble(docdouble_server, f"test-{uuid.uuid4().hex}")
    yield double
    story, problems = double.what_happened(), double.problems()
    double.call("DELETE", f"/__admin/tenants/{double.key}")
    if problems and not double.has_failed:
        pytest.fail("docdouble found mistakes:\n" + "\n".join(problems) + "\n\nWhat happened:\n" + story, pytrace=False)
