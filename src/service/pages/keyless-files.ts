import { headerSafe } from "../../engine/core/text.ts";
import type { Host } from "../kit/world.ts";
import { tenantWith } from "../../engine/runtime/tenants/tenant-registry.ts";
import { RETRY_AFTER_S, contentDisposition } from "../nouns/documents/downloads.ts";
import { FileError } from "../files/limits.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

export async function sendFile(host: Host, id: string): Promise<Response> {
  const tenant = tenantWith(host, "docx_files", id);
  const file = tenant?.store.docx_files.get(id);
  if (tenant && file) {
    try {
      const input = { words: file.blocks, date: file.date };
      const bytes = await (tenant.clock.mode !== "real"
        ? tenant.world.files.run("write_docx", input)
        : tenant.world.files.runSoon("write_docx", input));
      // assumed: download.unfinished_file.
      if (!bytes) return new Response(null, { status: 202, headers: { "retry-after": String(RETRY_AFTER_S) } });
      const headers = { "content-type": DOCX, "content-disposition": contentDisposition(`${file.title}.docx`) };
      return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return refusal(
        409,
        `The file cannot be made: ${error.message}`,
        `${error.message}; docs/look-up/limits.md lists the limits of files`,
      );
    }
  }
  return refusal(404, "Not found", "no file has this address; it comes from a finished export");
}

function refusal(status: number, detail: string, why: string): Response {
  return Response.json({ type: "request_error", detail }, { status, headers: { "x-docdouble-why": headerSafe(why) } });
}
