import { default as fc } from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../src/engine/core/errors.ts";
import {
  addRecipient,
  assignRecipientTypes,
  findOrCreateContact,
  mergeRecipient,
  toVerification,
} from "../../../src/service/nouns/people/recipients.ts";
import {
  currentSigners,
  displayName,
  findParticipant,
  signersOf,
  withRecipient,
} from "../../../src/service/nouns/people/participants.ts";
import { testWorld } from "../../support/world.ts";
import type { RecipientRow } from "../../../src/service/nouns/people/inputs.ts";
import type { DocumentRow } from "../../../src/service/nouns/documents/row.ts";
import type { FieldRow } from "../../../src/service/nouns/content/row.ts";
import { law } from "../../support/law.ts";

function recipient(id: string, part: Partial<RecipientRow> = {}): RecipientRow {
  return {
    id,
    type: "recipient",
    name: null,
    members: [],
    email: `${id}@client.example`,
    phone: null,
    first_name: "",
    last_name: "",
    contact_id: `contact-${id}`,
    role: "",
    roles: [],
    signing_order: null,
    recipient_type: "signer",
    has_completed: false,
    signature_date: null,
    avatar: null,
    delivery_methods: { email: true, sms: false },
    redirect: { is_enabled: false, url: null },
    verification_settings: null,
    internal: { link_token: "", viewed_at: null, verified: false, notified_at: null },
    ...part,
  } as RecipientRow;
}

const document = (recipients: RecipientRow[]) => ({ recipients }) as unknown as DocumentRow;
const ids = (recipients: readonly RecipientRow[]) => recipients.map((one) => one.id);

describe("signing order", () => {
  test("without an order, all unfinished signers may sign, and CC recipients never sign", () => {
    const all = [
      recipient("a"),
      recipient("b", { has_completed: true }),
      recipient("cc", { recipient_type: "CC" }),
      recipient("c"),
    ];
    expect(ids(signersOf(document(all)))).toEqual(["a", "b", "c"]);
    expect(ids(currentSigners(document(all)))).toEqual(["a", "c"]);
  });

  test("with an order, the lowest unfinished number signs, and equal numbers sign in parallel", () => {
    const a = recipient("a", { signing_order: 1 });
    const b = recipient("b", { signing_order: 2 });
    const c = recipient("c", { signing_order: 2 });
    const d = recipient("d", { signing_order: 5 });
    const done = (one: RecipientRow) => ({ ...one, has_completed: true });
    expect(ids(currentSigners(document([d, c, b, a])))).toEqual(["a"]);
    expect(ids(currentSigners(document([d, c, b, done(a)])))).toEqual(["c", "b"]);
    expect(ids(currentSigners(document([d, done(c), b, done(a)])))).toEqual(["b"]);
    expect(ids(currentSigners(document([d, done(c), done(b), done(a)])))).toEqual(["d"]);
    expect(currentSigners(document([done(d), done(c), done(b), done(a)]))).toEqual([]);
  });

  test("a signer without a number does not wait for signers with a number", () => {
    const all = [recipient("a", { signing_order: 1 }), recipient("b", { signing_order: 2 }), recipient("free")];
    expect(ids(currentSigners(document(all)))).toEqual(["a", "free"]);
  });

  test("some signer may always sign until all have finished, for random orders", () => {
    const order = fc.option(fc.integer({ min: 1, max: 4 }));
    law(
      fc.property(fc.array(order, { maxLength: 8 }), (orders) => {
        let one = document(orders.map((signing_order, i) => recipient(`r${i}`, { signing_order })));
        for (let left = orders.length; left > 0; left--) {
          const [next] = currentSigners(one);
          expect(next).toBeDefined();
          one = withRecipient(one, (next as RecipientRow).id, { has_completed: true });
        }
        expect(currentSigners(one)).toEqual([]);
      }),
    );
  });
});

describe("recipient types", () => {
  test("a recipient with fields is a signer, one without is a CC, and an approver stays an approver", () => {
    const fields = [{ recipient_id: "a" }, { recipient_id: null }] as FieldRow[];
    const settled = assignRecipientTypes(
      [recipient("a", { recipient_type: "CC" }), recipient("b"), recipient("c", { recipient_type: "approver" })],
      fields,
    );
    expect(settled.map((one) => one.recipient_type)).toEqual(["signer", "CC", "approver"]);
  });
});

describe("finding a participant", () => {
  const group = recipient("g", {
    type: "recipient_group",
    email: null,
    roles: ["Board"],
    members: [{ id: "m1", email: "Member@client.example" } as never],
  });
  const all = document([recipient("a", { roles: ["Client"] }), group, recipient("Client", { roles: ["Other"] })]);

  test.each([
    ["id", "a", "a"],
    ["email in any case", "A@CLIENT.example", "a"],
    ["role", "Board", "g"],
    ["an id before a role", "Client", "Client"],
    ["a group member's id", "m1", "g"],
    ["a group member's email", "member@client.example", "g"],
    ["an unknown id", "b", undefined],
    ["an empty text", "", undefined],
  ])("by %s", (_, by, id) => {
    expect(findParticipant(all, by)?.recipient.id).toBe(id);
  });
});

describe("names", () => {
  test.each<[Partial<RecipientRow>, string]>([
    [{ first_name: "Ivo", last_name: "Marek" }, "Ivo Marek"],
    [{ last_name: "Marek" }, "Marek"],
    [{}, "a@client.example"],
    [{ email: null, phone: "+15550100" }, "+15550100"],
    [{ email: null }, "a"],
    [{ name: "Board" }, "Board"],
  ])("%j is called %s", (part, name) => {
    expect(displayName(recipient("a", part))).toBe(name);
  });
});

describe("adding recipients", () => {
  test("toVerification accepts at most one kind, sets the other kinds to null, and returns null without input", () => {
    expect(toVerification(undefined, "recipients[0]")).toBeNull();
    expect(
      toVerification({ verification_place: "before_open", passcode_verification: { passcode: "1234" } }, "recipients[0]"),
    ).toEqual({
      verification_place: "before_open",
      passcode_verification: { passcode: "1234" },
      phone_verification: null,
      kba_verification: null,
      id_verification: null,
      email_otp_verification: null,
    });
    expect(() =>
      toVerification(
        {
          verification_place: "before_open",
          passcode_verification: { passcode: "1" },
          phone_verification: { phone_number: "+1" },
        },
        "recipients[0]",
      ),
    ).toThrow(ApiError);
  });

  test.each([
    [{}, "A verification method is required.", "none"],
    [
      { passcode_verification: { passcode: "1" }, phone_verification: { phone_number: "+1" } },
      "Only one verification method can be used.",
      "passcode_verification, phone_verification",
    ],
  ])("verification settings with %j are refused, and the reason names what they have", (methods, message, named) => {
    const refused = (where: string) => {
      try {
        return toVerification({ verification_place: "before_open", ...methods } as never, where);
      } catch (error) {
        return error;
      }
    };
    const why = expect.stringMatching(new RegExp(`^name exactly one of .*; the request names ${named}$`));
    expect(refused("recipients[0]")).toMatchObject({
      status: 400,
      detail: { "recipients[0].verification_settings": [message] },
      options: { why },
    });
    expect(refused("")).toMatchObject({ detail: { verification_settings: [message] } });
  });

  test("a recipient without email and phone is refused with the name of the field", async () => {
    const { tenant } = await testWorld();
    const refused = (() => {
      try {
        addRecipient(tenant.world, { first_name: "Ivo" }, "recipients[2]");
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({ status: 400, detail: { "recipients[2].email": ["Email or phone is required."] } });
  });

  test("findOrCreateContact creates a contact once, fills in missing names, and updates given names", async () => {
    const { tenant } = await testWorld();
    const { world, store } = tenant;
    const before = store.contacts.size;
    const first = findOrCreateContact(world, { email: "new@client.example", first_name: "Ana" }, "x");
    expect(store.contacts.size).toBe(before + 1);
    expect(first).toEqual({
      email: "new@client.example",
      phone: null,
      first_name: "Ana",
      last_name: "",
      contact_id: expect.any(String),
    });
    const again = findOrCreateContact(world, { email: "NEW@client.example", last_name: "Reis" }, "x");
    expect(again).toMatchObject({ first_name: "Ana", last_name: "Reis", contact_id: first.contact_id });
    expect(store.contacts.size).toBe(before + 1);
    const byPhone = findOrCreateContact(world, { phone: "+15550100" }, "x");
    expect(byPhone).toMatchObject({ email: null, phone: "+15550100" });
    expect(findOrCreateContact(world, { phone: "+15550100" }, "x").contact_id).toBe(byPhone.contact_id);
  });

  test("addRecipient defaults to email, no redirect and CC, and gives each group member a separate link", async () => {
    const { tenant } = await testWorld();
    const made = addRecipient(
      tenant.world,
      { email: "new@client.example", role: "Client", delivery_methods: { sms: true } },
      "x",
    );
    expect(made).toMatchObject({
      type: "recipient",
      roles: ["Client"],
      role: "Client",
      recipient_type: "CC",
      delivery_methods: { email: true, sms: true },
      redirect: { is_enabled: false, url: null },
      signing_order: null,
      members: [],
    });
    const group = addRecipient(
      tenant.world,
      { type: "recipient_group", name: "Board", members: [{ email: "a@x.example" }, { email: "b@x.example" }] },
      "x",
    );
    expect(group).toMatchObject({ type: "recipient_group", name: "Board", email: null, contact_id: "" });
    expect(group.members.map((one) => one.email)).toEqual(["a@x.example", "b@x.example"]);
    expect(new Set(group.members.map((one) => one.link_token)).size).toBe(2);
  });
});

test.each([
  [
    { email: false, sms: true },
    { email: true, sms: false },
    { email: true, sms: true },
  ],
  [
    { email: true, sms: false },
    { email: false, sms: true },
    { email: true, sms: true },
  ],
  [
    { email: false, sms: true },
    { email: false, sms: false },
    { email: false, sms: true },
  ],
  [
    { email: true, sms: false },
    { email: false, sms: false },
    { email: true, sms: false },
  ],
])("two entries of one person with the deliveries %j and %j join to %j", async (known, added, joined) => {
  const { tenant } = await testWorld({ assume: { "recipients.same_email": "join" } });
  const one = recipient("a", { delivery_methods: known });
  const other = recipient("b", { email: one.email, delivery_methods: added });
  expect(mergeRecipient(tenant.world, [recipient("c"), one], other)).toEqual([
    recipient("c"),
    { ...one, delivery_methods: joined },
  ]);
});
