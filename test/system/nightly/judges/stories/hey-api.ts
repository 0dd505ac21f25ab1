import { createDocument, sendDocument, statusDocument } from "../made/hey-api/index.ts";
import { headers, offer } from "./offer.ts";

const { data: created, error } = await createDocument({ body: offer, headers });
if (!created) throw new Error(JSON.stringify(error));
const path = { id: created.id };
for (;;) {
  const { data } = await statusDocument({ path, headers });
  if (data?.status === "document.draft") break;
}
const { data: sent } = await sendDocument({ path, body: { silent: true }, headers });
console.log(sent?.status);
