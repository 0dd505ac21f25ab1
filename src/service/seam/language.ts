/** The names and schemas of scenario files that come from the service. */
import type { Language } from "../../engine/scenario/language.ts";
import { findOperation, operationIds } from "../nouns/index.ts";
import { switches } from "../assumptions/switches.ts";
import type { EventName } from "../nouns/documents/status-machine.ts";
import { EVENTS, STATUSES } from "../nouns/documents/status-machine.ts";
import { ACTS, MAIL_KINDS, TOOL_NAMES } from "../kit/names.ts";
import { ACT_INPUT, actInput } from "../nouns/signing/acts.ts";
import { MODELS } from "../kit/world.ts";
import hover from "./hover.json" with { type: "json" };
import { fixtures, fixturesFor, quoteFixture, templateFixture } from "../world/inputs.ts";
import { PAGE_IDS } from "../pages/page-call.ts";

type DocumentEvent = Exclude<EventName, `template_${string}` | `content_library_${string}`>;

const concernsDocument = (event: EventName): event is DocumentEvent => !/^(template|content_library)_/.test(event);

export const language: Language = {
  subjectFacts: { names: ["as", "id", "name", "status", "tag", "template"], open: "metadata" },
  participantFacts: ["id", "role", "email"],
  ids: operationIds,
  callIds: () => [...operationIds(), ...PAGE_IDS],
  statusesOf(id) {
    const operation = findOperation(id);
    return operation && [...Object.keys(operation.responses).map(Number), ...operation.errors];
  },
  answersOf(id) {
    const successes = Object.entries(findOperation(id)?.responses ?? {}).filter(([status]) => Number(status) < 300);
    return successes.flatMap(([, schema]) => (typeof schema === "function" ? [schema()] : []));
  },
  isRead: (id) => findOperation(id)?.route.startsWith("GET ") ?? false,
  statuses: STATUSES,
  events: EVENTS,
  triggers: [...STATUSES, ...EVENTS.filter(concernsDocument), "document.deleted"],
  messageKinds: MAIL_KINDS,
  models: MODELS,
  tools: TOOL_NAMES,
  acts: ACTS,
  usualAct: "sign",
  actInput,
  actMembers: ACT_INPUT,
  fixtures,
  fixturesFor,
  fixtureParts: { QuoteFile: quoteFixture, TemplateFile: templateFixture },
  hover,
  switches,
};
