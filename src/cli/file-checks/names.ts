/** Names in conditions and acts that no row of the world has: roles, templates, members, subscriptions. */
import { service, type Tenant } from "../../service/service.ts";
import type { Path } from "../../engine/scenario/parse.ts";
import { type Finding, listOf, memberOf, slipOf, type Written, wantedTexts } from "./finding.ts";

type NameKind = "role" | "as" | "template" | "subscription" | "member" | "folder" | "field" | "email";

export type WorldNames = Readonly<Record<NameKind, ReadonlySet<string>>>;

/** The names of all rows of a seeded world. */
export function namesOf(store: Tenant["store"]): WorldNames {
  const documents = store.documents.all();
  const templates = store.templates.all();
  const contents = [...documents, ...templates, ...store.library_items.all()];
  const recipients = documents.flatMap((one) => one.recipients);
  const users = store.users.all();
  return {
    role: new Set([
      ...contents.flatMap((one) => one.fields.flatMap(({ role }) => role ?? [])),
      ...[...templates, ...store.library_items.all()].flatMap((one) => one.roles.map(({ name }) => name)),
      ...recipients.flatMap(({ roles }) => roles),
    ]),
    as: new Set(documents.flatMap((one) => one.internal.alias ?? [])),
    template: new Set(templates.flatMap(({ id, name }) => [id, name])),
    subscription: new Set(store.subscriptions.all().flatMap(({ id, name, url }) => [id, name, url])),
    member: new Set([...users.map(({ email }) => email), ...store.members.all().map(({ id }) => id)]),
    folder: new Set(store.folders.all().map(({ id }) => id)),
    field: new Set(
      contents.flatMap((one) =>
        one.fields.flatMap((field) => [field.uuid, field.name, field.field_id, field.merge_field ?? []]).flat(),
      ),
    ),
    email: new Set([
      ...recipients.flatMap(({ email }) => email ?? []),
      ...store.contacts.all().flatMap(({ email }) => email ?? []),
      ...users.map(({ email }) => email),
      ...templates.flatMap((one) => one.roles.flatMap((role) => role.preassigned_person?.email ?? [])),
    ]),
  };
}

/** Of a world that cannot be seeded, each written text may be a name of any kind. */
export function withWritten(names: WorldNames, worlds: readonly unknown[]): WorldNames {
  const texts = worlds.flatMap(textsIn);
  return Object.fromEntries(Object.entries(names).map(([kind, known]) => [kind, new Set([...known, ...texts])])) as never;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const WHAT: Readonly<Record<NameKind, string>> = {
  role: "no template and no document of this world has the role",
  as: "no document of this world is called",
  template: "this world has no template",
  subscription: "this world has no webhook subscription",
  member: "this world has no member",
  folder: "this world has no folder",
  field: "no template and no document of this world has the field",
  email: "nobody in this world has the address",
};

/** A client may supply what the file names, so only a slip of a known name is certain. Clients choose addresses of recipients freely. */
export function nameFindings(written: Written, names: WorldNames): Finding[] {
  const findings: Finding[] = [];
  const check = (kind: NameKind, path: Path, text: string) => {
    if (names[kind].has(text)) return;
    const near = slipOf(text, names[kind]);
    const isFree = kind === "email" || (kind === "subscription" && names.subscription.size === 0);
    if (near === undefined && isFree) return;
    const isCertain = near !== undefined && kind !== "email";
    const message = `${WHAT[kind]} "${text}"${near === undefined ? "; a client must bring it" : `; did you mean "${near}"?`}`;
    findings.push({ path, isCertain, message });
  };
  const checkMatcher = (kind: NameKind, path: Path, matcher: unknown) => {
    for (const [inner, text] of wantedTexts(matcher)) check(kind, [...path, ...inner], text);
  };
  const document = (path: Path, condition: unknown) => {
    for (const kind of ["as", "template"] as const) checkMatcher(kind, [...path, kind], memberOf(condition, kind));
  };
  const recipient = (path: Path, condition: unknown) => {
    for (const kind of ["role", "email"] as const) checkMatcher(kind, [...path, kind], memberOf(condition, kind));
  };
  const input = (path: Path, act: unknown, given: unknown) => {
    const { recipient: who, member, fields } = (given ?? {}) as { recipient?: unknown; member?: unknown; fields?: unknown };
    if (typeof who === "string" && !isKnownPerson(names, who))
      check(who.includes("@") ? "email" : "role", [...path, "recipient"], who);
    if (typeof member === "string" && !hasIgnoringCase(names.member, member)) check("member", [...path, "member"], member);
    const takesFields = service.language.actMembers[act as string]?.includes("fields") ?? false;
    if (takesFields) for (const name of Object.keys(fields ?? {})) check("field", [...path, "fields", name], name);
  };

  for (const [i, rule] of listOf(written, "rules").entries())
    document(["rules", i, "when", "document"], memberOf(memberOf(rule, "when"), "document"));
  for (const [i, rule] of listOf(written, "webhooks").entries()) {
    const when = memberOf(rule, "when");
    document(["webhooks", i, "when", "document"], memberOf(when, "document"));
    checkMatcher("subscription", ["webhooks", i, "when", "subscription"], memberOf(when, "subscription"));
  }
  for (const part of ["actors", "instead", "timers"])
    for (const [i, one] of listOf(written, part).entries()) {
      document([part, i, "document"], memberOf(one, "document"));
      recipient([part, i, "recipient"], memberOf(one, "recipient"));
      input([part, i, "with"], memberOf(one, "do"), memberOf(one, "with"));
      for (const [at, step] of listOf(one, "steps").entries())
        input([part, i, "steps", at, "with"], memberOf(step, "do"), memberOf(step, "with"));
    }
  const expected = memberOf(written, "expect");
  for (const [part, inner] of [
    ["requests", ["document"]],
    ["documents", []],
    ["deliveries", ["document"]],
  ] as const)
    for (const [i, one] of listOf(expected, part).entries()) {
      const match = memberOf(one, "match");
      const path: Path = ["expect", part, i, "match"];
      document([...path, ...inner], inner.length === 0 ? match : memberOf(match, "document"));
      if (part === "deliveries") checkMatcher("subscription", [...path, "subscription"], memberOf(match, "subscription"));
    }
  for (const part of ["templates", "content_library_items"])
    for (const [i, one] of listOf(memberOf(written, "world"), part).entries())
      checkMatcher("folder", ["world", part, i, "folder"], memberOf(one, "folder"));
  return findings;
}

function isKnownPerson(names: WorldNames, who: string): boolean {
  return names.role.has(who) || hasIgnoringCase(names.email, who) || hasIgnoringCase(names.member, who);
}

function hasIgnoringCase(names: ReadonlySet<string>, text: string): boolean {
  const lower = text.toLowerCase();
  return [...names].some((one) => one.toLowerCase() === lower);
}
