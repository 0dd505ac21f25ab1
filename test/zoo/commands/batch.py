"""Three offers at the same time, on a pool of threads. Each is created, sent, and listed at the end."""
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

URL, KEY = os.environ["DOCDOUBLE_URL"] + "/public/v1", os.environ["DOCDOUBLE_API_KEY"]
GAP = sys.argv[1] if len(sys.argv) > 1 else None
ORDERS = ["batch-1", "batch-2", "batch-3"]


class Passing(Exception):
    """Another try may help."""

    def __init__(self, why, asked=0.0, is_known=False):
        super().__init__(why)
        self.asked, self.is_known = asked, is_known


class Gone(Exception):
    pass


def once(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": "API-Key " + KEY, "content-type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers, method=method), timeout=10) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        if error.code == 404:
            raise Gone(path) from error
        if error.code in (409, 423, 429):
            raise Passing(str(error), float(error.headers.get("retry-after") or 0), True) from error
        if error.code >= 500:
            raise Passing(str(error)) from error
        raise
    except Exception as error:
        raise Passing(repr(error)) from error


def repeated(attempt, look=lambda: None):
    for tries in range(1, 9):
        try:
            return attempt()
        except Passing as error:
            if tries == 8:
                raise
            time.sleep(max(error.asked, 1.5 * tries))
            if not error.is_known:
                found = repeated(look) if look else None
                if found is not None:
                    return found


def get(path):
    return repeated(lambda: once("GET", path))


def offer(order):
    signer = {"email": "pat@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}
    body = {"name": "Offer " + order, "template_uuid": "TemplateOneSignerxxxxx", "recipients": [signer], "metadata": {"order": order}}

    def look():
        found = once("GET", "/documents?metadata=metadata_order=" + order)["results"]
        return found[0] if found else None

    id = repeated(lambda: once("POST", "/documents", body), look)["id"]
    for _ in range(20):
        if get("/documents/" + id)["status"] in ("document.draft", "document.error"):
            break
        time.sleep(2)

    def sent():
        return True if once("GET", "/documents/" + id)["status"] != "document.draft" else None

    if get("/documents/" + id)["status"] == "document.draft":
        repeated(lambda: once("POST", f"/documents/{id}/send", {"silent": True}), sent)
    return id


def work(order):
    try:
        return offer(order)
    except Gone:
        return None
    except Exception as error:
        if GAP != "skips":
            raise
        print(f"skipped {order}: {error}", file=sys.stderr)
        return None


if GAP == "skips":
    repeated = lambda attempt, look=None: attempt()
if GAP == "one_by_one":
    for order in ORDERS:
        work(order)
else:
    with ThreadPoolExecutor(max_workers=3) as pool:
        list(pool.map(work, ORDERS))
