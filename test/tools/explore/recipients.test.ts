/** Shrinking removes the people from a scenario that the break does not need. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { explore } from "../../../src/index.ts";
import { peopleIn } from "../../../src/tools/explore/recipients.ts";
import type { ScenarioFile } from "../../../src/library/file-types.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { temporary } from "../../support/package.ts";
import { Caller } from "./clients.ts";

const signer = (name: string) => ({ email: `${name}+sign.after=20s@client.example`, first_name: name, role: name });
const PEOPLE = ["ann", "ben", "cid"];
const SCENARIO: ScenarioFile = {
  version: 1,
  name: "three signers",
  world: {
    contacts: [{ email: "unrelated@client.example" }],
    templates: [
      {
        name: "Plain",
        roles: PEOPLE.map((name) => ({ name })),
        fields: PEOPLE.map((role) => ({ name: `${role} signs`, type: "signature" as const, role })),
      },
    ],
    documents: [{ name: "Lease", template: "Plain", status: "document.draft", recipients: PEOPLE.map(signer) }],
  },
};

/** Sends the lease and waits for its end. The careless client reports each end as completed. */
async function lease(sandbox: Sandbox, isCareless: boolean): Promise<object> {
  const caller = new Caller(sandbox);
  const { id } = (await caller.call("GET", "/documents?q=Lease")).results[0];
  const { recipients } = await caller.call("GET", `/documents/${id}/details`);
  if (recipients.length === 0) throw new Error("nobody can sign");
  await caller.call("POST", `/documents/${id}/send`, { silent: true });
  const status = await caller.until(id, ["document.completed", "document.declined"]);
  return { id, status: isCareless ? "document.completed" : status };
}

test("a break that needs one of three recipients shrinks to this recipient, also in a scenario with an include", async () => {
  const { folder, remove } = temporary();
  onTestFinished(remove);
  writeFileSync(join(folder, "world.yaml"), stringify(SCENARIO));
  const scenario = join(folder, "main.yaml");
  writeFileSync(scenario, stringify({ version: 1, include: ["world.yaml"], assume: { "delete.second": 404 } }));
  const options = {
    scenario,
    out: join(folder, "found"),
    only: "recipient_declines",
    throwOnBreak: false,
    budget: "1h",
    pairs: false,
  };
  const report = await explore((sandbox) => lease(sandbox, true), options);
  expect(report.breaks.map(({ symptom }) => symptom)).toEqual(["stale_view", "stale_view", "stale_view"]);
  for (const { faults, scenario: file, steps } of report.breaks) {
    const found = parse(readFileSync(file as string, "utf8"));
    const recipients = found.world.documents[0].recipients;
    expect(recipients).toHaveLength(1);
    expect(faults[0]?.operation).toBe(recipients[0].role);
    expect(found.world.contacts).toEqual([]);
    expect(found).toMatchObject({ assume: { "delete.second": 404 } });
    expect(found).not.toHaveProperty("include");
    expect(steps.filter(({ kind }) => kind === "act")).toHaveLength(1);
  }
  const fixed = await explore((sandbox) => lease(sandbox, false), options);
  expect(fixed.breaks).toEqual([]);
  expect(fixed.played.map(({ outcome }) => outcome)).toEqual(["survived", "survived", "survived"]);
});

test("peopleIn finds recipients, roles, contacts, group members, and the acts of recipients", () => {
  const places = peopleIn({
    version: 1,
    world: {
      templates: [{ name: "T", roles: [{ name: "A" }] }],
      contacts: [{ email: "a@b.example" }],
      contact_groups: [{ name: "G", members: ["a@b.example"] }],
      documents: [
        { name: "None", template: "T" },
        { name: "D", template: "T", recipients: [signer("ann"), signer("ben")] },
      ],
    },
    actors: [
      { name: "anybody", on: "document.sent", steps: [{ do: "view" }] },
      { name: "ann", on: "document.sent", recipient: { role: "A" }, steps: [{ do: "view" }] },
    ],
    timers: [{ at: "1m", do: "sign", with: { recipient: "A" } }],
  });
  expect(places.map((place) => place.join("."))).toEqual([
    "world.templates.0.roles.0",
    "world.contacts.0",
    "world.contact_groups.0.members.0",
    "world.documents.1.recipients.0",
    "world.documents.1.recipients.1",
    "actors.1",
    "timers.0",
  ]);
});
