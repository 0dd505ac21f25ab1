"""An example. Replace `send_offer` with your client: give it `docdouble.url` and `docdouble.key`. Run it with: pytest"""
import time

from docdouble_fixture import docdouble, docdouble_server  # noqa: F401


def send_offer(call):
    recipient = {"email": "pat@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}
    offer = {"name": "Offer", "template_uuid": "TemplateOneSignerxxxxx", "recipients": [recipient]}
    _, document = call("POST", "/public/v1/documents", offer)
    path = f"/public/v1/documents/{document['id']}"
    while call("GET", path)[1]["status"] == "document.uploaded":
        time.sleep(1)  # docdouble moves its clock while you wait
    status, _ = call("POST", f"{path}/send", {"silent": True})
    return status, path


def test_an_offer_is_sent(docdouble):
    status, path = send_offer(docdouble.call)
    assert status == 200
    assert docdouble.call("GET", path)[1]["status"] == "document.sent"
