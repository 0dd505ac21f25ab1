import { binary } from "../core/operation.ts";
import type { Service } from "../runtime/service.ts";
import { verb, verbGroup } from "./define.ts";

const MEDIA = "text/plain; version=0.0.4; charset=utf-8";

const ELSEWHERE = {
  methods: "a sandbox lives in the process of its user, which measures itself",
  tool: "read_metrics shows the samples as a map",
};

export const metricsVerbs = ({ language }: Pick<Service, "language">) =>
  verbGroup("Admin: metrics", ELSEWHERE, [
    verb({
      name: "metrics",
      does: `Returns the metrics of the server for Prometheus: calls, deliveries, ${language.words.subject}s by status, jobs, tenants, dropped calls and memory. Tenants are summed.`,
      run: ({ host }) => host.metrics.text([...host.tenants()], host.journals.dropped),
      admin: {
        id: "adminMetrics",
        route: "GET /metrics",
        answer: binary(MEDIA),
        show: (text) => ({ bytes: Buffer.from(text), media: MEDIA }),
      },
    }),
  ]);
