/** docs/reasons.md: every reason under what it means and what to do. */
import { type Reason, reasons } from "./reasons.ts";

interface Topic {
  title: string;
  status: string;
  /** What the reader does now. */
  fix: string;
  texts: RegExp;
}

/** In order: the first topic that matches a text has it. */
const TOPICS: readonly Topic[] = [
  {
    title: "Key and token",
    status: "401",
    fix: "Send `Authorization: API-Key docdouble-key`, or a key of your fixtures. Keys that begin with `test-` always work. A Bearer token comes from `/oauth2/access_token`; refresh it when it has expired.",
    texts: /API key|API-Key|access token|Authorization header|credentials|production key only/,
  },
  {
    title: "OAuth",
    status: "400",
    fix: "Send the client's id and secret as the fixtures hold them. Use each code and each refresh token once.",
    texts:
      /grant_type|client_id|the code |code is missing|for this client|refresh_token|refresh token|^… is missing$|OAuth client/,
  },
  {
    title: "Admin API from a browser or another machine",
    status: "401, 403",
    fix: "Send the token as `x-docdouble-admin-token`. In a browser, use the inspector. Set `--public-url` to the name that you use.",
    texts: /the admin API|inspector's/,
  },
  {
    title: "Permission",
    status: "403",
    fix: "Use the key of a member with that right. Fixtures set the role of each member, and whether it is an owner or admin of the organization.",
    texts:
      /admins|scope|does not allow|is … and not the document's owner|^… is …: …|is the owner of|only admin|is no admin|roles there are/,
  },
  {
    title: "Feature of the account",
    status: "403, 409",
    fix: "Turn the feature on in `workspaces[].settings` of the fixtures. For recipients outside your organization, use a production key.",
    texts: /add-on|notary transactions|payment_app|sandbox key may not|subscriptions already|editing sessions/,
  },
  {
    title: "Status of the document or template",
    status: "400, 409",
    fix: "Bring the document to a status that allows the call. Poll until it is `document.draft` before you send or edit. After a send, revert it to draft first.",
    texts:
      /allowed in|Allowed in|not in …|is in …|may not fire|possible (?:there|in)|reminder|only a document outside|creation failed|while it is active|can be deleted in|is still being fetched|in document\.waiting_pay only|is deleted already|open step waits|the document is in|automatic reminders|not ACTIVE/,
  },
  {
    title: "Recipients and signing",
    status: "400",
    fix: "Give each signer the exact name of a role of the template. Let recipients act in the signing order. Each signer completes once.",
    texts:
      /recipient|signer|signing order|has completed|required field|already signed|signed the document|wants no|cannot be sent|delivery by SMS|belongs to a user|belongs to another contact|is on the document already|a group|takes no value|it says nothing|^… has …$|to be reached/,
  },
  {
    title: "Locked",
    status: "423",
    fix: "Wait until the lock ends, as `expires_at` says. In a test, advance the clock, or call `faults.unlock(id)`.",
    texts: /in the editor|lock ends/,
  },
  {
    title: "Too many calls",
    status: "429",
    fix: "Wait for `Retry-After` seconds. Without `--rate-limit` and without a rule, docdouble limits no calls.",
    texts: /calls pass|calls of|at one time|may wait/,
  },
  {
    title: "Injected by you",
    status: "any",
    fix: "A rule of a scenario, of the admin API or of `sandbox.faults` did this. Remove the rule, or let your client handle it.",
    texts: /injected by rule|fault of the rule/,
  },
  {
    title: "Nothing has this id",
    status: "404",
    fix: "Check the id and the key. A key sees its own world and its own workspace. A deleted object counts as absent. A reset removes what you created.",
    texts: /^no |has no |holds no call|no such|unknown|could not be fetched|has ended|waits to be processed|there (?:is|are) /,
  },
  {
    title: "Event and form",
    status: "400",
    fix: "Create a document before you trigger an event about it. Subscribe to the event first. Name a template with a role in the form.",
    texts: /event needs|subscribe to the event|forms\[\]|no more mail/,
  },
  {
    title: "Session of a signing page",
    status: "404, 410",
    fix: "Create another session. A session ends after its `lifetime`, when its document is deleted, and when the recipient changes.",
    texts: /session/,
  },
  {
    title: "Assumptions and limits of docdouble",
    status: "any",
    fix: "Read the [assumption](assumptions.md) that the text names, and choose another reading with `--assume`. A text that begins with “docdouble failed” is a bug: please report it.",
    texts: /assumption|docdouble failed|not served/,
  },
  {
    title: "Body and values",
    status: "400, 413",
    fix: "The text names the value and what is allowed. Correct it. [Limits](limits.md#sizes-and-bounds) lists the limits of sizes. The page `/reference` of your server shows the body of each operation.",
    texts: /./,
  },
];

export function reasonsPage(note: string): string {
  const all = reasons();
  const topicOf = (reason: Reason) => TOPICS.find(({ texts }) => texts.test(reason.text));
  return [
    "# Reasons",
    note,
    "docdouble adds a reason to every refusal: in the header `x-docdouble-why`, in the journal, and in the inspector. This page explains each one. Search it for the text that you see. `…` stands for a name or number.",
    "To read the reason of a call, run it with `curl -i`, or open the journal at `/__admin/?view=journal`.",
    ...TOPICS.map((topic) => {
      const own = all.filter((one) => topicOf(one) === topic);
      return [
        `## ${topic.title}`,
        `Status: ${topic.status}. ${topic.fix}`,
        own.map(({ text }) => `- ${shown(text)}`).join("\n") || "No fixed text.",
      ].join("\n\n");
    }),
  ]
    .join("\n\n")
    .concat("\n");
}

/** As code, so that nothing in it counts as Markdown. */
function shown(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll(/\s+/g, " ")}\``;
}
