"""An offer by urllib. It waits for the draft at most thirty seconds, and for the signature ever more slowly, up to an hour."""
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("PANDADOC_URL", os.environ["DOCDOUBLE_URL"]) + "/public/v1"
KEY = os.environ["DOCDOUBLE_API_KEY"]
# Without random pauses, the same exploration gives the same report.
JITTER = 0.0 if os.environ.get("ZOO_STEADY") else 1.0
GAP = sys.argv[1] if len(sys.argv) > 1 else None
ENDS = ("document.completed", "document.declined", "document.voided", "document.error")


class Refused(Exception):
    def __init__(self, status):
        super().__init__(f"the service answered {status}")
        self.status = status


def call(method, path, body=None, known=None):
    """Repeats the call with growing pauses. `known` finds out whether a call without an answer took effect."""
    for attempt in range(1, 9):
        asked, status = 0, None
        request = urllib.request.Request(URL + path, method=method, data=None if body is None else json.dumps(body).encode())
        request.add_header("authorization", "API-Key " + KEY)
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            status, asked = error.code, float(error.headers.get("retry-after") or 0)
            if status not in (409, 423, 429) and status < 500:
                raise Refused(status) from error
        except (OSError, ValueError, EOFError, urllib.error.URLError):
            pass
        except Exception as error:  # http.client has several errors for a broken answer
            if "IncompleteRead" not in repr(error) and "Disconnected" not in repr(error):
                raise
        time.sleep(max(asked, 2 ** attempt + JITTER * random.random()))
        if known and (status is None or status >= 500):
            found = known()
            if found is not None:
                return found
    raise Refused("nothing useful, eight times")


def create():
    def find():
        if GAP == "no_look":
            return None
        found = call("GET", "/documents?metadata=metadata_order=bounded-1")["results"]
        return found[0] if found else None

    signer = {"email": "pat+sign.after=20s@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}
    document = {"name": "Bounded", "template_uuid": "TemplateOneSignerxxxxx", "recipients": [signer], "metadata": {"order": "bounded-1"}}
    return call("POST", "/documents", document, find)["id"]


def wait_for_draft(id):
    looks = 0
    while True:
        status = call("GET", f"/documents/{id}")["status"]
        if status == "document.draft" or (status in ENDS and GAP != "endless"):
            return status
        looks += 1
        if looks == 15 and GAP != "endless":
            raise SystemExit("the draft took longer than thirty seconds")
        time.sleep(2)


def wait_for_end(id):
    began, pause = time.monotonic(), 1.0
    while True:
        status = call("GET", f"/documents/{id}")["status"]
        if status in ENDS or time.monotonic() - began > 3600:
            return status
        time.sleep(pause)
        pause = min(pause * 1.5, 120) * (1 + JITTER * random.uniform(-0.1, 0.1))


def send(id):
    def sent():
        return True if call("GET", f"/documents/{id}")["status"] != "document.draft" else None

    call("POST", f"/documents/{id}/send", {"silent": False}, sent)


id = create()
try:
    status = wait_for_draft(id)
    if status == "document.error":
        raise SystemExit("the service could not process the document")
    if status == "document.draft":
        send(id)
    print(json.dumps({"id": id, "status": wait_for_end(id)}))
except Refused as error:
    if error.status != 404:
        raise
    print(json.dumps({"id": id, "status": "deleted"}))
