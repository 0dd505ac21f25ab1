/** Tools for what is too long for an answer: a world and a HAR become files on the machine of the agent. */
import { statSync } from "node:fs";
import * as z from "zod";
import { isoMillis } from "../../engine/core/clock.ts";
import { readRegularBytes } from "../../engine/core/regular-file.ts";
import { messageOf } from "../../engine/core/text.ts";
import { writeWorld } from "../../engine/store/write-world.ts";
import { SettingsError } from "../../library/errors.ts";
import { openSavedWorld } from "../../library/saved-world.ts";
import { detailOf, replyOfBytes, ServerError } from "../remote/server.ts";
import type { Session } from "./session.ts";
import type { Tool } from "./verb-tool.ts";
import { countBy } from "../../engine/core/maps.ts";

const file = z.string().min(1).describe("path of the file; only its owner can read it");
const SHOWN_MAX = 20;

function write(name: string, bytes: Uint8Array): { file: string; bytes: number } {
  try {
    writeWorld(name, bytes);
    return { file: name, bytes: statSync(name).size };
  } catch (error) {
    throw new ServerError(`cannot write ${name}: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}`);
  }
}

function read(name: string): Uint8Array {
  try {
    return readRegularBytes(name);
  } catch (error) {
    throw new ServerError(`cannot read ${name}: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}`);
  }
}

/** How many there are of each text, most first. */
function counted(texts: readonly string[]): Record<string, number> {
  return Object.fromEntries([...countBy(texts, (one) => one)].sort(([, a], [, b]) => b - a).slice(0, SHOWN_MAX));
}

async function writeJson(session: Session, name: string, path: string): Promise<{ answer: never; written: object }> {
  const answer = await session.admin("GET", path);
  return { answer: answer as never, written: write(name, Buffer.from(`${JSON.stringify(answer, null, 2)}\n`)) };
}

export const FILE_TOOLS: readonly Tool[] = [
  {
    name: "save_world",
    description:
      "Save the whole state as a file: rows, clock, jobs, journal, rules. Save before an experiment, and for a report of a failure. It holds keys and mails.",
    input: { file },
    async run({ file: name }: { file: string }, session: Session) {
      const answer = await session.bytes("GET", "/world");
      if (!answer.ok) throw new ServerError(detailOf(replyOfBytes(answer)));
      return write(name, answer.bytes);
    },
  },
  {
    name: "load_world",
    description:
      "Replace the whole state by a saved world. A damaged, cut, foreign or newer file is refused, and changes nothing.",
    input: { file },
    async run({ file: name }: { file: string }, session: Session) {
      const reply = replyOfBytes(await session.bytes("PUT", "/world", read(name)));
      if (!reply.ok || reply.body === undefined) throw new ServerError(detailOf(reply));
      return reply.body;
    },
  },
  {
    name: "show_world",
    description:
      "Show what a saved world holds, without loading it: its time, its documents by status, the latest calls that failed.",
    input: { file },
    reads: true,
    async run({ file: name }: { file: string }) {
      try {
        await using sandbox = await openSavedWorld(read(name));
        const calls = sandbox.journal.all();
        const documents = sandbox.documents.all();
        const failed = calls.filter(({ status }) => status === undefined || status >= 400);
        return {
          file: name,
          now: isoMillis(sandbox.clock.now()),
          clock: sandbox.clock.mode,
          documents: documents.length,
          by_status: counted(documents.map(({ status }) => status)),
          calls: calls.length,
          failed: failed.length,
          latest_failures: failed.slice(-SHOWN_MAX).map(({ method, path, status, why }) => ({
            call: `${method} ${path}`.slice(0, 300),
            status: status ?? null,
            why: why?.slice(0, 300),
          })),
        };
      } catch (error) {
        if (error instanceof SettingsError) throw new ServerError(error.message);
        throw error;
      }
    },
  },
  {
    name: "save_har",
    description: "Write the calls of the journal as HAR 1.2 into a file, oldest first. Secrets are hidden.",
    input: { file, document_id: z.string().optional().describe("only the calls about this document") },
    async run({ file: name, document_id }: { file: string; document_id?: string }, session: Session) {
      const query = document_id === undefined ? "" : `?${new URLSearchParams({ document: document_id })}`;
      const { answer, written } = await writeJson(session, name, `/har${query}`);
      return { ...written, calls: (answer as { log: { entries: unknown[] } }).log.entries.length };
    },
  },
];
