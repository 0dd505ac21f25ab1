import { type DocumentRow, service } from "../../service/service.ts";
import { readyStories } from "../../engine/runtime/scenario-runs/ready-stories.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { button } from "./parts.ts";

const RULES = "POST /__admin/rules";
const WEBHOOK_RULES = "POST /__admin/webhooks/rules";

export function breakCard({ id, name }: DocumentRow): Html {
  const call = (label: string, rule: { operation?: string }, then: object) =>
    button(label, RULES, { name: `${label}: ${name}`, when: { ...rule, document: { id } }, then: { ...then, times: 1 } });
  const delivery = (label: string, then: object, times: number) =>
    button(label, WEBHOOK_RULES, { name: `${label}: ${name}`, when: { document: { id } }, then: { ...then, times } });
  return html`<section class="card act" aria-labelledby="h-break"><h2 id="h-break">Break it</h2><p class="soft">Each button arms a fault for this document. The rules page lists and removes them.</p><div class="acts small" data-testid="break">
${call("Throttle the next send", { operation: "sendDocument" }, { error: "throttled", retry_after: "5s" })}
${call("Lose the next answer", {}, { network: "reset", phase: "after" })}
${call("Answer the next call with 502", {}, { respond: { status: 502, headers: { "content-type": "text/html" }, body: "<h1>502 Bad Gateway</h1>" }, undeclared: true })}
${button("Lock for 10 minutes", `POST /__admin/documents/${encodeURIComponent(id)}/simulate/lock`, { expires_in: "10m" })}
${delivery("Fail the next two deliveries", { attempt_result: 500 }, 2)}
${delivery("Deliver the next event twice", { duplicate: 1 }, 1)}
${delivery("Lose the next delivery", { drop: true }, 1)}
</div>
<details class="ask" id="load-story"><summary>Load a story…</summary><div class="panel acts small">${readyStories(service).map((story) => button(story.name, `POST /__admin/stories/${story.name}`, {}, "", "(story)"))}</div></details></section>`;
}
