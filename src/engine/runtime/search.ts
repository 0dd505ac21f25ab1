/** Searches of the journal and expectations ask about calls in the words of a rule's `when`. */
import { type Conditions, type Matcher, matches, matchesAttribute } from "../rules/rules.ts";
import { entryContext, type SubjectContext } from "../scenario/request-context.ts";
import type { Difference, JournalEntry } from "../journal/journal.ts";
import { shownEntry } from "../journal/redacted-call.ts";
import type { Tenant } from "./tenants/tenant.ts";

export function subjectContext({ service, world }: Tenant, id: string | undefined): SubjectContext {
  const row = id === undefined ? undefined : service.subjects.find(world, id);
  return { row: row && service.subjects.attributes(row), ofInput: service.subjects.attributesOfInput };
}

const contextOf = (tenant: Tenant, entry: JournalEntry) => entryContext(entry, tenant.id, subjectContext(tenant, entry.subject));

export function meets(tenant: Tenant, when: Conditions, entry: JournalEntry): boolean {
  return matches(when, contextOf(tenant, entry));
}

export function callsThatMeet(tenant: Tenant, when: Conditions): JournalEntry[] {
  return tenant.journal.all().filter((entry) => meets(tenant, when, entry));
}

/** The conditions that the call misses. */
export function missedBy(tenant: Tenant, when: Conditions, entry: JournalEntry): [name: string, matcher: Matcher][] {
  const context = contextOf(tenant, entry);
  return Object.entries(when).filter(([name, matcher]) => !matchesAttribute(context(name), matcher));
}

export function differencesOf(tenant: Tenant, when: Conditions, entry: JournalEntry): Difference[] {
  const shown = contextOf(tenant, shownEntry(entry));
  return missedBy(tenant, when, entry).map(([name, matcher]) => ({
    criterion: name.replace(/^subject\./, "document."),
    expected: writtenMatcher(matcher),
    actual: shown(name) ?? null,
  }));
}

function writtenMatcher(matcher: Matcher): unknown {
  const [[name, value] = [], ...others] = Object.entries(matcher);
  if (others.length > 0) return matcher;
  if (name === "in" && Array.isArray(value) && value.length === 1) return value[0];
  return name === "eq" ? value : matcher;
}
