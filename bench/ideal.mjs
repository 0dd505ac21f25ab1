// The smallest server that could do the job: Hono, a validator of the input and a `Map`. It answers reads and creates like docdouble,
// but without rules, journal, clock, events or permissions. Its argument names the file with its first document.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import * as z from "zod";

const { status, details } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const documents = new Map([[details.id, { status, details }]]);
const recipient = z.object({
  email: z.string(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  role: z.string().optional(),
});
const create = z.object({ name: z.string().optional(), template_uuid: z.string(), recipients: z.array(recipient) });
const id = zValidator("param", z.object({ id: z.string() }));

const app = new Hono();
app.use(async (context, next) => {
  if (!context.req.header("authorization")) return context.json({ detail: "no key" }, 401);
  await next();
});
app.get("/public/v1/documents", (context) =>
  context.json({ results: [...documents.values()].slice(0, 50).map((one) => one.status) }),
);
app.get("/public/v1/documents/:id", id, (context) => {
  const found = documents.get(context.req.valid("param").id);
  return found ? context.json(found.status) : context.json({ detail: "Not found" }, 404);
});
app.get("/public/v1/documents/:id/details", id, (context) => {
  const found = documents.get(context.req.valid("param").id);
  return found ? context.json(found.details) : context.json({ detail: "Not found" }, 404);
});
app.post("/public/v1/documents", zValidator("json", create), (context) => {
  const made = { ...status, ...context.req.valid("json"), id: randomUUID(), date_created: new Date().toISOString() };
  documents.set(made.id, { status: made, details: made });
  const { recipients: _, template_uuid: __, ...shown } = made;
  return context.json(shown, 201);
});
process.on("SIGTERM", () => process.exit(0));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  process.stdout.write(`ideal listening on http://127.0.0.1:${port}\n`),
);
