/** Reasons about statuses, recipients, and what happens over time. */
import type { Topic } from "./topic.ts";

export const STATUS: readonly Topic[] = [
  {
    title: "Status of the document or template",
    status: "400, 404, 409",
    intro:
      "The object is not in a status that allows the call. The inspector shows each document's status, and the next possible ones.",
    reasons: [
      [
        "Cannot …: the document is in …. Allowed in: …",
        "The document's status does not allow the call. Most often somebody sends or edits a document that is still `document.uploaded`, or that is sent already. A second send says that the document was already sent. The text ends with the steps that lead to an allowed status.",
        "Take these steps in their order, and repeat the call. To move a document to draft, call `POST /public/v1/documents/{id}/draft`.",
      ],
      ["the document is in document.draft already", "A draft cannot become a draft again.", "Leave the call out."],
      ["document … is deleted already", "Somebody deleted the document.", "Delete each document once."],
      ["template … is deleted already", "Somebody deleted the template.", "Delete each template once."],
      [
        "the creation failed; create the document again",
        "The document is in `document.error`. The inspector shows why the file could not be read.",
        "Fix the file or the URL, and create another document.",
      ],
      [
        "the template is in …; wait until it is template.PROCESSED",
        "The service still reads the template's file.",
        "Poll the template's status.",
      ],
      [
        "the item is in …; wait until it is cli.PROCESSED",
        "The service still reads the content library item.",
        "Poll the item's status.",
      ],
      [
        "automatic reminders are off for this document",
        "The reminder settings of the document have `enabled: false`.",
        "Turn automatic reminders on first.",
      ],
      ["the current approval step waits for …", "Another approver must act first.", "Let the named approver act."],
      ["a notarization request can be deleted only in …", "The session is under way or over.", "Cancel it instead."],
      ["… is possible only in …", "The notarization has another status.", "Take the acts in their order."],
      [
        "only an active form takes submissions",
        "The form is a draft or disabled.",
        "Set the form's `status` to `active` in the fixtures.",
      ],
      [
        "… is still being fetched",
        "docdouble downloads the attachment from its URL.",
        "Ask again after a second, or advance the clock.",
      ],
      [
        "a document keeps at least one section; delete the document instead",
        "The last section cannot be deleted.",
        "Delete the whole document.",
      ],
    ],
  },
  {
    title: "Pages for recipients",
    status: "200, 404, 410",
    intro: "The signing page shows a message in place of the document.",
    reasons: [
      [
        "no signing session, shared link or file has this address",
        "The address is wrong, belongs to another server, or is older than the last reset.",
        "Create another session or link.",
      ],
      [
        "the signing session has expired; create another one",
        "A session ends after its `lifetime`, when its document is deleted, and when the recipient changes.",
        "Create another session.",
      ],
      ["the document is not sent yet", "Recipients see a document after the send.", "Send the document."],
      ["the document is in external review", "Signing pauses during a review.", "End the review first."],
      ["the document has expired", "Nobody completed the document in time.", "Create another document, or set a longer expiry."],
      ["a recipient has declined the document", "A decline ends the document for everybody.", "Create another document."],
      ["another recipient must sign first", "The signing order says so.", "Let the earlier recipients sign."],
      [
        "the recipient has forwarded the document to somebody else",
        "The link belongs to the old recipient.",
        "Open the link of the new recipient.",
      ],
    ],
  },
  {
    title: "Recipients and signing",
    status: "400, 404",
    intro: "A recipient is missing, cannot act now, or cannot change this way.",
    reasons: [
      [
        "add a recipient before you send the document",
        "The document has no recipient.",
        "Add a recipient with a role of the template.",
      ],
      ["the document has no recipients", "Nobody can act.", "Add a recipient before you let somebody sign."],
      [
        "the document has no recipient …",
        "No recipient has this id, email or role.",
        "Read the recipients from the document's details.",
      ],
      ["the document has no recipient …; it has …", "No recipient has this id, email or role.", "Use a name from the list."],
      ["the document has no recipient …; known: …", "No recipient has this id, email or role.", "Use a name from the list."],
      [
        "document … has no recipient …; use the recipient's id, not the id of the contact",
        "Recipients and contacts have different ids.",
        "Use `recipients[].id` of the document's details.",
      ],
      [
        "no recipient has the email address …; known: …",
        "A session needs an address of a recipient.",
        "Use an address from the list.",
      ],
      [
        "the template has the roles …; upper and lower case count",
        "A recipient has a role that the template lacks.",
        "Write the role exactly as the template does.",
      ],
      [
        "no recipient has these fields: …; assign them before you send the document",
        "A signature or initials field has no recipient, because nobody has its role or the recipient was removed.",
        "Give a recipient the role when you create the document. Or assign the field with `PATCH /documents/{id}/fields`.",
      ],
      [
        "… is already a recipient; give one person one role, and assign the fields of the other role to that recipient",
        "The request makes one address a recipient twice.",
        "Keep one recipient. Assign the fields of the second role to it with `PATCH /documents/{id}/fields`.",
      ],
      [
        "the document would have … recipients; each member of a group counts",
        "A document has at most 50 recipients.",
        "Send several documents, or use a smaller group.",
      ],
      [
        "recipients[…] gets text messages, by its delivery methods or by those of its contact or role, and has no number",
        "A recipient without a phone number cannot get a text message. The contact or the role may choose text messages.",
        "Give the recipient a phone number, or set `delivery_methods` to email.",
      ],
      [
        "only the merge_field of a field is a key of fields; this document has …",
        "An update has a key of `fields` that no field of the document has as its `merge_field`.",
        "Use a `merge_field` from the list. A field without one cannot be filled by an update.",
      ],
      ["the template has no other role …", "The change names a role that the template lacks.", "Use a role of the template."],
      [
        "the recipients have the roles: …; the text has the fields: …",
        "`fields_mapping` names a role or field that does not exist.",
        "Use the names from the text.",
      ],
      [
        "signing order: … must finish first",
        "Another recipient comes earlier in the signing order.",
        "Let that recipient sign first.",
      ],
      ["each signer completes once", "This recipient has signed.", "Let the next recipient act."],
      [
        "only signers complete a document; a recipient without fields is a CC",
        "The recipient has no field, so there is nothing to sign.",
        "Give the recipient a role that has fields.",
      ],
      ["fill every required field before you complete", "A required field is empty.", "Pass the values in `fields`."],
      ["the fields of … are …", "This recipient has no field of that name.", "Use a name from the list."],
      [
        "a payment field takes no value; use the act pay",
        "Nobody types into a payment field.",
        "Leave the field out, and let the recipient pay.",
      ],
      [
        "… needs the name of a file, such as contract.pdf",
        "The field collects a file.",
        "Pass a file name. docdouble stores a sample file under it.",
      ],
      ["the signer may choose …", "The pricing table has no optional row of this name.", "Use a row from the list."],
      ["… is not optional", "Signers cannot leave this row out.", "Set `optional: true` for the row."],
      [
        "the quantity of … is fixed: its qty_editable is false",
        "Signers cannot change this quantity.",
        "Set `qty_editable: true` for the row.",
      ],
      ["… is not a number", "A quantity is a number of at most nine digits.", "Write a number such as `3` or `2.5`."],
      ["the text is empty", "A comment or suggestion needs a text.", "Pass a text."],
      ["… takes …", "The act does not accept one of its inputs.", "Use the inputs that the text names."],
      ["no member …; known: …", "The approval step does not have this member.", "Use a member from the list."],
      ["a recipient needs an email address or a phone number", "The change removes both.", "Keep one of them."],
      [
        "the contact … has neither an email address nor a phone number",
        "docdouble cannot deliver to this contact.",
        "Give the contact an address in the fixtures.",
      ],
      [
        "delivery by SMS needs a number such as +14155550123; the recipient has …",
        "The phone number is missing, or lacks the country code.",
        "Give the recipient a number that begins with `+`.",
      ],
      ["the recipient is a group", "A group has no single address or signer.", "Change the members of the group."],
      ["… is a CC recipient", "A CC does not sign, so nobody can take over.", "Choose a signer."],
      ["… is already a recipient of the document", "The person is on the document.", "Change that recipient instead."],
      ["… is already this signer", "The new signer is the old one.", "Choose another contact."],
      ["… has signed already", "A signature is final.", "Change recipients before they sign."],
      ["… has signed the document already", "The new signer has signed in another role.", "Choose another contact."],
      ["… belongs to a user of the service", "The address of a user cannot change here.", "Reassign the recipient."],
      [
        "… belongs to a user of the service; reassign the recipient instead",
        "A user needs their own place among the recipients.",
        "Use Reassign Recipient.",
      ],
      [
        "… belongs to another contact; reassign the recipient to that contact instead",
        "One address belongs to one contact.",
        "Use Reassign Recipient.",
      ],
      ["… has no email address", "Only somebody with an address can opt out of emails.", "Choose another channel."],
      ["… has no phone number", "Only somebody with a number can opt out of text messages.", "Choose another channel."],
      [
        "… has opted out of emails from this organization",
        "The service sends no email to this address.",
        "Use another address, or opt in again.",
      ],
      [
        "… has opted out of text messages",
        "The service sends no message to this number.",
        "Use another number, or opt in again.",
      ],
    ],
  },
  {
    title: "Lock, limits and faults",
    status: "423, 429, any",
    intro:
      "The call can succeed later. These answers test how your client retries. [Errors and retries](guides/retries.md) shows how.",
    reasons: [
      [
        "user … has the document open in the editor; the lock ends in … s",
        "Somebody edits the document.",
        "Wait until the lock ends, advance the clock, or call `faults.unlock(id)`.",
      ],
      [
        "the limit is … calls of … in 60 s; the next call is allowed in … s",
        "You started with `--rate-limit`, and the key made too many calls.",
        "Wait for `Retry-After` seconds.",
      ],
      ["rule … allows … calls in … ms", "A rule of yours limits the calls.", "Wait, or remove the rule."],
      [
        "injected by rule …",
        "A rule of a scenario, the admin API or `sandbox.faults` made this answer.",
        "Remove the rule, or handle the error.",
      ],
      [
        "asked for by the metadata",
        "The member `docdouble` of the document's metadata asks for this fault.",
        "Handle the error, or leave the member out.",
      ],
      [
        "answered by …",
        "A handler of the test made this answer, with `sandbox.on`.",
        "Remove the handler, or handle the answer.",
      ],
      ["… changed the answer", "A handler of `sandbox.on` patched the own answer.", "Remove the handler, or handle the answer."],
      [
        'The patch of rule "…" does not fit the answer of …: ….',
        "A rule has a `patch`, and one of its steps names a place that the answer lacks.",
        "Correct the path, or select other calls with `when`.",
      ],
      [
        "rule … changed the answer: …",
        "A rule with `patch` changed the operation's own answer.",
        "Remove the rule, or handle the new answer.",
      ],
      [
        "rule … answers as the world was … ago",
        "A rule with `stale` made the read answer from an earlier state.",
        "Remove the rule, or read again later.",
      ],
      [
        'Rule "…" asks for the world … ago, and too much has changed since then. Ask for less.',
        "docdouble remembers the latest 5,000 changes.",
        "Write a shorter `stale`.",
      ],
      [
        "rule … held the call until … came",
        "A rule with `hold` let another call go first.",
        "Remove the rule, or make your calls one after the other.",
      ],
      [
        "rule … held the call; … did not come",
        "A rule with `hold` waited for another call, as long as `at_most` says.",
        "Make the other call meanwhile, or remove the rule.",
      ],
      ["…network fault of the rule: …", "A rule broke the connection or the answer.", "Remove the rule, or handle the fault."],
      [
        "At most … event streams may be open at one time. Close one and connect again.",
        "Too many programs watch `/__admin/events`.",
        "Close streams that you do not read.",
      ],
      [
        "At most … verifications may wait at one time. Repeat the call, or send no timeoutMs.",
        "Too many verifications wait for calls.",
        "Wait in fewer tests at a time.",
      ],
      [
        "the bodies of all open requests together exceed … MiB; repeat the call",
        "Many large uploads run at the same time.",
        "Upload fewer files at a time.",
      ],
      [
        "the worlds that are being loaded together exceed … MiB; repeat the call",
        "Many large worlds are loaded at the same time, and one waits for the other.",
        "Load fewer worlds at a time.",
      ],
    ],
  },
];
