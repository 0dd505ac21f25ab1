import { type Account, idOf, required } from "../account.ts";
import { sameText } from "../marks.ts";
import { type Answer, at, listAt } from "../service.ts";
import { answerEach, answers, CONTACTS, DOCUMENTS, NO_ID, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const NOT_FOUND = { status: 404, body: { type: "request_error", detail: "Not found" } };

function onDraft(method: string, path: string, body: object): (account: Account) => Promise<Answer> {
  return async (account) => account.call(method, `${DOCUMENTS}/${await account.sharedDraft()}${path}`, { body });
}

const emptyName: Story = async (account) => {
  const email = account.newEmail();
  const contact = { email, first_name: "Kept", last_name: "Probe" };
  required(await account.create("contact", email, CONTACTS, { body: contact }), "a contact");
  const id = await account.draft({ recipients: [{ email, role: "Client", first_name: "", last_name: "" }] });
  const details = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  return stated(details.status === 200 && at(details.json, "recipients", 0, "first_name") === "Kept", details);
};

const contactId: Story = async (account) => {
  const email = account.newEmail();
  const made = required(await account.create("contact", email, CONTACTS, { body: { email } }), "a contact");
  const id = await account.draft({ recipients: [{ ...account.me("Client"), id: idOf(made) }] });
  const details = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  const seen = at(details.json, "recipients", 0, "email");
  return stated(details.status === 200 && sameText(seen, account.signer), details);
};

const deleteKeepsRecipients: Story = async (account) => {
  const email = account.newEmail();
  const id = await account.draft({ recipients: [{ email, role: "Client" }] });
  required(await account.call("DELETE", `${CONTACTS}/${await account.contactOf(email)}`), "the deletion");
  const details = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  return stated(details.status === 200 && sameText(at(details.json, "recipients", 0, "email"), email), details);
};

async function recipientOf(account: Account, id: string): Promise<string> {
  const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  return encodeURIComponent(String(at(details.json, "recipients", 0, "id")));
}

const secondAdd: Story = async (account) => {
  const id = await account.draft();
  const body = { id: await account.contactOf(account.signer), kind: "contact" };
  const answer = await account.call("POST", `${DOCUMENTS}/${id}/recipients`, { body });
  return stated(answer.status === 400 && at(answer.json, "type") !== undefined, answer);
};

const wrongStatus: Story = async (account) => {
  const { id } = await account.sent();
  const recipient = await recipientOf(account, id);
  const body = { status: 11, notify_recipients: false };
  required(await account.call("PATCH", `${DOCUMENTS}/${id}/status`, { body }), "voiding the document");
  const answer = await account.call("DELETE", `${DOCUMENTS}/${id}/recipients/${recipient}`);
  return stated(answer.status === 400 && at(answer.json, "detail") !== undefined, answer);
};

const reassignCc: Story = async (account) => {
  const id = await account.sharedSent();
  const target = `${DOCUMENTS}/${id}/recipients/${await recipientOf(account, id)}/reassign`;
  const answer = await account.call("POST", target, { body: { id: NO_ID, kind: "contact" } });
  return stated(answer.status === 400 && at(answer.json, "detail") !== undefined, answer);
};

/** Both recipients sign, so that one can take the part of the other. */
const reassignToRecipient: Story = async (account) => {
  const email = account.newEmail();
  const id = await account.draft({ recipients: [account.me("Client"), { email, role: "Director" }] });
  const before = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  // An uploaded document may show an empty role. The roles have the names.
  const idOfRole = (role: string) => listAt(before.json, "recipients").find((one) => listAt(one, "roles").includes(role));
  const [client, director] = [idOfRole("Client"), idOfRole("Director")].map((one) => at(one, "id"));
  const signature = (assigned_to: unknown, offset_y: number) => ({
    type: "signature",
    assigned_to,
    layout: {
      page: 1,
      position: { offset_x: 72, offset_y, anchor_point: "topleft" },
      style: { width: 120, height: 40 },
    },
  });
  const fields = [signature(client, 72), signature(director, 200)];
  required(await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: { fields } }), "two signatures");
  const body = { id: await account.contactOf(email), kind: "contact" };
  const target = `${DOCUMENTS}/${id}/recipients/${encodeURIComponent(String(client))}/reassign`;
  const reassigned = await account.call("POST", target, { body });
  if (reassigned.status >= 300) return stated(false, reassigned);
  const after = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  const people = listAt(after.json, "recipients");
  const hasBoth = listAt(people[0], "roles").length === 2 && sameText(at(people[0], "email"), email);
  return stated(after.status === 200 && people.length === 1 && hasBoth, after);
};

export const peopleStories = {
  "contacts.delete_keeps_recipients": deleteKeepsRecipients,
  "contacts.not_found": answerEach(
    [["GET", `${CONTACTS}/${NO_ID}`], NOT_FOUND],
    [["PATCH", `${CONTACTS}/${NO_ID}`, { body: { first_name: "Probe" } }], NOT_FOUND],
    [["DELETE", `${CONTACTS}/${NO_ID}`], NOT_FOUND],
  ),
  // The company is the mark by which the probe recognizes its contact. Other stories create contacts without a company.
  "contacts.nothing_required": answers(
    (account) => {
      const company = account.newName();
      return account.create("contact", company, CONTACTS, { body: { company } });
    },
    { status: 201, body: { id: /\w/ } },
  ),
  "contacts.unknown_in_body": answers(onDraft("POST", "/recipients", { id: NO_ID, kind: "contact" }), {
    status: 400,
    body: { detail: { id: [/\w/] } },
  }),
  "members.not_found": answers(["GET", `/public/v1/members/${NO_ID}`], NOT_FOUND),
  "members.unknown_text": answers((account) => account.upload({ owner: { membership_id: NO_ID } }), {
    status: 400,
    body: { detail: { owner: ["Member not found."] } },
  }),
  "ownership.unknown_member": answerEach(
    [onDraft("PATCH", "/ownership", { membership_id: NO_ID }), NOT_FOUND],
    [onDraft("PATCH", "/ownership", {}), { status: 400, body: { detail: { membership_id: ["This field is required."] } } }],
  ),
  "recipients.contact_id": contactId,
  "recipients.empty_name": emptyName,
  "recipients.reassign_cc": reassignCc,
  "recipients.reassign_to_recipient": reassignToRecipient,
  "recipients.second_add": secondAdd,
  "recipients.verification_texts": answers(
    (account) =>
      account.upload({
        recipients: [
          {
            ...account.me("Client"),
            verification_settings: { verification_place: "before_open", passcode_verification: { passcode: "a" } },
          },
        ],
      }),
    { status: 400, body: { detail: { recipients: [{ verification_settings: {} }] } } },
  ),
  "recipients.wrong_status": wrongStatus,
} as const;
