// A server that says hello with Hono on Node's server. It shows the cost of the framework alone.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.get("/", (context) => context.json({ hello: "world" }));
process.on("SIGTERM", () => process.exit(0));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  process.stdout.write(`hono listening on http://127.0.0.1:${port}\n`),
);
