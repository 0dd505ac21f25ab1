import { iso } from "../../../engine/core/clock.ts";
import { currencyOf } from "../../nouns/documents/view.ts";
import { auditTrail } from "../../nouns/documents/history.ts";
import { findPerson, fullName } from "../../nouns/members/members.ts";
import { choosableItems } from "../../nouns/pricing/signer-choices.ts";
import { AUDIT_OF, isAllowedIn } from "../../nouns/documents/status-machine.ts";
import { displayName, participantName, participantsOf, signedMember } from "../../nouns/people/participants.ts";
import { authorOf, commentsOf } from "../../nouns/signing/participant-acts.ts";
import type { BlockReason, Errors, SessionView } from "../../nouns/signing/sessions.ts";
import type { VerificationKind } from "../../nouns/documents/transitions.ts";
import { toAuditUser } from "../../nouns/documents/transitions.ts";
import type { World } from "../../kit/world.ts";
import { dueHtml, dueText } from "./choices.ts";
import { labelOf } from "./fields.ts";
import { html, type Html, type Part, raw, htmlPage } from "../../../engine/http/html.ts";
import { message, type Messages } from "./session-messages.ts";
import { sheetsHtml } from "./page-sheets.ts";
import { SIGNING_SCRIPT, SIGNING_STYLE } from "../assets.ts";
import type { AuditRow, DocumentRow } from "../../nouns/documents/row.ts";
import type { GroupMember, RecipientRow } from "../../nouns/people/inputs.ts";

export interface Turn {
  /** By a field's uuid, or by the id of a chosen item. */
  errors?: Errors;
  refusal?: string;
  notice?: string;
  messages?: Messages;
}

export function signingPage(world: World, sight: SessionView, turn: Turn = {}): Html {
  switch (sight.is) {
    case "stopped":
      return stopPage(world, sight, turn);
    case "verify":
      return sight.locked ? lockedPage(sight.document, turn) : verifyPage(world, sight.document, sight.kind, turn);
    case "open":
      return documentPage(world, sight, turn);
  }
}

function layout(title: string, state: string, body: Html, messages: Messages = {}): Html {
  return htmlPage({
    title,
    style: SIGNING_STYLE,
    state,
    body: html`${body}
<footer class="foot">Served by docdouble, a test double: nothing that is signed here binds anybody.</footer>`,
    data: messages,
    script: SIGNING_SCRIPT,
  });
}

const STOPS: Readonly<Record<BlockReason, { title: string; text(name: string): string; bad?: boolean }>> = {
  unknown: {
    title: "This link does not work",
    text: () => "It may be incomplete, or the document was removed. Ask the sender for a new one.",
    bad: true,
  },
  session_expired: {
    title: "This session has expired",
    text: () => "Sessions last for a limited time. Ask the sender for a new link; what you have saved is kept.",
    bad: true,
  },
  not_out: {
    title: "Not available yet",
    text: (name) => `The sender is still working on ${name}. You will hear from them when it is ready.`,
  },
  review: {
    title: "Edits are being reviewed",
    text: (name) => `Changes to ${name} were suggested. The sender looks at them before anybody can sign.`,
  },
  expired: {
    title: "This document has expired",
    text: (name) => `${name} can no longer be completed. Ask the sender to send it again.`,
    bad: true,
  },
  declined: {
    title: "This document was declined",
    text: (name) => `${name} was declined and can no longer be completed.`,
    bad: true,
  },
  handed_over: {
    title: "Thank you, you are done",
    text: (name) => `Another person now signs ${name} in your place. That person got a separate link.`,
  },
  turn: {
    title: "It is not your turn yet",
    text: (name) => `Others sign ${name} before you. You will hear from us as soon as it is your turn.`,
  },
};

function stopPage(world: World, { why, document }: Extract<SessionView, { is: "stopped" }>, turn: Turn): Html {
  const { title, text, bad } = STOPS[why];
  return layout(
    title,
    why,
    html`<main id="main"><section class="card" data-testid="stopped" data-why="${why}">
<div class="sign${bad ? " bad" : ""}" aria-hidden="true">${bad ? "!" : why === "handed_over" ? "✓" : "…"}</div>
<h1>${title}</h1>
${turn.refusal ? html`<p role="alert" class="error" data-testid="refusal">${turn.refusal}</p>` : null}
<p>${text(document ? `“${document.name}”` : "The document")}</p>
${why === "unknown" || why === "session_expired" ? freshHtml(document) : null}
${why === "declined" && document ? declinedHtml(world, document) : null}
</section></main>`,
    turn.messages,
  );
}

/** Who declined the document, when and why. A document that a file made declined has a date only. */
function declinedHtml(world: World, document: DocumentRow): Html {
  const entry = auditTrail(world, document.id).findLast(({ action }) => DECLINES.includes(action));
  const at = entry?.at ?? document.date_declined;
  const date = at === null ? "" : iso(at).slice(0, 16).replace("T", " ");
  return html`${
    entry
      ? html`<p data-testid="declined-by"><bdi>${personOf(world, document, entry)}</bdi> declined it on ${date}.</p>`
      : at !== null && html`<p data-testid="declined-by">It was declined on ${date}.</p>`
  }
${entry?.reason && html`<p data-testid="reason">Reason: <bdi>${entry.reason}</bdi></p>`}
<p data-testid="testing">Are you testing? No call makes a new link for a declined document. <a href="/__admin/?view=documents&amp;id=${document.id}" target="_blank" rel="noopener">The inspector shows how it was declined.</a></p>`;
}

const DECLINES: readonly (number | undefined)[] = [AUDIT_OF.decline, AUDIT_OF.decline_manually];

/** A recipient, or a member of the sender's workspace. */
function personOf(world: World, document: DocumentRow, { user }: AuditRow): string {
  const participant = participantsOf(document).find((one) => toAuditUser(one).id === user.id);
  return participant ? participantName(participant) : fullName(world.store.users.get(user.id)) || user.email;
}

/** Who sees this page in a test double is often the sender too. */
function freshHtml(document: DocumentRow | undefined): Html {
  const call = `POST /public/v1/documents/${document?.id ?? "{id}"}/session`;
  return html`<p data-testid="fresh">Are you testing? <code>${call}</code> makes a new link. <a href="/__admin/?view=mails" target="_blank" rel="noopener">The inspector lists the links of all mails.</a></p>`;
}

export function failurePage(status: number, messages: Messages = {}): Html {
  return layout(
    "Something went wrong",
    "failed",
    html`<main id="main"><section class="card" data-testid="failed" data-status="${status}">
<div class="sign bad" aria-hidden="true">!</div>
<h1>Something went wrong</h1>
<p>The page could not be shown (${status}). What you have saved is kept.</p>
<p><a href="">Try again</a></p>
</section></main>`,
    messages,
  );
}

const CHECKS: Readonly<Record<VerificationKind, { title: string; text: string; label?: string }>> = {
  passcode: { title: "Enter the passcode", text: "The sender protects this document with a passcode.", label: "Passcode" },
  phone: { title: "Confirm your phone", text: "We text a code to the phone number that the sender gave.", label: "Code" },
  email: { title: "Confirm your email address", text: "We mail a code to the address that the sender gave.", label: "Code" },
  kba: { title: "Answer questions about yourself", text: "Nobody's knowledge is checked here: choose how the check ends." },
  id: { title: "Verify your identity", text: "Nobody's identity is checked here: choose how the check ends." },
};

function verifyPage(world: World, document: DocumentRow, kind: VerificationKind, turn: Turn): Html {
  const { title, text, label } = CHECKS[kind];
  const asks = label
    ? html`<label for="answer">${label}</label><input id="answer" name="answer" autocomplete="one-time-code"${turn.refusal ? raw(' aria-invalid="true" aria-describedby="refusal"') : null} data-focus>
<button class="btn" name="act" value="verify" data-testid="verify">Continue</button>`
    : html`<button class="btn" name="answer" value="pass" data-testid="verify">Pass the check</button><button class="btn second" name="answer" value="fail" data-testid="verify-fail">Fail the check</button><input type="hidden" name="act" value="verify">`;
  return layout(
    `${title}: ${document.name}`,
    "verify",
    html`<main id="main"><section class="card" data-testid="verification" data-kind="${kind}">
<div class="sign" aria-hidden="true">•••</div>
<h1>${title}</h1>
<p>${senderName(world, document)} sent you “${document.name}”. ${text}</p>
${turn.notice ? html`<p role="status">${turn.notice}</p>` : null}
${turn.refusal ? html`<p role="alert" class="error" id="refusal" data-testid="refusal">${turn.refusal}</p>` : null}
<form method="post">${asks}</form>
${kind === "phone" || kind === "email" ? html`<form method="post"><button class="btn second" name="act" value="send_code" data-testid="send-code">${turn.notice ? "Send another code" : "Send the code"}</button></form>` : null}
</section></main>`,
    turn.messages,
  );
}

function lockedPage(document: DocumentRow, turn: Turn): Html {
  return layout(
    `Too many wrong codes: ${document.name}`,
    "locked",
    html`<main id="main"><section class="card" data-testid="locked">
<div class="sign bad" aria-hidden="true">!</div>
<h1>Too many wrong codes</h1>
<p>This session takes no more codes for “${document.name}”. Ask the sender for a new link.</p>
</section></main>`,
    turn.messages,
  );
}

function senderName(world: World, document: DocumentRow): string {
  const user = findPerson(world, document.sent_by ?? document.owner)?.user;
  return fullName(user) || user?.email || "The sender";
}

type Open = Extract<SessionView, { is: "open" }>;

function documentPage(world: World, sight: Open, turn: Turn): Html {
  const { document, recipient, mode } = sight;
  const [badge, look] = badgeOf(document, recipient, mode);
  const sheet = sheetsHtml(world, sight, turn.errors ?? {});
  const required = document.fields.filter((field) => field.recipient_id === recipient.id && field.settings.required).length;
  const names = html`<bdi>${participantName(sight)}</bdi>${sight.member ? html`, <bdi>${displayName(recipient)}</bdi>` : null}`;
  return layout(
    document.name,
    mode,
    html`<a class="skip" href="#sheet">Skip to the document</a>
<header class="top"><div><div><h1 dir="auto" data-testid="document-name">${document.name}</h1>
<p>From <bdi>${senderName(world, document)}</bdi> for ${names}</p></div>
<span class="badge${look && ` ${look}`}" data-testid="status" data-status="${document.status}">${badge}</span></div></header>
<main id="main" data-document="${document.id}" data-recipient="${recipient.id}">
<p id="live" role="status" data-testid="live"></p>
${bannerHtml(world, sight, turn)}
${
  mode === "fill"
    ? html`<form id="sign" method="post" enctype="multipart/form-data" novalidate data-testid="signing-form"><input type="hidden" name="fields" value="1"><input type="hidden" name="embedded" value="">
${sheet}
${dueHtml(document, currencyOf(world, document))}
${choosableItems(document).length > 0 ? html`<input type="hidden" name="choices" value="1">` : null}
<div class="dock"><p id="progress" data-testid="progress">${required === 0 ? "Nothing is required of you." : `Fill in what is required (${required}), then finish.`} By finishing you sign.</p>
<button type="button" class="btn second" id="next" data-testid="next" hidden>Next field</button><button class="btn second" name="act" value="save" data-testid="save">Save</button><button class="btn" name="act" value="finish" data-testid="finish">Finish</button></div></form>`
    : html`${mode === "pay" ? payHtml(document, currencyOf(world, document)) : null}${sheet}`
}
${moreHtml(world, sight)}
</main>`,
    { ...turn.messages, ended: message(world, "exception", sight) },
  );
}

function badgeOf(document: DocumentRow, recipient: RecipientRow, mode: Open["mode"]): [text: string, look: "" | "unpaid"] {
  if (document.status === "document.completed") return ["Completed", ""];
  if (document.status === "document.paid") return ["Paid", ""];
  if (document.status === "document.waiting_pay") return ["Waiting for payment", "unpaid"];
  if (mode === "fill") return ["Waiting for you", ""];
  return [recipient.has_completed ? "Waiting for others" : "For you to read", ""];
}

function bannerHtml(world: World, { document, recipient, member, session }: Open, turn: Turn): Part {
  const wrong = Object.entries(turn.errors ?? {});
  if (wrong.length > 0) {
    const named = new Map([
      ...document.fields.map((field) => [field.uuid, labelOf(field)] as const),
      ...choosableItems(document).map(({ id, name }) => [id, name] as const),
    ]);
    return html`<div class="banner bad" role="alert" tabindex="-1" autofocus data-focus data-testid="errors"><h2>${
      wrong.length === 1 ? "One field needs your attention" : `${wrong.length} fields need your attention`
    }</h2><ul>${wrong.map(([uuid, text]) => html`<li><a href="#f-${uuid}">${named.get(uuid) ?? "Another field"}</a>: ${text}</li>`)}</ul></div>`;
  }
  if (turn.refusal)
    return html`<div class="banner bad" role="alert" tabindex="-1" autofocus data-focus data-testid="refusal"><h2>That did not work</h2><p>${turn.refusal}</p></div>`;
  if (turn.notice)
    return html`<div class="banner good" role="status" tabindex="-1" autofocus data-focus data-testid="notice"><p>${turn.notice}</p></div>`;
  if (recipient.has_completed || document.status === "document.completed" || document.status === "document.paid")
    return html`<div class="banner good" role="status" data-testid="done"><h2>${
      recipient.has_completed ? finishedText(recipient, member) : "This document is completed"
    }</h2><p>${nextText(document, currencyOf(world, document))}</p>${isAllowedIn(document.status, "download_protected") ? html`<p><a class="btn second" href="/s/${session.id}/download" data-testid="download">Download the document</a></p>` : null}</div>`;
  return null;
}

function finishedText(recipient: RecipientRow, visitor: GroupMember | undefined): string {
  const signer = signedMember(recipient);
  if (!signer || signer.id === visitor?.id) return "You have finished this document";
  return `${participantName({ recipient, member: signer })} has finished this document for ${displayName(recipient)}`;
}

/** What happens next. */
function nextText(document: DocumentRow, currency: string): string {
  const due = dueText(document, currency);
  switch (document.status) {
    case "document.waiting_pay":
      return `Everybody has signed. ${due ?? ""} is due now. The document is complete when it is paid.`;
    case "document.sent":
    case "document.viewed":
      return [
        "Others still have to finish. You get a copy when everybody has.",
        ...(due === undefined ? [] : [`Then ${due} is due.`]),
      ].join(" ");
    default:
      return "Everybody has finished, so there is nothing left to do. Below is what was agreed.";
  }
}

function payHtml(document: DocumentRow, currency: string): Html {
  return html`<section class="card pay" data-testid="payment" aria-labelledby="pay-title"><h2 id="pay-title">Pay ${dueText(document, currency)}</h2>
<p>No card is charged here: choose how the payment ends.</p>
<form method="post"><button class="btn" name="act" value="pay" data-testid="pay">Pay ${dueText(document, currency)}</button><button class="btn second" name="act" value="pay_fail" data-testid="pay-fail">Let the payment fail</button></form></section>`;
}

function moreHtml(world: World, { document, recipient, mode }: Open): Html {
  const { forwarding, settings } = document.internal;
  const comments = commentsOf(world, document);
  const isOut = document.status === "document.sent" || document.status === "document.viewed";
  return html`<section class="more" aria-label="More">
<details data-testid="comments"><summary>Comments${comments.length > 0 ? ` (${comments.length})` : ""}</summary>
${
  comments.length > 0
    ? html`<ul class="comments">${comments.map((one) => {
        return html`<li data-testid="comment"><span class="who">${authorOf(document, one)}, ${iso(one.at).slice(0, 16).replace("T", " ")}</span><p>${one.text}</p></li>`;
      })}</ul>`
    : null
}<form method="post"><label for="comment-text">Your comment</label><textarea id="comment-text" name="text" rows="3"></textarea><button class="btn second" name="act" value="comment" data-testid="comment-send">Add the comment</button></form></details>
${isOut && forwarding.forwarding_allowed ? forwardHtml(mode === "fill" && forwarding.forwarding_with_reassigning_allowed && recipient.type === "recipient") : null}
${mode === "fill" && settings.suggest_edits ? html`<details data-testid="suggest"><summary>Suggest edits</summary><form method="post"><label for="suggest-text">What should change?</label><textarea id="suggest-text" name="text" rows="4"></textarea><button class="btn second" name="act" value="suggest" data-testid="suggest-send">Send the suggestion</button></form></details>` : null}
${mode === "fill" ? html`<details data-testid="decline"><summary>Decline to sign</summary><form method="post"><label for="reason">Why do you decline? <span class="optional">optional</span></label><textarea id="reason" name="reason" rows="3"></textarea><p>Declining ends the document for everybody.</p><button class="btn danger" name="act" value="decline" data-testid="decline-send">Decline the document</button></form></details>` : null}
</section>`;
}

function forwardHtml(mayReassign: boolean): Html {
  return html`<details data-testid="forward"><summary>Forward to somebody else</summary><form method="post">
<label for="forward-email">Email address</label><input id="forward-email" name="email" type="email" autocomplete="off">
<div class="two"><div><label for="forward-first">First name</label><input id="forward-first" name="first_name" autocomplete="off"></div><div><label for="forward-last">Last name</label><input id="forward-last" name="last_name" autocomplete="off"></div></div>
${mayReassign ? html`<label class="check"><input type="checkbox" name="reassign" value="1"><span>They sign in my place</span></label>` : null}
<button class="btn second" name="act" value="forward" data-testid="forward-send">Forward</button></form></details>`;
}
