import { html, type Html, type Part, raw } from "../../engine/http/html.ts";
import { badge, button } from "./parts.ts";
import { type DocumentRow, type DocumentState, type FieldRow, type PossibleAct, documents } from "../../service/service.ts";

type Kind = "" | "main" | "danger";

const LABELS: Readonly<Record<string, string>> = {
  fill: "Fill in",
  review: "Suggest edits",
  pay_fail: "Fail the payment",
  accept_review: "Accept the review",
  finish_pdf: "Finish the PDF",
  fail: "Fail the processing",
};

const KINDS: Readonly<Record<string, Kind>> = {
  sign: "main",
  approve: "main",
  pay: "main",
  process: "main",
  decline: "danger",
  reject: "danger",
  expire: "danger",
  fail: "danger",
  pay_fail: "danger",
};

export function actHtml(row: DocumentRow, { act, recipient }: PossibleAct, of = ""): Html {
  const label = LABELS[act] ?? act.replace(/^./, (first) => first.toUpperCase());
  const body = recipient === null ? {} : { recipient };
  const id = `ask-${act}-${recipient ?? "all"}`;
  const inputs = inputsOf(id, row, act, recipient);
  const kind = KINDS[act] ?? "";
  return inputs
    ? ask(id, { label, call: callOf(row.id, act), body, kind, of }, inputs)
    : button(label, callOf(row.id, act), body, kind, of);
}

function callOf(document: string, act: string): string {
  return `POST /__admin/documents/${encodeURIComponent(document)}/simulate/${act}`;
}

interface Order {
  label: string;
  call: string;
  body: object;
  kind: Kind;
  of: string;
}

/** The names of inputs are paths in the request body. */
function ask(id: string, { label, call, body, kind, of }: Order, inputs: Part): Html {
  return html`<details class="ask act ${kind}" id="${id}"><summary>${label}…${of ? html`<span class="sr"> ${of}</span>` : null}</summary>
<form class="panel" data-call="${call}" data-body="${JSON.stringify(body)}" data-label="${label}">${inputs}<button class="${kind || "main"}">${label}</button></form></details>`;
}

function inputsOf(id: string, row: DocumentRow, act: string, recipient: string | null): Part {
  switch (act) {
    case "fill":
      return row.fields.filter((field) => field.recipient_id === recipient).map((field) => fieldInput(id, field));
    case "schedule":
      return line(id, "at", "Send at, or in", raw(' required placeholder="2h or 2026-03-02T09:00:00Z"'));
    case "comment":
      return words(id, "text", "Comment", true);
    case "review":
      return words(id, "text", "What should change?");
    case "decline":
    case "reject":
    case "pay_fail":
    case "fail":
      return words(id, "reason", "Reason");
    case "forward":
      return [
        line(id, "to.email", "Email address", raw(' type="email" required')),
        html`<div class="pair">${line(id, "to.first_name", "First name")}${line(id, "to.last_name", "Last name")}</div>`,
        row.internal.forwarding.forwarding_with_reassigning_allowed
          ? tick(id, "to.reassign", "They sign in this place", false)
          : null,
      ];
    default:
      return null;
  }
}

function line(id: string, name: string, label: string, more: Part = null, value = ""): Html {
  return html`<label for="${id}-${name}">${label}</label><input id="${id}-${name}" name="${name}" value="${value}" autocomplete="off"${more}>`;
}

function words(id: string, name: string, label: string, isRequired = false): Html {
  return html`<label for="${id}-${name}">${label}${isRequired ? null : html` <span class="soft">optional</span>`}</label><textarea id="${id}-${name}" name="${name}" rows="2"${isRequired ? raw(" required") : null}></textarea>`;
}

function tick(id: string, name: string, label: string, isOn: boolean): Html {
  return html`<label class="tickbox" for="${id}-${name}"><input type="checkbox" id="${id}-${name}" name="${name}"${isOn ? raw(" checked") : null}> ${label}</label>`;
}

function fieldInput(id: string, field: FieldRow): Part {
  const name = `fields.${field.uuid}`;
  const label = `${field.title || field.name}${field.settings.required ? " *" : ""}`;
  const value = documents.fieldText(field);
  switch (field.type) {
    case "checkbox":
      return tick(id, name, label, field.value === true);
    case "collect_file":
    case "payment_details":
      return null;
    case "dropdown":
    case "radio_buttons":
      return html`<label for="${id}-${name}">${label}</label><select id="${id}-${name}" name="${name}"><option value=""></option>${field.options.map(
        (one) => html`<option${one === value ? raw(" selected") : null}>${one}</option>`,
      )}</select>`;
    case "date":
      return line(id, name, label, raw(' type="date"'), value.slice(0, 10));
    default:
      return line(id, name, label, null, value);
  }
}

export function approvalHtml(row: DocumentRow, { approval }: DocumentState): Html | null {
  if (!approval) return null;
  return html`<h3>Approval</h3><ol class="people" data-testid="approval">${approval.flatMap((step) =>
    step.approvers.map((one) => {
      const of = `as ${one.name}`;
      const order = (act: string, label: string, kind: Kind) => ({
        label,
        call: callOf(row.id, act),
        body: { member: one.membership_id },
        kind,
        of,
      });
      const id = `ask-reject-${one.membership_id}`;
      return html`<li class="${one.is_asked ? "turn" : ""}"><div><strong>${one.name}</strong> ${badge(one.decision ?? (one.is_asked ? "pending" : "waits"))}</div>${
        one.is_asked
          ? html`<div class="acts">${button("Approve", callOf(row.id, "approve"), { member: one.membership_id }, "main", of)}${ask(id, order("reject", "Reject", "danger"), words(id, "reason", "Reason"))}</div>`
          : null
      }</li>`;
    }),
  )}</ol>`;
}
