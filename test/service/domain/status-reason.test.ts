/** A refusal by a status names the way to an allowed status. Each test follows the named steps, and repeats the refused call. */
import { describe, expect, test } from "vitest";
import { STATUSES } from "../../../src/service/nouns/documents/status-machine.ts";
import { aDraft, simulate, succeed } from "../../support/stories.ts";
import { type Answer, type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const APPROVAL = ["document.waiting_approval", "document.approved", "document.rejected"];
const PAYMENT = ["document.waiting_pay", "document.paid"];
/** Templates, and the statuses that their documents never have. */
const TEMPLATES_AND_GAPS: [template: string, gaps: string[]][] = [
  ["One signer", [...APPROVAL, ...PAYMENT, "document.error"]],
  ["Approval before sending", [...PAYMENT, "document.error"]],
  ["Signature and payment", [...APPROVAL, "document.completed", "document.error"]],
];

async function recipientOf(world: TestWorld, id: string): Promise<{ id: string; email: string }> {
  const { body } = await world.admin("GET", `/documents/${id}`);
  return body.recipients[0];
}

/** Calls that the status of a document can refuse. */
const CALLS: Record<string, (world: TestWorld, id: string) => Promise<Answer>> = {
  updateDocument: (world, id) => world.call("updateDocument", { params: { id }, body: { name: "New name" } }),
  sendDocument: (world, id) => world.call("sendDocument", { params: { id }, body: { silent: true } }),
  createDocumentLink: async (world, id) =>
    world.call("createDocumentLink", { params: { id }, body: { recipient: (await recipientOf(world, id)).email } }),
  createManualReminder: async (world, id) =>
    world.call("createManualReminder", {
      params: { document_id: id },
      body: { reminders: [{ recipient_id: (await recipientOf(world, id)).id }] },
    }),
  detailsDocument: (world, id) => world.call("detailsDocument", { params: { id } }),
  downloadDocument: (world, id) => world.call("downloadDocument", { params: { id } }),
  "changeDocumentStatus to completed": (world, id) => world.call("changeDocumentStatus", { params: { id }, body: { status: 2 } }),
  "the act sign": (world, id) => world.admin("POST", `/documents/${id}/simulate/sign`),
  "the act accept_review": (world, id) => world.admin("POST", `/documents/${id}/simulate/accept_review`),
};

/** What a user does for each step that a reason names. */
const STEPS: Record<string, (world: TestWorld, id: string) => Promise<unknown>> = {
  "wait until it is processed (poll its status, or advance the clock)": (world) => world.advance("10s"),
  async "wait for its scheduled time"(world, id) {
    const { body } = await world.admin("GET", `/documents/${id}`);
    return succeed(world.admin("POST", "/clock/advance", { to: body.scheduled }));
  },
  "send it": (world, id) => succeed(world.call("sendDocument", { params: { id }, body: { silent: true } })),
  async "let its approvers approve it"(world, id) {
    while (world.sandbox.documents.get(id)?.status === "document.waiting_approval") await simulate(world, id, "approve");
  },
  "let a recipient review it": (world, id) => simulate(world, id, "review"),
  "end its review": (world, id) => simulate(world, id, "accept_review"),
  "let its recipients sign it": (world, id) => simulate(world, id, "sign"),
  "let a recipient pay": (world, id) => simulate(world, id, "pay"),
  "move it to draft": (world, id) => succeed(world.call("documentRevertToDraft", { params: { id } })),
};

/** Public calls have the reason in a header, calls of the admin API in the body. */
const whyOf = ({ headers, body }: Answer): string => headers.get("x-docdouble-why") ?? body?.why ?? "";
const isRefusedByStatus = (answer: Answer) => answer.status >= 400 && whyOf(answer).includes("the document is in document.");

async function followAdvice(world: TestWorld, id: string, why: string): Promise<void> {
  const advice = /To get there, (.*?)(?: \(assumption .*)?$/.exec(why)?.[1];
  expect(advice, why).toBeDefined();
  for (const step of (advice ?? "").split(/, then |, (?!or )/)) {
    const take = STEPS[step.replace(/ again$/, "")];
    expect(take, `a step of: ${why}`).toBeDefined();
    await take?.(world, id);
  }
}

describe.each(TEMPLATES_AND_GAPS)("a document of the template %s", (template, gaps) => {
  const statuses = STATUSES.filter((status) => !gaps.includes(status));
  test.each(statuses)("each call that %s refuses succeeds after the named steps", async (status) => {
    for (const [name, call] of Object.entries(CALLS)) {
      const { id } = await world.sandbox.documents.create({ template, status });
      const refused = await call(world, id);
      if (!isRefusedByStatus(refused)) continue;
      expect(whyOf(refused)).toContain(`the document is in ${status}. Allowed in: `);
      await followAdvice(world, id, whyOf(refused));
      const repeated = await call(world, id);
      expect(repeated.status, `${name}: ${whyOf(refused)}\nThen: ${whyOf(repeated)}`).toBeLessThan(300);
    }
  });
});

test("a reason says why a document never gets to the allowed status", async () => {
  const id = await aDraft(world);
  const refused = async (act: string) => whyOf(await world.admin("POST", `/documents/${id}/simulate/${act}`));
  expect(await refused("approve")).toMatch(/It never gets there, because it has no approval$/);
  expect(await refused("pay")).toMatch(/It never gets there, because it has no payment$/);
  expect(await refused("process")).toMatch(/Allowed in: document\.uploaded\. Only a new document has this status$/);
});
