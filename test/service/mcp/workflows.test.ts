/**
 * The ten workflows that the vendor publishes for agents, in docdouble's words. A scripted agent runs each one twice: with the trap of the
 * workflow armed, and not armed.
 */
import { describe, expect, test } from "vitest";
import { findOperation } from "../../../src/service/api/index.ts";
import { callTool } from "../../support/mcp-messages.ts";
import {
  aCompletedDocument,
  aDraft,
  aSentDocument,
  CLIENT,
  DIRECTOR,
  simulate,
  succeed,
  TEMPLATES,
} from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

// biome-ignore lint/suspicious/noExplicitAny: results have many shapes
type Result = any;

class ToolFailure extends Error {
  readonly error: Result;
  constructor(error: Result) {
    super(error.message);
    this.error = error;
  }
}

/** Calls tools, and waits on docdouble's clock. */
class ScriptedAgent {
  readonly world: TestWorld;

  constructor(world: TestWorld) {
    this.world = world;
  }

  async use(name: string, args: object = {}): Promise<Result> {
    const result = await callTool(this.world, name, args);
    if (result.isError) throw new ToolFailure(result.structuredContent.error);
    return result.structuredContent;
  }

  /** Creates a document from a template, and polls until it is a draft. */
  async draft(template_uuid: string, members: object = {}): Promise<string> {
    const made = await this.use("documents_create", {
      request: { source: "template", template_uuid, name: "Deal", recipients: [EMAILED], ...members },
    });
    expect(made.status).toBe("Uploaded");
    for (let i = 0; i < 10; i++) {
      if ((await this.use("documents_status_get", { document_id: made.id })).status === "Draft") return made.id;
      await this.world.advance("1s");
    }
    throw new Error("no draft after ten polls");
  }

  details(document_id: string): Promise<Result> {
    return this.use("documents_details_get", { document_id });
  }

  /** Sends, and repeats once after a conflict. Returns the status. */
  async send(document_id: string, more: object = {}): Promise<string> {
    const args = { document_id, subject: "Please sign", message: "As discussed", silent: true, ...more };
    try {
      return (await this.use("documents_send", args)).status;
    } catch (failure) {
      if ((failure as ToolFailure).error?.status !== 409) throw failure;
      await this.world.advance("2s");
      return (await this.use("documents_send", args)).status;
    }
  }

  /** All documents in these statuses. The tool takes one status at a time. */
  async listed(...statuses: string[]): Promise<Result[]> {
    const all = [];
    for (const status of statuses) all.push(...(await this.use("documents_list", { status, count: 100 })).results);
    return all;
  }
}

const EMAILED = { ...CLIENT, delivery_methods: { email: true, sms: false } };

const agentIn = async (options: Parameters<typeof testWorld>[0] = {}) => new ScriptedAgent(await testWorld(options));

const unassigned = ({ fields }: Result): string[] =>
  fields
    .filter((one: Result) => ["signature", "initials"].includes(one.type) && !one.assigned_to.id)
    .map((one: Result) => one.uuid);

const isSigned = ({ recipients }: Result): boolean =>
  recipients.some((one: Result) => one.recipient_type === "signer" && one.signature_date !== null);

/** Arms a rule for the next call of an operation. */
const arm = (agent: ScriptedAgent, operation: string, then: object) => {
  expect(findOperation(operation)).toBeDefined();
  return succeed(agent.world.admin("POST", "/rules", { name: operation, when: { operation }, then: { times: 1, ...then } }));
};

/** Completes a sent document without a signature. */
async function aManualCompletion(agent: ScriptedAgent): Promise<string> {
  const id = await aSentDocument(agent.world);
  await agent.use("documents_status_change", { document_id: id, status: "Completed" });
  return id;
}

describe("1. send an NDA at once", () => {
  const run = async (agent: ScriptedAgent, template: string, { checks = true } = {}) => {
    const { results } = await agent.use("templates_list", { q: "signer", count: 10 });
    expect(results.map((one: Result) => one.id)).toContain(template);
    const { roles } = await agent.use("templates_details_get", { template_id: template });
    const id = await agent.draft(template, { recipients: [{ ...EMAILED, role: roles[0].name }] });
    const details = await agent.details(id);
    const open = unassigned(details);
    if (checks && open.length > 0)
      await agent.use("documents_fields_assign", {
        document_id: id,
        assignments: open.map((field_id) => ({ field_id, recipient_id: details.recipients[0].id })),
      });
    return agent.send(id);
  };

  test("a template with one role is sent", async () => {
    expect(await run(await agentIn(), TEMPLATES.oneSigner)).toBe("Sent");
  });

  test("an unassigned signature blocks an agent that does not check, and no other agent", async () => {
    await expect(run(await agentIn(), TEMPLATES.twoSigners, { checks: false })).rejects.toThrow(
      "Not all signature, initials fields were assigned",
    );
    expect(await run(await agentIn(), TEMPLATES.twoSigners)).toBe("Sent");
  });

  test("one address in two roles is refused", async () => {
    const agent = await agentIn();
    const recipients = [EMAILED, { ...DIRECTOR, email: EMAILED.email }];
    await expect(agent.draft(TEMPLATES.twoSigners, { recipients })).rejects.toThrow("already in recipients list");
  });

  test("a draft that is not ready answers 409 once, and the second send works", async () => {
    const agent = await agentIn();
    await arm(agent, "sendDocument", { error: "conflict" });
    expect(await run(agent, TEMPLATES.oneSigner)).toBe("Sent");
    const calls = (await agent.world.admin("GET", "/requests")).body.requests.filter(
      (one: Result) => one.tool === "documents_send",
    );
    expect(calls.map((one: Result) => one.response.status)).toEqual([200, 409]);
  });
});

describe("2. build a quote", () => {
  /** Returns the discount in percent. */
  const run = async (agent: ScriptedAgent, name: string) => {
    const { pricing } = await agent.use("templates_details_get", { template_id: TEMPLATES.euro });
    expect(Number(pricing.tables[0].summary.discount)).toBeGreaterThan(0);
    const rows = [{ data: { name: "Licence", price: 100, qty: 2 }, options: { optional: false } }];
    const options = { discount: { name, type: "percent", value: 10 } };
    const id = await agent.draft(TEMPLATES.euro, {
      pricing_tables: [{ name: pricing.tables[0].name, options, sections: [{ title: "Products", default: true, rows }] }],
    });
    const { summary } = (await agent.details(id)).pricing.tables[0];
    return (100 * Number(summary.discount)) / Number(summary.subtotal);
  };

  test("a discount under the template's own name replaces it", async () => {
    expect(await run(await agentIn(), "Discount")).toBe(10);
  });

  test("a discount under another name comes on top", async () => {
    expect(await run(await agentIn(), "Special promo")).toBe(25);
  });

  test("a row without options and a foreign currency are refused in the service's words", async () => {
    const agent = await agentIn();
    const table = (options: object, row: object) => [
      { name: "Pricing Table 1", options, sections: [{ title: "A", rows: [{ data: { name: "x", price: 1, qty: 1 }, ...row }] }] },
    ];
    const refused = (pricing_tables: object[]) =>
      agent.draft(TEMPLATES.euro, { pricing_tables }).catch((failure: ToolFailure) => failure.error);
    expect(await refused(table({}, {}))).toMatchObject({
      status: 400,
      message: expect.stringContaining('"options":["This field is required."]'),
    });
    const { message } = await refused(table({ currency: "USD" }, { options: {} }));
    expect(message).toContain("Wrong request currency");
    expect(message).toContain("mismatch template currency");
  });
});

describe("3. turn a signed quote into an invoice", () => {
  const run = async (agent: ScriptedAgent, invoiceTemplate: string) => {
    const quote = await aCompletedDocument(agent.world, { template: "pricing" });
    const found = await agent.listed("Completed", "Paid");
    expect(found.map((one) => one.id)).toEqual([quote]);
    const details = await agent.details(quote);
    expect(isSigned(details)).toBe(true);
    const rows = details.pricing.tables[0].items
      .filter((one: Result) => !one.options.optional || one.options.optional_selected)
      .map((one: Result) => ({ data: { name: one.name, price: one.price, qty: one.qty }, options: {} }));
    const { pricing } = await agent.use("templates_details_get", { template_id: invoiceTemplate });
    const name = pricing.tables[0]?.name ?? "Pricing Table 1";
    const id = await agent.draft(invoiceTemplate, {
      name: "Invoice",
      pricing_tables: [
        { name, sections: [{ title: "A", rows: [...rows, { data: { name: "Fee", price: 5, qty: 1 }, options: {} }] }] },
      ],
    });
    const invoice = await agent.details(id);
    await agent.use("documents_update", { document_id: quote, tags: ["invoiced"] }).catch(() => {});
    return invoice.pricing;
  };

  test("a template with a pricing table takes the rows", async () => {
    const { tables, total } = await run(await agentIn(), TEMPLATES.pricing);
    expect(tables[0].items.map((one: Result) => one.name)).toContain("Fee");
    expect(Number(total)).toBeGreaterThan(0);
  });

  test("a template with a Quote block takes them too, and ignores them without a word", async () => {
    const agent = await agentIn();
    const { tables, quotes, total } = await run(agent, TEMPLATES.quote);
    const untouched = await agent.details(await agent.draft(TEMPLATES.quote));
    expect([tables, quotes.length]).toEqual([[], 1]);
    expect(JSON.stringify(quotes)).not.toContain("Fee");
    expect(total).toBe(untouched.pricing.total);
  });

  test("a draft in another currency keeps the template's currency, and the update still succeeds", async () => {
    const agent = await agentIn();
    const id = await agent.draft(TEMPLATES.euro);
    const row = { data: { name: "x", price: 7, qty: 1 }, options: {} };
    const pricing_tables = [{ name: "Pricing Table 1", options: { currency: "USD" }, sections: [{ title: "A", rows: [row] }] }];
    expect(await agent.use("documents_update", { document_id: id, pricing_tables })).toEqual({ updated: true });
    expect((await agent.details(id)).pricing.tables[0].currency).toBe("EUR");
  });
});

describe("4. prefill the papers of a new colleague", () => {
  const run = async (agent: ScriptedAgent, template: string, values: Record<string, string>) => {
    const { fields, roles } = await agent.use("templates_details_get", { template_id: template });
    const id = await agent.draft(template, {
      recipients: [{ ...EMAILED, role: roles[0].name }],
      fields: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
    });
    const details = await agent.details(id);
    return {
      id,
      merge: fields.map((one: Result) => one.merge_field),
      filled: details.fields.filter((one: Result) => one.is_filled).map((one: Result) => one.value),
    };
  };

  test("a merge name fills its field", async () => {
    const { merge, filled } = await run(await agentIn(), TEMPLATES.everyField, { Notes: "from Monday" });
    expect(merge).toContain("Notes");
    expect(filled).toContain("from Monday");
  });

  test("without merge names the values are dropped, and an update names the keys that do not exist", async () => {
    const agent = await agentIn();
    const { id, filled } = await run(agent, TEMPLATES.staffForm, { Text: "Ivo" });
    expect(filled).not.toContain("Ivo");
    await expect(agent.use("documents_update", { document_id: id, fields: { Text: { value: "Ivo" } } })).rejects.toThrow(
      "There are no such fields in the document",
    );
  });

  test("one merge name fills every field that shares it", async () => {
    const agent = await agentIn();
    const { fields } = await agent.use("templates_details_get", { template_id: TEMPLATES.sharedNames });
    const names: string[] = fields.flatMap((one: Result) => one.merge_field ?? []);
    const shared = names.find((name, i) => names.indexOf(name) !== i) as string;
    const { filled } = await run(agent, TEMPLATES.sharedNames, { [shared]: "same" });
    expect(filled.filter((value: string) => value === "same")).toHaveLength(names.filter((name) => name === shared).length);
  });
});

describe("5. send through the approvers", () => {
  const run = async (agent: ScriptedAgent, template: string) => {
    const id = await agent.draft(template);
    const { approval_execution } = await agent.details(id);
    if (approval_execution === null) return { status: await agent.send(id), isRouted: false };
    const steps = approval_execution.steps.map((step: Result) => ({
      ...step,
      group: { ...step.group, assignees: step.group.assignees.map((one: Result) => ({ ...one, is_selected: true })) },
    }));
    return { id, status: await agent.send(id, { selected_approvers: { steps } }), isRouted: true };
  };

  test("with a workflow, the document waits for approval, and no tool approves it", async () => {
    const agent = await agentIn();
    const { id, status, isRouted } = await run(agent, TEMPLATES.approval);
    expect([status, isRouted]).toEqual(["Waiting for Approval", true]);
    await expect(agent.use("documents_status_change", { document_id: id, status: "Approved" })).rejects.toThrow("status");
  });

  test("without a workflow, there is no chain, and the document goes out", async () => {
    expect(await run(await agentIn(), TEMPLATES.oneSigner)).toEqual({ status: "Sent", isRouted: false });
  });
});

describe("6. make a register of contracts", () => {
  const run = async (agent: ScriptedAgent) => {
    const ids = (await agent.listed("Completed", "Paid")).map((one) => one.id);
    const signed = [];
    for (const id of ids) if (isSigned(await agent.details(id))) signed.push(id);
    const { results } = await agent.use("documents_metadata_batch_get", { document_ids: ids });
    const state = Object.fromEntries(
      results.map((one: Result) => [one.document_id, one.code ?? one.ai_metadata.results[0].value.acceptance_status]),
    );
    return { ids, signed, state };
  };

  test("signed contracts have values that nobody has accepted yet", async () => {
    const agent = await agentIn();
    const id = await aCompletedDocument(agent.world);
    await agent.world.advance("10s");
    expect(await run(agent)).toEqual({ ids: [id], signed: [id], state: { [id]: "pending" } });
  });

  test("a completion by hand does not count as signed, and a fresh contract has no values yet", async () => {
    const agent = await agentIn();
    const manual = await aManualCompletion(agent);
    await agent.world.advance("10s");
    const fresh = await aCompletedDocument(agent.world);
    const { signed, state } = await run(agent);
    expect(signed).toEqual([fresh]);
    expect(state[fresh]).toBe("extraction_pending");
    expect(state[manual]).toBe("pending");
    const draft = await aDraft(agent.world);
    expect((await agent.use("documents_metadata_get", { document_id: draft })).code).toBe("not_started");
  });
});

describe("7. track who has signed", () => {
  const run = async (agent: ScriptedAgent) => {
    const report = [];
    for (const { id } of await agent.listed("Sent", "Viewed")) {
      const { recipients, date_sent } = await agent.details(id);
      const open = recipients
        .filter((one: Result) => one.recipient_type === "signer" && !one.has_completed)
        .map((one: Result) => one.email);
      const trail = await agent
        .use("documents_audit_trail_get", { document_id: id })
        .catch((failure: ToolFailure) => failure.error);
      report.push({ open, date_sent, trail: trail.code ?? trail.count > 0 });
    }
    return report;
  };
  const date_sent = expect.stringMatching(/^2026-03-02T/);

  test("with access to the audit trail, the report has events", async () => {
    const agent = await agentIn();
    await aSentDocument(agent.world, { template: "twoSigners" });
    expect(await run(agent)).toEqual([{ open: [CLIENT.email, DIRECTOR.email], date_sent, trail: true }]);
  });

  test("an account without access gets 403, and the report goes on", async () => {
    const agent = await agentIn({ assume: { "audit_trail.access": "refuse" } });
    const id = await aSentDocument(agent.world, { template: "twoSigners" });
    await simulate(agent.world, id, "sign", { recipient: CLIENT.email });
    expect(await run(agent)).toEqual([{ open: [DIRECTOR.email], date_sent, trail: "forbidden" }]);
  });
});

describe("8. list what needs a reminder", () => {
  /** Names of documents that are out for more than a week. */
  const run = async (agent: ScriptedAgent, now: string) => {
    const late = [];
    for (const entry of await agent.listed("Sent", "Viewed")) {
      expect(entry).not.toHaveProperty("date_sent");
      const { date_sent, name } = await agent.details(entry.id);
      if (Date.parse(now) - Date.parse(date_sent) > 7 * 86_400_000) late.push(name);
    }
    return late;
  };

  test("a document that went out eight days ago is late", async () => {
    const agent = await agentIn();
    await aSentDocument(agent.world, { body: { name: "Old" } });
    await agent.world.advance("8d");
    expect(await run(agent, "2026-03-10T10:00:00Z")).toEqual(["Old"]);
  });

  test("an old draft that went out today is not late, though its creation date is old", async () => {
    const agent = await agentIn();
    const id = await aDraft(agent.world, { body: { name: "Fresh" } });
    await agent.world.advance("8d");
    expect(await agent.send(id)).toBe("Sent");
    expect(await run(agent, "2026-03-10T10:00:00Z")).toEqual([]);
    await expect(agent.use("documents_list", { status: ["Sent", "Viewed"] })).rejects.toThrow("status");
  });
});

describe("9. find contracts that end soon", () => {
  const run = async (agent: ScriptedAgent, document_id: string) => {
    const details = await agent.details(document_id);
    const values = await agent.use("documents_metadata_get", { document_id });
    const { summary } = await agent.use("documents_summary_get", { document_id, summary_type: "detailed" });
    const agreed = values.results?.find((one: Result) => one.key === "Agreement date")?.value?.value;
    return { link: details.expiration_date, agreed, code: values.code, summary };
  };

  test("the expiry is the one of the link, about sixty days after the send", async () => {
    const agent = await agentIn();
    const id = await aCompletedDocument(agent.world);
    await agent.world.advance("10s");
    const { link, agreed, code } = await run(agent, id);
    expect(Math.round((Date.parse(link) - Date.parse("2026-03-02T09:00:00Z")) / 86_400_000)).toBe(60);
    expect([agreed, code]).toEqual([expect.any(String), undefined]);
  });

  test("while extraction runs, the agent waits as long as the answer says", async () => {
    const agent = await agentIn();
    const id = await aCompletedDocument(agent.world);
    const first = await agent.use("documents_metadata_get", { document_id: id });
    expect(first).toEqual({ code: "extraction_pending", retry_after: expect.any(Number) });
    await agent.world.advance(`${first.retry_after + 5}s`);
    expect((await run(agent, id)).agreed).toEqual(expect.any(String));
  });

  test("a summary shows placeholders of empty fields as if they were terms", async () => {
    const agent = await agentIn();
    const id = await aDraft(agent.world, { template: "everyField" });
    const { fields } = await agent.details(id);
    const placeholder = fields.find((one: Result) => one.type === "text" && one.placeholder !== "" && !one.is_filled).placeholder;
    const { code, summary } = await run(agent, id);
    expect(code).toBe("not_started");
    expect(summary).toContain(placeholder);
  });
});

describe("10. measure how fast people sign", () => {
  /** Seconds from the send to the last signature. Null for a document that nobody signed. */
  const run = async (agent: ScriptedAgent) => {
    const found = await agent.use("documents_search", {
      query: "agreement",
      status: ["Completed"],
      date_filter_column: "signature_date",
      from_date: "2026-03-02",
      to_date: "2026-03-31",
    });
    const times = [];
    for (const { id } of found.results) {
      const { date_sent, recipients } = await agent.details(id);
      const dates = recipients.flatMap((one: Result) => (one.signature_date === null ? [] : [Date.parse(one.signature_date)]));
      times.push(dates.length === 0 ? null : (Math.max(...dates) - Date.parse(date_sent)) / 1000);
    }
    return times;
  };

  test("a signature after two days counts two days", async () => {
    const agent = await agentIn();
    const id = await aSentDocument(agent.world);
    await agent.world.advance("2d");
    await simulate(agent.world, id, "sign");
    expect(await run(agent)).toEqual([2 * 86_400]);
  });

  test("the search also finds a document that somebody completed by hand, and it has no signature", async () => {
    const agent = await agentIn();
    await aManualCompletion(agent);
    expect(await run(agent)).toEqual([null]);
  });

  test("a word that is not in the text finds nothing", async () => {
    const agent = await agentIn();
    await aCompletedDocument(agent.world);
    expect(await agent.use("documents_search", { query: "zeppelin" })).toMatchObject({ total: 0, results: [] });
  });
});

test("some templates cannot be read, and a creation from them still succeeds", async () => {
  const agent = await agentIn();
  const unreadable = { respond: { status: 200, body: { id: TEMPLATES.oneSigner } } };
  await arm(agent, "detailsTemplate", unreadable);
  await expect(agent.use("templates_details_get", { template_id: TEMPLATES.oneSigner })).rejects.toMatchObject({
    error: { code: "PANDADOC_API_RESPONSE_INVALID" },
  });
  const id = await agent.draft(TEMPLATES.oneSigner);
  await arm(agent, "detailsDocument", { respond: { status: 200, body: { id } } });
  await expect(agent.details(id)).rejects.toMatchObject({ error: { code: "PANDADOC_API_RESPONSE_INVALID" } });
});
