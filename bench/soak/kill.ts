/**
 * `npm run soak -- --kill` kills a server under load, again and again. After each kill it checks that the data file opens, holds every
 * answered change, and holds no half of a change.
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ids } from "../../src/engine/core/ids.ts";
import { openDatabase } from "../../src/engine/store/database.ts";
import type { StoreData } from "../../src/engine/store/store.ts";
import type { DocumentRow } from "../../src/service/model/documents/document.ts";
import { startCommand } from "./command.ts";

export interface KillOptions {
  rounds: number;
  seed: number;
  /** A new file starts after this many kills. */
  roundsPerFile?: number;
  onRound?: (round: number, summary: string) => void;
}

export interface KillFigures {
  kills: number;
  /** Changes that were answered before a kill. */
  answered: number;
  /** Requested changes that had no answer at the kill. */
  open: number;
  /** Kills that left an unfinished change at the end of the file. */
  torn: number;
  bytesMax: number;
}

const CLIENTS = 8;
/** A kill comes after 1 to this many answered changes, and up to this many milliseconds later. Both are random. */
const ANSWERS_MAX = 150;
const LATER_MS_MAX = 5;
/** A server without enough answers after this time counts as hung. */
const HANGS_AFTER_MS = 60_000;
const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
const BODY = {
  template_uuid: "TemplateTwoSignersxxxx",
  recipients: [
    { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" },
    { email: "sam@client.example", first_name: "Sam", last_name: "Roe", role: "Director" },
  ],
};

/** The state of a document, as the server has answered it. */
interface Known {
  name: string;
  sent?: boolean;
  deleted?: boolean;
  /** A requested change has no answer, so it may be in the file or not. */
  isOpen?: boolean;
}

/** Kills a server, and checks its file after each kill. @throws an error that names the lost, damaged or half change */
export async function killAgainAndAgain(options: KillOptions): Promise<KillFigures> {
  const { rounds, seed, roundsPerFile = 25, onRound } = options;
  const chance = new Ids(seed);
  const figures: KillFigures = { kills: 0, answered: 0, open: 0, torn: 0, bytesMax: 0 };
  const folder = mkdtempSync(join(tmpdir(), "docdouble-kill-"));
  try {
    let known = new Map<string, Known>();
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `data${Math.floor(round / roundsPerFile)}.json`);
      if (round % roundsPerFile === 0) known = new Map();
      const before = figures.answered;
      await killOnce(file, known, chance, figures);
      const copy = join(folder, "copy.json");
      copyFileSync(file, copy);
      const size = statSync(copy).size;
      figures.bytesMax = Math.max(figures.bytesMax, size);
      const notices = await inspect(copy, known);
      figures.torn += notices;
      onRound?.(round, `${figures.answered - before} answers, ${known.size} documents, ${size} bytes${notices ? ", torn" : ""}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

async function killOnce(file: string, known: Map<string, Known>, chance: Ids, figures: KillFigures): Promise<void> {
  const { process: child, url, ended } = await startCommand(["--data", file]);
  let isAlive = true;
  // A count of answers, because a slow machine answers nothing in a short time.
  const wanted = figures.answered + chance.between(1, ANSWERS_MAX);
  const later_ms = chance.between(0, LATER_MS_MAX);
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    loadServer(url, `${figures.kills}-${i}`, known, figures, () => isAlive),
  );
  // A client ends before the kill only when the server has ended, or has given a wrong answer.
  let hasEnded = false;
  const loads = Promise.all(clients).finally(() => {
    hasEnded = true;
  });
  loads.catch(() => {});
  const limit = performance.now() + HANGS_AFTER_MS;
  while (figures.answered < wanted && !hasEnded && performance.now() < limit) await sleep(1);
  const missing = wanted - figures.answered;
  await sleep(later_ms);
  isAlive = false;
  child.kill("SIGKILL");
  figures.kills++;
  await Promise.all([ended, loads]);
  if (missing > 0) throw new Error(`the server ended or hung: ${missing} of the answers that this round waits for are missing`);
}

/** Creates, sends and deletes documents until the server is gone. Records the answers in `known`. */
async function loadServer(
  url: string,
  name: string,
  known: Map<string, Known>,
  figures: KillFigures,
  isAlive: () => boolean,
): Promise<void> {
  const call = async (method: string, path: string, body?: object): Promise<{ status: number; id: string } | undefined> => {
    try {
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const answer = await fetch(`${url}/public/v1/documents${path}`, init);
      const text = await answer.text();
      figures.answered++;
      return { status: answer.status, id: text === "" ? "" : ((JSON.parse(text) as { id?: string }).id ?? "") };
    } catch {
      figures.open++;
      return undefined;
    }
  };
  // Documents leave processing at once, so that the client can send them before the kill.
  await fetch(`${url}/__admin/transitions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "document.processing", progression: "immediate" }),
  }).catch(() => {});
  for (let i = 0; isAlive(); i++) {
    const created = await call("POST", "", { ...BODY, name: `${name}-${i}` });
    if (!created) return;
    if (created.status !== 201) throw new Error(`a create was answered ${created.status}`);
    const document: Known = { name: `${name}-${i}` };
    known.set(created.id, document);
    document.isOpen = true;
    const acted = i % 3 === 2 ? await call("DELETE", `/${created.id}`) : await call("POST", `/${created.id}/send`, {});
    if (!acted) return;
    document.isOpen = false;
    if (acted.status === 204) document.deleted = true;
    else if (acted.status === 200) document.sent = true;
  }
}

/** Opens a copy of the file and compares it with the answers. Returns 1 when the file ends in an unfinished change. */
async function inspect(file: string, known: ReadonlyMap<string, Known>): Promise<0 | 1> {
  const notices: string[] = [];
  const database = await openDatabase(file, { onNotice: (text) => notices.push(text) });
  try {
    const data = database.part("default");
    for (const [id, answer] of known) {
      const problem = problemOf(data.documents?.[id] as DocumentRow | undefined, answer);
      if (problem) throw new Error(`${id}, ${JSON.stringify(answer)}: ${problem}`);
    }
    for (const row of Object.values(data.documents ?? {})) {
      const half = halfOf(row as DocumentRow, data);
      if (half) throw new Error(`half a change: ${row.id} ${half}`);
    }
    const damage = notices.find((text) => !text.includes("an unfinished change"));
    if (damage) throw new Error(damage);
    return notices.length > 0 ? 1 : 0;
  } finally {
    await database.close();
  }
}

function problemOf(row: DocumentRow | undefined, { name, sent, deleted, isOpen }: Known): string | undefined {
  if (!row) return "was answered and is not in the file";
  if (row.name !== name) return `is called ${row.name}`;
  if (deleted && row.internal.deleted_at === null) return "is there, although the client deleted it";
  if (!deleted && !isOpen && row.internal.deleted_at !== null) return "is deleted and was not";
  if (sent && row.date_sent === null) return "was sent and is not";
  return undefined;
}

/** Says what is missing when the file holds only a part of a transaction. */
function halfOf(row: DocumentRow, data: StoreData): string | undefined {
  const jobs = Object.values(data.jobs ?? {}) as unknown as { kind: string; payload: { document?: string } }[];
  const has = (kind: string) => jobs.some((job) => job.kind === kind && job.payload.document === row.id);
  if (row.recipients.length !== 2) return `has ${row.recipients.length} recipients`;
  for (const { contact_id } of row.recipients)
    if (contact_id && !data.contacts?.[contact_id]) return `has a recipient without a contact, ${contact_id}`;
  if (row.internal.deleted_at !== null) return undefined;
  if (row.status === "document.uploaded" && !has("convert_document")) return "waits for a conversion that nobody does";
  if (row.status === "document.sent") {
    if (!row.internal.expire_job || !data.jobs?.[row.internal.expire_job]) return "is sent and expires never";
    const mails = Object.values(data.emails ?? {}) as unknown as { document_id: string }[];
    if (!mails.some((mail) => mail.document_id === row.id)) return "is sent, but no mail announced it";
  }
  return undefined;
}
