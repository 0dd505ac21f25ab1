import type { Finding } from "./finding.ts";
import type { CallItem, Item, Post, Recording } from "./recording.ts";
import type { CleanCall, FaultName, FaultPlace, Party, Step } from "./report.ts";

export function stepsOf(recording: Recording, faults: readonly FaultPlace[], finding?: Finding): Step[] {
  const names = documentNames(recording);
  const all = [...recording.items, ...recording.lost].sort((a, b) => a.at - b.at);
  const steps = all.map((item) => ({
    ...stepOf(item, names),
    ...(item.kind === "post" && recording.lost.includes(item) ? { answer: "lost" } : {}),
    at: item.at - recording.began,
    ...faultOf(item, faults),
    ...(finding && finding.item === item ? { failing: true as const } : {}),
  }));
  const isShown = steps.some((one) => "failing" in one);
  const end: Step = {
    ...line("end", "client", "client", endWord(recording)),
    at: recording.ended - recording.began,
    detail: endDetail(recording),
    ...(finding && !isShown ? { failing: true as const } : {}),
  };
  return [...steps, end];
}

/** Acts that nobody performs: the service processes, fails and expires documents. */
const OF_SERVICE: ReadonlySet<string> = new Set(["process", "fail", "expire"]);

const line = (kind: Step["kind"], from: Party, to: Party, what: string): Step => ({
  ...{ at: 0, kind, from, to, what, nth: 0, answer: "", detail: "" },
});

function stepOf(item: Item, names: ReadonlyMap<string, string>): Step {
  const about = (id: string | undefined) => (id === undefined ? "" : (names.get(id) ?? ""));
  switch (item.kind) {
    case "call": {
      const { entry, operation, nth, document, creates } = item;
      const status = entry.subjectStatus === undefined ? "" : ` in ${entry.subjectStatus}`;
      return {
        ...line("call", "client", "service", operation),
        nth,
        answer: answerOf(item),
        detail: creates ? `creates ${about(document)}` : `${about(document)}${status}`,
      };
    }
    case "post": {
      const { status, error } = item.result ?? { status: null, error: null };
      const forged = item.signed === "valid" ? "" : ", forged";
      return {
        ...line("webhook", "service", "receiver", item.event),
        nth: item.nth,
        answer: status === null ? (error ?? "no answer") : String(status),
        detail: `${about(item.document)}${item.status === null ? "" : ` is ${item.status}`}${forged}`,
      };
    }
    case "act": {
      const instead = item.did === item.asked ? "" : `, instead of ${item.asked}`;
      const byService = OF_SERVICE.has(item.did);
      const who = byService && instead === "" ? "" : `${item.role}${instead}: `;
      return {
        ...line("act", byService ? "service" : "recipient", "service", item.did),
        detail: `${who}${about(item.document)}`,
      };
    }
  }
}

export function eventText({ event, status }: Pick<Post, "event" | "status">): string {
  return status === null ? event : `${event} (${status})`;
}

export function firstLine(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

export function answerWords(answer: string): string {
  return /^\d/.test(answer) ? `answered ${answer}` : answer;
}

export function answerOf({ entry }: CallItem): string {
  if (entry.networkFault === "truncate") return `${entry.status}, cut`;
  if (entry.networkFault !== undefined || entry.status === undefined)
    return entry.own === undefined ? "connection lost, without effect" : `connection lost after ${entry.own}`;
  return String(entry.status);
}

/** Document 1, document 2 … in the order of creation, so that reports do not depend on ids. */
export function documentNames({ documents, made }: Pick<Recording, "documents" | "made">): Map<string, string> {
  const byCreation = [...made].map((id, i): [string, string] => [id, `document ${i + 1}`]);
  return new Map([...documents.map((row): [string, string] => [row.id, `"${row.name}"`]), ...byCreation]);
}

function faultOf(item: Item, faults: readonly FaultPlace[]): { fault?: Step["fault"] } {
  const hit = faults.find(({ operation, nth, fault }) => {
    if (item.kind === "act") return item.did !== item.asked && item.role === operation;
    if (item.kind === "post") return fault.startsWith("webhook_") && item.event === operation && isHit(item, fault, nth);
    if (fault === "slow_processing" || fault === "processing_failed" || fault === "other_reading")
      return item.operation === operation && item.nth === nth;
    return item.operation === operation && item.nth === nth && item.entry.rule !== undefined;
  });
  return hit ? { fault: hit.fault } : {};
}

/** A lost delivery has no number, because nobody received it. */
function isHit(post: Post, fault: FaultName, nth: number): boolean {
  return post.nth === nth || post.signed !== "valid" || (fault === "webhook_lost" && post.result === undefined && post.nth === 0);
}

/** The delivery that a fault lost, delayed or moved. */
export function hitDelivery({ items, lost }: Recording, faults: readonly FaultPlace[]): Post | undefined {
  const posts = [...lost, ...items].filter((one): one is Post => one.kind === "post");
  return posts.find((post) =>
    faults.some(
      ({ fault, operation, nth }) => fault.startsWith("webhook_") && post.event === operation && isHit(post, fault, nth),
    ),
  );
}

function endWord({ end }: Recording): string {
  return end.kind === "returned" ? "ends" : end.kind === "failed" ? "fails" : end.kind === "hung" ? "never ends" : "is stopped";
}

function endDetail(recording: Recording): string {
  const { end } = recording;
  if (end.kind === "failed" || end.kind === "hung") return anonymous(firstLine(end.message), recording);
  return end.kind === "returned" && end.value !== undefined ? anonymous(shown(end.value), recording) : "";
}

const SHOWN_MAX = 200;

function shown(value: unknown): string {
  try {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
  } catch {
    return "";
  }
}

export function anonymous(text: string, recording: Recording): string {
  let plain = text;
  for (const [id, name] of documentNames(recording)) plain = plain.replaceAll(id, () => name);
  return plain;
}

export function cleanCallsOf(recording: Recording): CleanCall[] {
  return recording.items.flatMap((item) =>
    item.kind !== "call" || item.nth === 0
      ? []
      : [
          {
            operation: item.operation,
            nth: item.nth,
            status: item.entry.status ?? null,
            document: item.entry.subjectStatus ?? null,
            caused_by: item.cause ? eventText(item.cause) : null,
          },
        ],
  );
}

export function firstDifference(first: Recording, second: Recording): string | undefined {
  const [a, b] = [first, second].map((one) => [...stepsOf(one, []).map(comparable)]) as [string[], string[]];
  const at = a.findIndex((text, i) => text !== b[i]);
  const index = at < 0 && b.length > a.length ? a.length : at;
  if (index < 0) return undefined;
  const nothing = "nothing more";
  return `The two clean runs differ from step ${index + 1}. The first run: ${a[index] ?? nothing}. The second run: ${b[index] ?? nothing}.`;
}

function comparable({ kind, what, nth, answer, detail }: Step): string {
  if (kind === "end") return `the client ${what}`;
  const which = nth > 0 ? ` ${nth}` : "";
  return [`${kind} ${what}${which}`, detail, answer && `→ ${answer}`].filter((part) => part !== "").join(" ");
}
