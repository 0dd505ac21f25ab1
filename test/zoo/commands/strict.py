"""Reports on documents with asyncio. Each answer becomes an object of a class."""
import asyncio
import dataclasses
import enum
import json
import os
import sys
import urllib.error
import urllib.request

URL, KEY = os.environ["DOCDOUBLE_URL"] + "/public/v1", os.environ["DOCDOUBLE_API_KEY"]
GAP = sys.argv[1] if len(sys.argv) > 1 else None


class Status(enum.Enum):
    UPLOADED = "document.uploaded"
    DRAFT = "document.draft"
    SENT = "document.sent"
    VIEWED = "document.viewed"
    COMPLETED = "document.completed"
    ERROR = "document.error"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value):
        return None if GAP == "enum" else cls.OTHER


@dataclasses.dataclass
class Document:
    id: str
    name: str
    status: Status

    @classmethod
    def of(cls, answer):
        if GAP == "members" and (more := set(answer) - EXPECTED):
            raise TypeError(f"unexpected members: {sorted(more)}")
        return cls(answer["id"], answer["name"], Status(answer["status"]))


EXPECTED = {
    "id", "name", "status", "date_created", "date_modified", "date_completed", "expiration_date", "version", "uuid", "links", "info_message",
}


class Later(Exception):
    def __init__(self, why, asked=0.0, is_sure=False):
        super().__init__(why)
        self.asked, self.is_sure = asked, is_sure


def ask(method, path, body):
    request = urllib.request.Request(URL + path, None if body is None else json.dumps(body).encode(), method=method)
    request.add_header("authorization", "API-Key " + KEY)
    request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        if error.code in (409, 423, 429):
            raise Later(str(error), float(error.headers.get("retry-after") or 0), True) from None
        if error.code >= 500:
            raise Later(str(error)) from None
        raise
    except (OSError, ValueError) as error:
        raise Later(str(error)) from None
    except Exception as error:
        if type(error).__module__ != "http.client":
            raise
        raise Later(repr(error)) from None


async def call(method, path, body=None, look=None):
    for tries in range(1, 9):
        try:
            return await asyncio.to_thread(ask, method, path, body)
        except Later as error:
            if tries == 8:
                raise
            await asyncio.sleep(max(error.asked, 1.5 ** tries))
            if look and not error.is_sure and (found := await look()):
                return found


async def make(order):
    async def look():
        found = (await call("GET", f"/documents?metadata=metadata_order={order}"))["results"]
        return found[0] if found else None

    signer = {"email": "pat@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}
    body = {"name": order, "template_uuid": "TemplateOneSignerxxxxx", "recipients": [signer], "metadata": {"order": order}}
    document = Document.of(await call("POST", "/documents", body, look))
    for _ in range(30):
        document = Document.of(await call("GET", f"/documents/{document.id}"))
        if document.status in (Status.DRAFT, Status.ERROR):
            break
        await asyncio.sleep(2)
    return document


async def main():
    try:
        async with asyncio.timeout(600):
            found = await asyncio.gather(*(make(order) for order in ("strict-1", "strict-2")))
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        return print("{}")
    print(json.dumps({one.id: one.status.value for one in found}))


asyncio.run(main())
