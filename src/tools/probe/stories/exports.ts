import { type Account, idOf, required } from "../account.ts";
import { type Answer, at, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { stated } from "./checks.ts";
import type { Story } from "./story.ts";

const BETA_DOCUMENTS = "/public/beta/documents";
/** Two steps of two seconds, with a margin. */
const DONE_AFTER_MS = 8000;
/** The official description says that an export takes a few minutes. */
const LOOKS_AFTER_S = [5, 10, 20, 40, 80, 160];

async function start(account: Account, document: string): Promise<() => Promise<Answer>> {
  const tasks = `${BETA_DOCUMENTS}/${document}/docx-export-tasks`;
  const task = idOf(required(await account.call("POST", tasks), "an export"));
  return () => account.call("GET", `${tasks}/${task}`);
}

const duration: Story = async (account) => {
  const look = await start(account, await account.sharedDraft());
  await account.service.pacing.wait(DONE_AFTER_MS);
  const answer = await look();
  return stated(answer.status === 200 && at(answer.json, "status") === "done", answer);
};

/** The address needs no key. @throws Undecided */
export async function exportedFile(account: Account, document: string): Promise<string> {
  const look = await start(account, document);
  for (const seconds of LOOKS_AFTER_S) {
    await account.service.pacing.wait(seconds * 1000);
    const answer = required(await look(), "the state of an export");
    const url = at(answer.json, "docx_items", 0, "url");
    if (typeof url === "string") return url;
    if (at(answer.json, "status") === "error") throw new Undecided(`The export failed: ${shown(answer)}`);
  }
  throw new Undecided(`The export was not done after ${LOOKS_AFTER_S.length} looks.`);
}

export const exportStories = { "export.duration": duration } as const;
