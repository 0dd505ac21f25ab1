/** Shrinks the world of a break: leaves out people of the user's scenarios. */
import { readRegularFile } from "../../engine/core/regular-file.ts";
import { dirname, join, resolve } from "node:path";
import type { ScenarioFile } from "../../library/file-types.ts";
import { yamlLibrary } from "../../engine/scenario/yaml.ts";
import type { Base } from "./base-world.ts";
import type { Recording } from "./recording.ts";
import { merged } from "./scenario-file.ts";
import type { Broken } from "./shrink.ts";

export interface Staged {
  base: Base;
  clean: Recording;
  broken: Broken;
}

/** Each attempt takes two runs. */
const ATTEMPTS_MAX = 24;

/** @param attempt plays both runs in a smaller world; undefined when the break is gone or the clean run fails */
export async function fewerRecipients(staged: Staged, attempt: (base: Base) => Promise<Staged | undefined>): Promise<Staged> {
  let smallest = staged;
  const base = inlined(staged.base);
  let values = base.scenarios as readonly ScenarioFile[];
  let attempts = 0;
  // Starts at the end, because leaving out a person shifts the places after them.
  for (const [i, value] of values.entries())
    for (const place of peopleIn(value).reverse()) {
      if (attempts++ >= ATTEMPTS_MAX) return smallest;
      const fewer = withoutPerson(values, i, place);
      const found = await attempt({ ...base, scenarios: fewer });
      if (!found) continue;
      smallest = found;
      values = fewer;
    }
  return smallest;
}

type Place = (string | number)[];

export function peopleIn({ world, actors = [], timers = [], instead = [] }: ScenarioFile): Place[] {
  const each = (list: readonly unknown[] | undefined, ...path: Place): Place[] => (list ?? []).map((_, i) => [...path, i]);
  const acts = (list: readonly { recipient?: unknown; with?: { recipient?: unknown } | undefined }[], name: string) =>
    each(list, name).filter((_, i) => list[i]?.recipient !== undefined || list[i]?.with?.recipient !== undefined);
  return [
    ...(world?.templates ?? []).flatMap((one, i) => each(one.roles, "world", "templates", i, "roles")),
    ...each(world?.contacts, "world", "contacts"),
    ...(world?.contact_groups ?? []).flatMap((one, i) => each(one.members, "world", "contact_groups", i, "members")),
    ...(world?.documents ?? []).flatMap((one, i) => each(one.recipients, "world", "documents", i, "recipients")),
    ...acts(actors, "actors"),
    ...acts(timers, "timers"),
    ...acts(instead, "instead"),
  ];
}

/** A send is refused while a signature field has no recipient, so the fields of a recipient leave the template too. */
function withoutPerson(values: readonly ScenarioFile[], i: number, place: Place): readonly ScenarioFile[] {
  const fewer = values.with(i, without(values[i] as ScenarioFile, place));
  const [, list, at, member, nth] = place;
  if (list !== "documents" || member !== "recipients") return fewer;
  const document = values[i]?.world?.documents?.[at as number];
  const role = document?.recipients?.[nth as number]?.role;
  if (role === undefined) return fewer;
  return fewer.map((value) => {
    const templates = value.world?.templates?.map((one) =>
      [one.id, one.name].includes(document?.template) && one.fields
        ? { ...one, fields: one.fields.filter((field) => field.role !== role) }
        : one,
    );
    return templates ? { ...value, world: { ...value.world, templates } } : value;
  });
}

function without<T>(value: T, [first, ...rest]: Place): T {
  if (Array.isArray(value))
    return (
      rest.length === 0 ? value.toSpliced(first as number, 1) : value.with(first as number, without(value[first as number], rest))
    ) as T;
  const map = value as Record<string | number, unknown>;
  return { ...map, [first as string]: without(map[first as string], rest) } as T;
}

/** A file that is included cannot lose a part, so files become values. */
function inlined(base: Base): Base {
  return { ...base, scenarios: base.scenarios.map((one) => (typeof one === "string" ? contentOf(resolve(one)) : one)) };
}

function contentOf(file: string): ScenarioFile {
  const content = yamlLibrary().parse(readRegularFile(file)) as ScenarioFile;
  const { include = [], fixtures, ...rest } = content;
  const included = include.map((path) => contentOf(join(dirname(file), path)));
  const whole = merged([...included, rest]);
  // As in loading, the rules of a file act before those of the files that it includes.
  for (const part of ["rules", "webhooks", "instead"] as const) {
    const all = [content, ...included].flatMap((one) => (one[part] ?? []) as never[]);
    if (all.length > 0) whole[part] = all as never;
  }
  return fixtures === undefined ? whole : { ...whole, fixtures: join(dirname(file), fixtures) };
}
