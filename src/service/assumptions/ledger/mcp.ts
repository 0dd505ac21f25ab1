/** The vendor's own MCP server. Few answers of it are public. */
import type { AssumptionRecord, Sighting } from "../../../engine/assumptions/record.ts";
import { assumption, vendorSkills } from "./entry.ts";

const CAPTURE_OF_JUNE: Sighting = {
  date: "2026-06-05",
  by: "public",
  account: null,
  source: "files 58543607034, 58998085930, 58844235087 and 58860121558 of a public code index",
};
const AGENT_OF_JULY: Sighting = {
  date: "2026-07-15",
  by: "public",
  account: null,
  source: "files 60854642646 and 60946615365 of a public code index",
};
const LIST_OF_AUGUST: Sighting = {
  date: "2026-08-21",
  by: "public",
  account: null,
  source: "docs.composio.dev, toolkit pandadoc_mcp, version 20260821_00",
};
const LOOK = {
  kind: "client",
  text: "The addresses and some texts of the server are those of FastMCP. This is an inference.",
} as const;
const UNKNOWN = { kind: "guess", text: "Nobody published this part of the server's answers." } as const;

export const mcp: readonly AssumptionRecord[] = [
  assumption("mcp.answers", {
    statement: "The MCP server answers each message with JSON, not with a stream of events.",
    sources: [
      {
        kind: "client",
        text: "Both forms are allowed, and a client must read both. The server looks like FastMCP, whose default is a stream.",
      },
    ],
  }),
  assumption("mcp.sessions", {
    statement: "The MCP server gives no session ids.",
    sources: [
      {
        kind: "client",
        text: "A captured answer to GET allows DELETE and POST. FastMCP answers so when it keeps no sessions. This is an inference.",
      },
    ],
    seen: [CAPTURE_OF_JUNE],
  }),
  assumption("mcp.surface", {
    statement:
      "The MCP server has the 22 tools of August 2026. A status has a name such as `Waiting for Approval`. documents_create takes one object `request` with a `source`.",
    sources: [
      { kind: "client", text: "A directory lists these tools. A public agent and the vendor's skill files use this input." },
    ],
    seen: [LIST_OF_AUGUST, AGENT_OF_JULY, vendorSkills({ live: true })],
  }),
  assumption("mcp.annotations", {
    statement:
      "Each tool has a title. The eleven tools that read say readOnlyHint. Sending, archiving, status changes and removals say destructiveHint.",
    sources: [
      {
        kind: "description",
        text: "The connector directory that lists the server asks for such hints. The hints themselves are not public.",
      },
    ],
  }),
  assumption("mcp.authorize_errors", {
    statement: "A wrong client or redirect address stays on the page. Other errors go back to the client with error_description.",
    sources: [UNKNOWN],
  }),
  assumption("mcp.client_documents", {
    statement:
      "Any https address may be a client_id. docdouble fetches no document from it, and sends codes only to addresses of this machine.",
    sources: [{ kind: "client", text: "The server's metadata allow clients that name a document about themselves." }],
    seen: [CAPTURE_OF_JUNE],
  }),
  assumption("mcp.credentials", {
    statement:
      "The MCP server also takes API keys and access tokens of the public API. The public API also takes tokens of the MCP server. Client lint names each such use.",
    sources: [{ kind: "client", text: "The real MCP server takes no API keys. For the tokens nobody published an answer." }],
    seen: [CAPTURE_OF_JUNE],
  }),
  assumption("mcp.error_codes", {
    statement: "A failed tool names the API's status and a code such as bad_request, not_found, conflict or rate_limited.",
    sources: [
      { kind: "description", text: "The vendor's skill files show the code forbidden and its message. Other codes are unknown." },
    ],
    seen: [AGENT_OF_JULY, vendorSkills({ live: true })],
  }),
  assumption("mcp.input_errors", {
    statement: "Input that the schema refuses becomes a failed tool with the code validation_error. The API is not called.",
    sources: [{ kind: "client", text: "The server refuses unknown members with a validation error. Its form is unknown." }],
    seen: [CAPTURE_OF_JUNE],
  }),
  assumption("mcp.list_tags", {
    statement: "With several tags, documents_list finds the documents that have all of them. A page may then hold fewer entries.",
    operations: ["listDocuments"],
    sources: [UNKNOWN],
  }),
  assumption("mcp.member", {
    statement: "An agent acts as the owner of the first production key, because no person signs in at docdouble.",
  }),
  assumption("mcp.nested_members", {
    statement:
      "Below the first level of an input, the schema lets further members pass. The operation ignores them, and client lint names them.",
    sources: [UNKNOWN],
  }),
  assumption("mcp.null_members", {
    statement: "Null for an optional member counts as a missing member.",
    sources: [LOOK],
  }),
  assumption("mcp.response_check", {
    statement:
      "An answer of the API that lacks what its operation answers becomes a failed tool with PANDADOC_API_RESPONSE_INVALID.",
    sources: [{ kind: "description", text: "The vendor saw this code with some templates. What the server checks is unknown." }],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("mcp.results", {
    statement: "A result is an object. The text of the result repeats it as JSON.",
    sources: [LOOK],
    seen: [AGENT_OF_JULY],
  }),
  assumption("mcp.search_dates", {
    statement:
      "A window of documents_search limits the signature date, unless the call names another date. The effective date is the day of completion.",
    operations: ["searchDocumentsAi"],
    sources: [{ kind: "description", text: "The vendor's skill files use the names of three dates. They do not explain them." }],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("mcp.server_info", {
    statement: "The server calls itself PandaDoc MCP Server, version 1.0.0, and gives instructions in docdouble's words.",
    sources: [{ kind: "description", text: "The registry of MCP servers has this title and version. The texts are unknown." }],
  }),
  assumption("mcp.token_lifetime", {
    statement: "A token of the MCP server lives as long as one of the public API.",
    sources: [UNKNOWN],
  }),
  assumption("mcp.unauthorized", {
    statement: "Without a valid token, the body of the 401 holds error and error_description.",
    sources: [LOOK],
    seen: [CAPTURE_OF_JUNE],
  }),
  assumption("mcp.upstream_timeout", {
    statement: "If the API does not answer, the tool fails after three seconds of real time.",
  }),
];
