import { type Html, html } from "../../engine/http/html.ts";
import { type DocumentStatus, type Trigger, lifecycle } from "../../service/service.ts";

const PLACES: Readonly<Partial<Record<DocumentStatus, readonly [number, number]>>> = {
  "document.rejected": [0, 0],
  "document.waiting_approval": [1, 0],
  "document.approved": [2, 0],
  "document.declined": [3, 0],
  "document.voided": [4, 0],
  "document.uploaded": [0, 1],
  "document.draft": [1, 1],
  "document.sent": [2, 1],
  "document.viewed": [3, 1],
  "document.completed": [4, 1],
  "document.error": [0, 2],
  "document.scheduled": [1, 2],
  "document.external_review": [2, 2],
  "document.waiting_pay": [3, 2],
  "document.paid": [4, 2],
};

const BOX = { width: 136, height: 38 };
const PITCH = { x: 180, y: 84 };
const MARGIN = 8;
const WIDTH = 4 * PITCH.x + BOX.width + 2 * MARGIN;
const HEIGHT = 2 * PITCH.y + BOX.height + 2 * MARGIN;

/** Most statuses have these transitions, so the diagram shows them only after they happen. */
const isDrawn = (trigger: Trigger) => trigger !== "revert" && !trigger.endsWith("_manually");

interface Edge {
  from: DocumentStatus;
  to: DocumentStatus;
}

const EDGES: readonly Edge[] = (Object.keys(lifecycle.transitions) as Trigger[])
  .filter(isDrawn)
  .flatMap((trigger) => lifecycle.transitions[trigger].from.map((from) => ({ from, to: lifecycle.transitions[trigger].to })));

export function statusDiagram(path: readonly DocumentStatus[], status: DocumentStatus): Html {
  const gone = new Set(path.slice(1).map((to, i) => `${path[i]} ${to}`));
  const ahead = new Set(
    lifecycle
      .triggersIn(status)
      .filter(isDrawn)
      .map((trigger) => lifecycle.next(status, trigger)),
  );
  const byHand = path.slice(1).flatMap((to, i) => {
    const from = path[i] ?? to;
    return from === to || EDGES.some((edge) => edge.from === from && edge.to === to) ? [] : [{ from, to }];
  });
  const drawn = [...EDGES, ...byHand]
    .map((edge) => ({
      ...edge,
      kind: gone.has(`${edge.from} ${edge.to}`) ? "gone" : edge.from === status ? "ahead" : "",
    }))
    .sort((a, b) => (a.kind === "gone" ? 1 : 0) - (b.kind === "gone" ? 1 : 0));
  const label = `Diagram of statuses: now ${lifecycle.words(status)}, by way of ${path.map(lifecycle.words).join(", ")}`;
  return html`<div class="diagram" id="diagram" tabindex="0" role="region" aria-label="Diagram of statuses" data-scroll>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<defs>${["", "gone", "ahead"].map((kind) => html`<marker id="tip${kind}" class="tip ${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`)}</defs>
${drawn.map(edgeSvg)}
${(Object.keys(PLACES) as DocumentStatus[]).map((one) => {
  const kind = one === status ? "now" : path.includes(one) ? "gone" : ahead.has(one) ? "ahead" : "";
  const { x, y } = center(one);
  return html`<g class="node ${kind}"><rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="9"/><text x="${x}" y="${y + 5}">${lifecycle.words(one)}</text></g>`;
})}
</svg></div>`;
}

function center(status: DocumentStatus): { x: number; y: number } {
  const [column, row] = PLACES[status] ?? [0, 0];
  return { x: MARGIN + BOX.width / 2 + column * PITCH.x, y: MARGIN + BOX.height / 2 + row * PITCH.y };
}

function edgeSvg({ from, to, kind }: Edge & { kind: string }): Html {
  const [a, b] = [center(from), center(to)];
  const [columns, rows] = [(b.x - a.x) / PITCH.x, (b.y - a.y) / PITCH.y];
  const tip = `url(#tip${kind})`;
  if (rows === 0 && Math.abs(columns) > 1) {
    const [x1, x2, y] = [a.x + BOX.width / 4, b.x - BOX.width / 4, a.y - BOX.height / 2];
    return html`<path class="edge ${kind}" marker-end="${tip}" d="M${x1} ${y}C${x1 + 30} ${y - 34} ${x2 - 30} ${y - 34} ${x2} ${y}"/>`;
  }
  if (columns === 0 && Math.abs(rows) > 1) {
    const x = a.x - BOX.width / 2;
    return html`<path class="edge ${kind}" marker-end="${tip}" d="M${x} ${a.y}C${x - 30} ${a.y - 30} ${x - 30} ${b.y + 30} ${x} ${b.y}"/>`;
  }
  const aside = columns === 0 && hasOppositeEdge(from, to) ? (rows > 0 ? 10 : -10) : 0;
  const [start, end] = [border(a, b), border(b, a)];
  return html`<path class="edge ${kind}" marker-end="${tip}" d="M${start.x + aside} ${start.y}L${end.x + aside} ${end.y}"/>`;
}

function hasOppositeEdge(from: DocumentStatus, to: DocumentStatus): boolean {
  return EDGES.some((edge) => edge.from === to && edge.to === from);
}

function border(a: { x: number; y: number }, b: { x: number; y: number }): { x: number; y: number } {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const part = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : BOX.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : BOX.height / 2 / Math.abs(dy),
  );
  return { x: Math.round(a.x + dx * part), y: Math.round(a.y + dy * part) };
}
