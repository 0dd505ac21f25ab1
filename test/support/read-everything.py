"""Calls the operations of the official Python client and prints those whose answer it cannot read. It checks every type it reads."""
import importlib
import json
import pkgutil
import re
from urllib.request import Request, urlopen

import pandadoc_client
import pandadoc_client.api

URL, KEY = "http://127.0.0.1:4010", "API-Key test-read-everything"
# Files are sent as forms, which the description does not have; the rest needs what a test of its own sets up.
LEFT = {
    "access_token", "create_document_attachment", "delete_document_attachment", "details_document_attachment",
    "download_document_attachment", "quote_update", "section_details", "transfer_all_documents_ownership",
}

client = pandadoc_client.ApiClient(pandadoc_client.Configuration(host=URL, api_key={"apiKey": KEY}))
operations = {}
for found in pkgutil.iter_modules(pandadoc_client.api.__path__):
    module = importlib.import_module("pandadoc_client.api." + found.name)
    for name in vars(module):
        if name.endswith("Api"):
            operations.update(vars(getattr(module, name)(client)))
operations = {name: one for name, one in operations.items() if callable(one) and name != "api_client"}
called = set()

def call(name, *positional, **named):
    called.add(name)
    try:
        return operations[name](*positional, **named)
    except Exception as error:
        print(name, type(error).__name__, getattr(error, "body", None) or error)

def make(kind, /, **members):
    module = "pandadoc_client.model." + re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()
    return getattr(importlib.import_module(module), kind)(**members)

def admin(path, **body):
    headers = {"Authorization": KEY, "Content-Type": "application/json"}
    urlopen(Request(f"{URL}/__admin/{path}", json.dumps(body).encode(), headers)).close()

def create():
    people = [("pat", "Pat", "Lee", "Client"), ("kim", "Kim", "Roy", "Director")]
    document = call("create_document", make(
        "DocumentCreateRequest", name="Offer", template_uuid="TemplateTwoSignersxxxx", tags=["a"], metadata={"k": "v"},
        recipients=[
            make("DocumentCreateRequestRecipients", email=f"{who}@client.example", first_name=first, last_name=last, role=role)
            for who, first, last, role in people
        ],
    ))
    admin("clock/advance", by="10s")
    return document.id

# What there is from the start.
for template in call("list_templates").results:
    # The description of this client says that `hidden` of a quote's column is a text. The newer one says that it is a boolean.
    if template.name != "Quote":
        call("details_template", template.id)
for item in call("list_content_library_items").results:
    call("details_content_library_item", item.id)
contacts = call("list_contacts").results
members = call("list_members").results
for member in members:
    call("details_member", member.membership_id)
call("details_current_member")
call("list_form", count=10, page=1)

# One document's life, from a draft to the end.
hook = call("create_webhook_subscription", make(
    "WebhookSubscriptionCreateRequest", name="app", url="http://127.0.0.1:9/", payload=["fields", "products", "metadata", "tokens"],
    triggers=["document_state_changed", "recipient_completed"],
))
document = create()
call("status_document", document)
details = call("details_document", document)
call("list_documents", count=5, page=1, tag="a")
call("update_document", document, make("DocumentUpdateRequest", name="New"))
linked = call("create_linked_object", document, make(
    "LinkedObjectCreateRequest", provider="hubspot", entity_type="deal", entity_id="9372",
))
call("list_linked_objects", document)
call("delete_linked_object", document, linked.id)
call("list_document_attachments", document)
added = call("add_document_recipient", document, make("DocumentRecipientCreateRequest", id=contacts[0].id, kind="contact"))
call("edit_document_recipient", document, details.recipients[0].id, make("DocumentRecipientEditRequest", first_name="Patricia"))
call("delete_document_recipient", document, added.recipient_id)
signer = make("DocumentCreateRequestRecipients", email="pat@client.example", role="Client")
call("upload_section", document, make("UploadSectionRequest", name="S", template_uuid="TemplateOneSignerxxxxx", recipients=[signer]))
admin("clock/advance", by="10s")
for section in call("list_sections", document).results:
    call("section_info", document, section.uuid)
call("send_document", document, make("DocumentSendRequest", silent=True))
call("create_document_link", document, make("DocumentCreateLinkRequest", recipient="pat@client.example", lifetime=900))
for recipient in details.recipients:
    admin(f"documents/{document}/simulate/sign", recipient=recipient.email)
call("details_document", document)
call("download_document", document)
call("download_protected_document", document)

# Another's, that is not signed.
other = create()
contact = make("DocumentRecipientCreateRequest", id=contacts[1].id, kind="contact")
call("reassign_document_recipient", other, call("details_document", other).recipients[0].id, contact)
call("transfer_document_ownership", other, make("DocumentTransferOwnershipRequest", membership_id=members[-1].membership_id))
folder = call("create_document_folder", make("DocumentsFolderCreateRequest", name="F"))
call("rename_document_folder", folder.uuid, documents_folder_rename_request=make("DocumentsFolderRenameRequest", name="G"))
call("list_document_folders", count=10, page=1)
call("document_move_to_folder", other, folder.uuid)
call("send_document", other, make("DocumentSendRequest", silent=False, subject="S", message="M"))
call("change_document_status", other, make("DocumentStatusChangeRequest", status="11", note="n", notify_recipients=False))
call("delete_document", other)

# The rest of the workspace.
folder = call("create_template_folder", make("TemplatesFolderCreateRequest", name="F"))
call("rename_template_folder", folder.uuid, templates_folder_rename_request=make("TemplatesFolderRenameRequest", name="G"))
call("list_template_folders", count=10, page=1)
contact = call("create_contact", make("ContactCreateRequest", email="new@client.example"))
call("update_contact", contact.id, make("ContactUpdateRequest", company="C"))
call("details_contact", contact.id)
call("delete_contact", contact.id)
workspace = call("create_workspace", make("CreateWorkspaceRequest", name="W"))
domain = members[0].email.split("@")[1]
user = make("CreateUserRequestUser", email=f"new@{domain}", first_name="Nel", last_name="Ode")
place = make("CreateUserRequestWorkspaces", workspace_id=workspace.id, role="Member")
user = call("create_user", make("CreateUserRequest", user=user, workspaces=[place], license="Full"))
call("add_member", call("create_workspace", make("CreateWorkspaceRequest", name="V")).id, make(
    "AddMemberRequest", user_id=user.user_id, role="Member",
))
call("delete_template", "TemplateOneSignerxxxxx")
for log in call("list_logs", count=10, page=1).results:
    call("details_log", log.id)
for event in call("list_webhook_event", count=50, page=1).items:
    call("details_webhook_event", event.uuid)
call("list_webhook_subscriptions")
call("update_webhook_subscription", hook.uuid, webhook_subscription_patch_request=make("WebhookSubscriptionPatchRequest", active=False))
call("update_webhook_subscription_shared_key", hook.uuid)
call("details_webhook_subscription", hook.uuid)
call("delete_webhook_subscription", hook.uuid)

for name in sorted(set(operations) - called - LEFT):
    print(name, "was not called")
print(f"{len(called)} of the {len(operations)} operations")
