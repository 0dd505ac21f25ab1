import { createDocument, sendDocument, statusDocument } from "../made/orval.ts";
import { headers, offer } from "./offer.ts";

const created = await createDocument(offer, undefined, { headers });
if (created.status !== 201) throw new Error(JSON.stringify(created.data));
const { id } = created.data;
for (;;) {
  const read = await statusDocument(id, { headers });
  if (read.status === 200 && read.data.status === "document.draft") break;
}
const sent = await sendDocument(id, { silent: true }, { headers });
console.log(sent.status === 200 ? sent.data.status : sent.status);
