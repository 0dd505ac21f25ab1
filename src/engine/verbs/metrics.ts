import { binary, group } from "../core/operation.ts";
import { operation } from "./operation.ts";

const MEDIA = "text/plain; version=0.0.4; charset=utf-8";

export const metricsGroup = group("Admin: metrics", [
  operation({
    id: "adminMetrics",
    route: "GET /metrics",
    dialect: "admin",
    responses: { 200: binary(MEDIA) },
    errors: [],
    handle: (_, { host }) => ({
      status: 200,
      bytes: Buffer.from(host.metrics.text([...host.tenants()], host.journals.dropped)),
      media: MEDIA,
    }),
  }),
]);
