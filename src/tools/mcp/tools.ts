import * as z from "zod";
import { FAULT_NAMES } from "../../library/kit/faults.ts";
import { detailOf, ServerError } from "../remote/server.ts";
import { exploreCommand } from "./explore.ts";
import { explain, recentRequests, requestDetails } from "./requests.ts";
import { FILE_TOOLS } from "./files.ts";
import { refuseUnsafeHost, type Session } from "./session.ts";
import { type Tool, verbTool } from "./verb-tool.ts";

const tool = <Shape extends z.ZodRawShape>(one: {
  name: string;
  description: string;
  input: Shape;
  reads?: boolean;
  run(input: z.output<z.ZodObject<Shape>>, session: Session): Promise<object>;
}): Tool => one as unknown as Tool;

const duration = z.string().describe("a duration such as 250ms, 3s, 5m, 2h or 5d");

export const TOOLS: readonly Tool[] = [
  tool({
    name: "start",
    description:
      "Start a new test double in this process, and end the one started before. Returns the URL and API key for the client under test. Other tools start one with defaults when none runs.",
    input: {
      clock: z.enum(["auto", "frozen", "real"]).optional().describe("auto (default): time moves while the client waits"),
      now: z.string().optional().describe("start time of the clock, ISO 8601"),
      seed: z.string().optional().describe("makes ids repeatable"),
      profile: z.enum(["default", "strict"]).optional().describe("strict refuses what the real service may refuse"),
      scenario: z.string().optional().describe("path of a scenario file"),
      fixtures: z.string().optional().describe("path of a fixtures file"),
    },
    run: async (input, session) => {
      await session.start(Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
      return session.connection();
    },
  }),
  tool({
    name: "attach",
    description: "Use a running docdouble server instead of one in this process. Without a URL, return the server in use.",
    input: {
      url: z.url().optional().describe("such as http://127.0.0.1:4010"),
      key: z.string().optional().describe("API key that selects the tenant"),
      admin_token: z.string().optional(),
    },
    run: async ({ url, key, admin_token }, session) => {
      if (url !== undefined) await refuseUnsafeHost(url);
      if (url === undefined) await session.admin("GET", "/version");
      else
        await session.attach(url, {
          isGuarded: true,
          ...(key === undefined ? {} : { key }),
          ...(admin_token === undefined ? {} : { adminToken: admin_token }),
        });
      return session.connection();
    },
  }),
  verbTool("reset"),
  tool({
    name: "seed",
    description:
      "Load a scenario: rows (world), rules, actors, webhook faults and expectations. Pass its YAML or JSON text, or the name of a ready-made story. An unknown story name returns all names.",
    input: {
      scenario: z.string().optional().describe("YAML or JSON text that begins with version: 1"),
      story: z.string().optional().describe("such as lost-answer, locked-twice, two-signers"),
    },
    run: ({ scenario, story }, session) => {
      if ((scenario === undefined) === (story === undefined)) throw new ServerError("Pass scenario or story, and not both.");
      return story === undefined ? session.load(scenario ?? "") : session.admin("POST", `/stories/${encodeURIComponent(story)}`);
    },
  }),
  verbTool("documents.create"),
  verbTool("documents.list"),
  verbTool("documents.show"),
  verbTool("simulate"),
  verbTool("clock.advance"),
  tool({
    name: "add_fault",
    description:
      "Make coming calls of an operation fail, or deliveries of an event, or turns of a recipient. reset_after carries the call out and loses the answer. Anything else is a rule: docs/do/scenarios.md.",
    input: {
      operation: z.string().optional().describe("an operationId such as sendDocument, an event, or a recipient's role"),
      fault: z.enum(FAULT_NAMES).optional(),
      times: z.number().int().min(1).optional().describe("how many calls; default 1"),
      retry_after: duration.optional().describe("for throttled and pdf_not_ready"),
      delay: duration.optional().describe("for slow and slow_processing"),
      rule: z.record(z.string(), z.unknown()).optional().describe("a whole rule: name, when, then"),
    },
    run: async ({ operation: on, fault, retry_after: retryAfter, rule, ...options }, session) => {
      if (rule !== undefined) return session.admin("POST", "/rules", rule);
      if (on === undefined || fault === undefined) throw new ServerError("Pass operation and fault, or a rule.");
      return session.admin("POST", "/faults", { on, fault, retryAfter, ...options });
    },
  }),
  tool({
    name: "read_requests",
    description:
      "Read the calls that the server answered, the newest first, with the reason of each refusal. With id: one call in full.",
    input: {
      id: z.string().optional().describe("id of a call"),
      operation: z.string().optional().describe("only calls of this operationId"),
      failed: z.boolean().optional().describe("only calls with a status of 400 or above, or without an answer"),
      limit: z.number().int().min(1).max(200).optional().describe("default 20"),
    },
    reads: true,
    run: ({ id, ...filter }, session) => (id === undefined ? recentRequests(session, filter) : requestDetails(session, id)),
  }),
  verbTool("webhooks.deliveries", { before: (input) => ({ limit: 20, ...input }) }),
  tool({
    name: "explain",
    description:
      "Explain a refusal: the reason, the rule or assumption that decided, what the document's status allows, and the nearest operations of an unknown path.",
    input: { id: z.string().optional().describe("id of a call; default: the latest that failed") },
    reads: true,
    run: ({ id }, session) => explain(session, id),
  }),
  verbTool("lint"),
  ...FILE_TOOLS,
  tool({
    name: "explore",
    description:
      "Run a command again and again, each time with another fault, and return the faults that break it, each with the smallest scenario file. The command reads DOCDOUBLE_URL and DOCDOUBLE_API_KEY. It starts its own servers.",
    input: {
      command: z.array(z.string()).min(1).describe('such as ["node", "client.mjs"]'),
      scenario: z.string().optional().describe("path of a scenario file for each run"),
      budget: duration.optional().describe("time for the search; default 30s"),
      out: z.string().optional().describe("folder for scenario files; default docdouble/found"),
      only: z.array(z.string()).optional().describe("try only these faults, such as throttled or createDocument:reset_*"),
    },
    run: (input) => exploreCommand(input),
  }),
  tool({
    name: "verify",
    description:
      "Check the expectations of a loaded scenario, or that calls of an operation came a number of times. Returns verified and what is unmet.",
    input: {
      scenario: z.string().optional().describe("name of a loaded scenario"),
      operation: z.string().optional().describe("an operationId"),
      times: z.number().int().min(0).optional().describe("exact number of calls; default: at least one"),
    },
    reads: true,
    run: async ({ scenario, operation, times }, session) => {
      if ((scenario === undefined) === (operation === undefined))
        throw new ServerError("Pass scenario or operation, and not both.");
      const reply =
        scenario === undefined
          ? await session.tried("POST", "/requests/verify", {
              match: { operation },
              ...(times === undefined ? {} : { times }),
            })
          : await session.tried("POST", `/scenarios/${encodeURIComponent(scenario)}/verify`);
      if (reply.status !== 200 && reply.status !== 422) throw new ServerError(detailOf(reply));
      const { verified, count, expected, unmet, detail } = reply.body;
      // The detail tells when calls are gone, so that the count proves nothing.
      return {
        verified,
        ...(unmet === undefined ? { count, expected, ...(detail === undefined ? {} : { detail }) } : { unmet }),
      };
    },
  }),
];
