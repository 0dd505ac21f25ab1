/** Measures tools of the MCP server, each beside the plain call of its operation. Both take turns at one server. */
import type { Figure } from "./figures.ts";
import { compete, type Contest, rate } from "./rates.ts";
import { benchFixtures, CREATE, DOCDOUBLE_ARGS, HEADERS, makeDraft, type Server, start, stop } from "./servers.ts";

const LIST = "order_by=-date_created";
/** A tool call may take three times as long as the plain call. */
const RATIO_MIN = 0.33;

function toolCall(name: string, input: object): Contest {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
  return { method: "POST", path: "/v1/mcp", body, headers: { ...HEADERS, accept: "application/json, text/event-stream" } };
}

/** A tool that fails answers 200 too. */
async function requireSuccess(server: Server, { method, path, body, headers = HEADERS }: Contest): Promise<void> {
  const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  const { result } = JSON.parse(text) as { result?: { isError?: boolean } };
  if (result === undefined || result.isError) throw new Error(`${body} was answered ${answer.status}: ${text}`);
}

export async function measureMcp(): Promise<Figure[]> {
  const server = await start([...DOCDOUBLE_ARGS, "--fixtures", benchFixtures()], "/__admin/health");
  try {
    const document_id = await makeDraft(server);
    const documents = "/public/v1/documents";
    // The creates come last, because they add documents to the list.
    const pairs: [tool: string, input: object, plain: Contest][] = [
      ["documents_status_get", { document_id }, { method: "GET", path: `${documents}/${document_id}` }],
      ["documents_details_get", { document_id }, { method: "GET", path: `${documents}/${document_id}/details` }],
      ["documents_list", {}, { method: "GET", path: `${documents}?${LIST}` }],
      [
        "documents_create",
        { request: { source: "template", ...JSON.parse(CREATE) } },
        { method: "POST", path: documents, body: CREATE },
      ],
    ];
    const figures: Figure[] = [];
    for (const [name, input, plain] of pairs) {
      const tool = toolCall(name, input);
      await requireSuccess(server, tool);
      const { ours, theirs } = await compete({ ours: [server, tool], theirs: [server, plain] });
      figures.push(rate(`\`${name}\``, ours?.perSecond, "the plain call", theirs?.perSecond, RATIO_MIN));
    }
    return figures;
  } finally {
    await stop(server);
  }
}
