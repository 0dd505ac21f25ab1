/** A data file outlives the process: it keeps rows, pending jobs, the time and the sequence of ids. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { files, type Served, serve } from "../../support/process.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";

function started(data: string, more: readonly string[] = []): Promise<Served> {
  const usual = ["--port", "0", "--log", "silent", "--data", data, "--seed", "7"];
  return serve([...usual, "--clock", "frozen", "--now", "2026-03-02T09:00:00Z", ...more]);
}

async function created(server: Served): Promise<string> {
  const { status, body } = await server.call("POST", "/public/v1/documents", {
    template_uuid: TEMPLATES.oneSigner,
    recipients: [CLIENT],
  });
  expect(status).toBe(201);
  return body.id;
}

const statusOf = async (server: Served, id: string) => (await server.call("GET", `/public/v1/documents/${id}`)).body.status;
const advance = (server: Served, by: string) => server.call("POST", "/__admin/clock/advance", { by });

describe("--data", () => {
  test("pending jobs run after a restart at their original time", async () => {
    const data = join(files(), "data.json");
    const first = await started(data);
    const id = await created(first);
    await advance(first, "1s");
    const { next } = (await first.call("GET", "/__admin/clock")).body;
    expect((await first.stop()).code).toBe(0);

    const second = await started(data);
    expect((await second.call("GET", "/__admin/clock")).body).toMatchObject({
      now: "2026-03-02T09:00:01.000000Z",
      next,
      pending: 1,
    });
    expect(await statusOf(second, id)).toBe("document.uploaded");
    const receipt = await second.call("POST", "/__admin/clock/advance", { until: "next" });
    expect(receipt.body).toMatchObject({ to: next, fired: [{ kind: "convert_document", document: id, at: next }] });
    expect(await statusOf(second, id)).toBe("document.draft");
  });
});
