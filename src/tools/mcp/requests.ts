import { ServerError } from "../remote/server.ts";
import type { Session } from "./session.ts";

const LIMIT = 20;
const SEARCHED_MAX = 1000;

interface ShownCall {
  id: string;
  at: string;
  request: { method: string; url: string; headers: Record<string, string>; body: string };
  response: { status: number | null; headers: Record<string, string>; body: string };
  operationId: string | null;
  rule?: string;
  why?: string;
}

export async function recentRequests(
  session: Session,
  {
    operation,
    failed,
    limit = LIMIT,
  }: { operation?: string | undefined; failed?: boolean | undefined; limit?: number | undefined },
): Promise<object> {
  const isFiltered = operation !== undefined || failed;
  const { requests, meta } = await session.admin("GET", `/requests?limit=${isFiltered ? SEARCHED_MAX : limit}`);
  const found = (requests as ShownCall[]).filter(
    (one) => (operation === undefined || one.operationId === operation) && (!failed || isFailed(one)),
  );
  const isPartial = isFiltered && meta.total > SEARCHED_MAX;
  return {
    requests: found.slice(0, limit).map(toLine),
    total: meta.total,
    ...(isPartial ? { searched: SEARCHED_MAX } : {}),
    ...(meta.gone === undefined ? {} : { gone: meta.gone }),
  };
}

export async function requestDetails(session: Session, id: string): Promise<object> {
  const one: ShownCall = await session.admin("GET", `/requests/${encodeURIComponent(id)}`);
  const { headers, body } = one.request;
  return {
    ...toLine(one),
    request: { headers, body },
    response: { headers: one.response.headers, body: one.response.body },
  };
}

/** @throws ServerError when no call failed */
export async function explain(session: Session, id: string | undefined): Promise<object> {
  const one =
    id === undefined
      ? await latestFailure(session)
      : ((await session.admin("GET", `/requests/${encodeURIComponent(id)}`)) as ShownCall);
  const documentId = /\/documents\/([^/?]{16,})/.exec(one.request.url)?.[1];
  const document = documentId === undefined ? undefined : await session.tried("GET", `/documents/${documentId}`);
  const assumption = /\(assumption ([^)]+)\)/.exec(one.why ?? "")?.[1];
  const nearest = one.operationId === null ? await nearestOperations(session, one.id) : undefined;
  return {
    ...toLine(one),
    request_body: one.request.body,
    answer: one.response.body,
    ...(one.response.headers["retry-after"] === undefined ? {} : { retry_after: one.response.headers["retry-after"] }),
    ...(assumption === undefined ? {} : { assumption }),
    ...(nearest === undefined ? {} : { nearest }),
    ...(document?.ok
      ? { document: pick(document.body, ["id", "name", "status", "allows", "next", "acts", "turn", "lock"]) }
      : {}),
  };
}

async function latestFailure(session: Session): Promise<ShownCall> {
  const { requests, meta } = await session.admin("GET", `/requests?limit=${SEARCHED_MAX}`);
  const found = (requests as ShownCall[]).find(isFailed);
  if (!found && meta.total > SEARCHED_MAX)
    throw new ServerError(`The latest ${SEARCHED_MAX} calls did not fail. Pass the id of an older call from read_requests.`);
  if (!found) throw new ServerError("No call failed yet. Run the client first, or pass the id of a call from read_requests.");
  return found;
}

async function nearestOperations(session: Session, id: string): Promise<unknown> {
  const { nearMisses } = await session.admin("GET", "/requests/unmatched/near-misses");
  return (nearMisses as { id: string; nearest: unknown }[]).find((one) => one.id === id)?.nearest;
}

function isFailed({ response: { status } }: ShownCall): boolean {
  return status === null || status >= 400;
}

function toLine({ id, at, request, response, operationId, rule, why }: ShownCall): object {
  return {
    id,
    at,
    call: `${request.method} ${request.url}`,
    status: response.status,
    operation: operationId,
    ...(why === undefined ? {} : { why }),
    ...(rule === undefined ? {} : { rule }),
  };
}

function pick(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}
