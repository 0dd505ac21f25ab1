/** A contract with the official client, which repeats nothing itself. */
import * as pandadoc from "pandadoc-node-client";
import { ENDS, type Place, SIGNER, sleep, type View } from "../place.ts";

const TRIES_MAX = 8;

export async function contracts(place: Place, gap?: string): Promise<View> {
  const documents = new pandadoc.DocumentsApi(
    pandadoc.createConfiguration({
      authMethods: { apiKey: `API-Key ${place.apiKey}` },
      baseServer: new pandadoc.ServerConfiguration(place.url, {}),
    }),
  );
  const status = async (id: string) => (await repeated(() => inTime(documents.statusDocument({ id })))).status as string;
  const until = async (id: string, wanted: readonly string[], looks: number): Promise<string> => {
    for (let look = 1; ; look++) {
      const now = await status(id);
      if (wanted.includes(now) || look === looks) return now;
      await sleep(look < 100 ? 3000 : 86_400_000);
    }
  };

  let isRepeated = false;
  const id = await repeated(async () => {
    if (isRepeated && gap !== "late_answer") {
      const { results = [] } = await inTime(documents.listDocuments({ metadata: ["metadata_order=7"] }));
      if (results[0]?.id) return results[0].id;
    }
    isRepeated = true;
    const { email, first_name, last_name, role } = SIGNER;
    const documentCreateRequest = {
      name: "Contract 7",
      templateUuid: "TemplateOneSignerxxxxx",
      recipients: [{ email, firstName: first_name, lastName: last_name, role }],
      metadata: { order: "7" },
    };
    return (await inTime(documents.createDocument({ documentCreateRequest }))).id as string;
  });
  try {
    const ready = await until(id, ["document.draft", ...ENDS], 60);
    if (ready !== "document.draft") return { [id]: ready };
    await repeated(async () => {
      const now = await inTime(documents.statusDocument({ id }));
      if (now.status === "document.draft") await inTime(documents.sendDocument({ id, documentSendRequest: { silent: true } }));
    });
    const end = await until(
      id,
      gap === "expiry" ? ["document.completed", "document.declined"] : ENDS,
      gap === "expiry" ? 1e9 : 40,
    );
    if (end === "document.completed") {
      // The PDF is usually ready by then.
      await sleep(15_000);
      await repeated(() => download(documents, id, gap));
    }
    return { [id]: end };
  } catch (error) {
    if (error instanceof pandadoc.ApiException && error.code === 404) return { [id]: "deleted" };
    throw error;
  }
}

async function download(documents: pandadoc.DocumentsApi, id: string, gap: string | undefined): Promise<void> {
  const file = await inTime(documents.downloadDocument({ id })).catch((error: Error) => {
    // The official client cannot read the empty answer of a PDF that is not ready.
    if (gap !== "pdf_wait" && error.message.startsWith("Cannot parse content")) throw new NotReady();
    throw error;
  });
  if (!file.data.subarray(0, 5).equals(Buffer.from("%PDF-"))) throw new Error("this is no PDF");
}

class NotReady extends Error {}

/** Repeats calls that may succeed later. */
async function repeated<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitAfter(error as Error, tries);
      if (wait === undefined || tries === TRIES_MAX) throw error;
      await sleep(wait);
    }
  }
}

function waitAfter(error: Error, tries: number): number | undefined {
  const backoff = Math.min(1000 * 2 ** tries, 60_000);
  if (error instanceof NotReady) return 10_000;
  if (!(error instanceof pandadoc.ApiException)) return error.message.startsWith("Cannot parse content") ? undefined : backoff;
  const { code, headers = {} } = error as pandadoc.ApiException<unknown> & { headers?: Record<string, string> };
  const asked = Number(headers["retry-after"] ?? 0) * 1000;
  return code < 300 || [409, 423, 429].includes(code) || code >= 500 ? Math.max(asked, backoff) : undefined;
}

/** The official client waits for an answer without a limit. Here each call has a limit, and a late answer is ignored. */
function inTime<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), 5000);
  });
  return Promise.race([call, late]).finally(() => clearTimeout(timer));
}
