/** Files by an address that needs no key: the id itself finds the tenant. */
import { findTenant, type Host } from "../control/host.ts";
import { contentDisposition } from "../domain/downloads.ts";
import { writeDocx } from "../files/docx.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

export async function sendFile(host: Host, id: string): Promise<Response> {
  const file = findTenant(host, (tenant) => tenant.store.docx_files.get(id))?.found;
  if (file) {
    const bytes = await writeDocx(file.blocks, file.date);
    const headers = { "content-type": DOCX, "content-disposition": contentDisposition(`${file.title}.docx`) };
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  }
  const why = "no file has this address; it comes from a finished export";
  return Response.json({ type: "request_error", detail: "Not found" }, { status: 404, headers: { "x-docdouble-why": why } });
}
