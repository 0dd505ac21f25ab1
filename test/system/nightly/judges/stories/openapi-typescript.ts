import createClient from "openapi-fetch";
import type { paths } from "../made/openapi-typescript.ts";
import openapi from "../openapi.json";
import { headers, offer } from "./offer.ts";

const client = createClient<paths>({ baseUrl: openapi.servers[0]?.url ?? "", headers });
const { data: created, error } = await client.POST("/public/v1/documents", { body: offer });
if (!created) throw new Error(JSON.stringify(error));
const params = { path: { id: created.id } };
for (;;) {
  const { data } = await client.GET("/public/v1/documents/{id}", { params });
  if (data?.status === "document.draft") break;
}
const { data: sent } = await client.POST("/public/v1/documents/{id}/send", { params, body: { silent: true } });
console.log(sent?.status);
