"""Learns by webhooks when to send a document, and when it is signed. It polls only when no news comes for a while."""
import base64
import hashlib
import hmac
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

URL, KEY = os.environ["DOCDOUBLE_URL"] + "/public/v1", os.environ["DOCDOUBLE_API_KEY"]
GAP = sys.argv[1] if len(sys.argv) > 1 else None
LIFE = ["document.uploaded", "document.draft", "document.sent", "document.viewed"]
ENDS = ["document.completed", "document.declined", "document.voided", "document.error"]

secret = ""
news = threading.Condition()
known = {}
seen = set()


class Refused(Exception):
    def __init__(self, status):
        super().__init__(f"the service answered {status}")
        self.status = status


def call(method, path, body=None, look=None):
    for tries in range(1, 9):
        asked, status = 0.0, 0
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": "API-Key " + KEY, "content-type": "application/json"}
        try:
            with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers, method=method), timeout=10) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            status, asked = error.code, float(error.headers.get("retry-after") or 0)
            if status not in (409, 423, 429) and status < 500:
                raise Refused(status) from error
        except Exception:
            pass
        if tries == 8:
            raise Refused(status)
        time.sleep(max(asked, 2.0 * tries))
        found = look() if look and (status == 0 or status >= 500) else None
        if found is not None:
            return found


def digest(body):
    if GAP == "reserialized":
        body = json.dumps(json.loads(body)).encode()
    code = hmac.new(secret.encode(), body, hashlib.sha256)
    return base64.b64encode(code.digest()).decode() if GAP == "base64" else code.hexdigest()


def is_signed(body, query, headers):
    given = (parse_qs(query).get("signature") or [None])[0]
    if GAP == "ignored":
        return True
    if GAP == "header":
        return headers.get("x-pandadoc-signature") == digest(body)
    if GAP == "bare_key":
        return given == secret
    if GAP == "when_present":
        return given is None or hmac.compare_digest(given, digest(body))
    if given is None:
        return False
    if GAP == "prefix":
        return given[:8] == digest(body)[:8]
    if GAP == "shorter":
        return digest(body).startswith(given)
    return hmac.compare_digest(given, digest(body))


def is_newer(status, before):
    def age(one):
        return LIFE.index(one) if one in LIFE else len(LIFE)

    return before is None or age(status) >= age(before)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if not is_signed(body, urlsplit(self.path).query, self.headers):
            return self.answer(401)
        for one in json.loads(body):
            data = one.get("data") or {}
            with news:
                if "status" in data and is_newer(data["status"], known.get(data.get("id"))):
                    known[data["id"]] = data["status"]
                    news.notify_all()
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def status_of(id):
    return call("GET", f"/documents/{id}")["status"]


def wait_for(id, wanted, seconds):
    """Returns the status. After a minute without news, it asks the service."""
    until = time.monotonic() + seconds
    with news:
        while known.get(id) not in wanted and time.monotonic() < until:
            if not news.wait(60):
                known[id] = status_of(id)
    return known.get(id)


def subscribe(port):
    address = f"http://127.0.0.1:{port}/"
    body = {"name": "Zoo", "url": address, "triggers": ["document_state_changed"]}

    def look():
        found = [one for one in call("GET", "/webhook-subscriptions")["items"] if one["url"] == address]
        return found[0] if found else None

    return call("POST", "/webhook-subscriptions", body, look)["shared_key"]


def create():
    def look():
        found = call("GET", "/documents?metadata=metadata_order=receiver-1")["results"]
        return found[0] if found else None

    signer = {"email": "pat+sign.after=20s@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}
    body = {"name": "Received", "template_uuid": "TemplateOneSignerxxxxx", "recipients": [signer], "metadata": {"order": "receiver-1"}}
    return call("POST", "/documents", body, look)["id"]


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
secret = subscribe(server.server_address[1])
try:
    id = create()
    status = wait_for(id, ["document.draft", *ENDS], 600)
    if status == "document.draft":
        call("POST", f"/documents/{id}/send", {"silent": True}, lambda: None if status_of(id) == "document.draft" else {})
        status = wait_for(id, ENDS, 3600)
    print(json.dumps({"id": id, "status": status_of(id)}))
except Refused as error:
    if error.status != 404:
        raise
    print(json.dumps({"id": id, "status": "deleted"}))
