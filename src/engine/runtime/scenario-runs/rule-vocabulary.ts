import type { RuleVocabulary } from "../../scenario/compile.ts";
import type { Service } from "../service.ts";

const made = new WeakMap<Service, RuleVocabulary>();

/** The operations that rules may name. */
export function vocabularyOf(service: Service): RuleVocabulary {
  const known = made.get(service);
  if (known) return known;
  const byId = new Map(service.operations.map((one) => [one.id, one]));
  const vocabulary: RuleVocabulary = {
    ids: () => [...byId.keys(), ...service.unserved.map((one) => one.id)],
    statusesOf(id) {
      const operation = byId.get(id);
      return operation && [...Object.keys(operation.responses).map(Number), ...operation.errors];
    },
  };
  made.set(service, vocabulary);
  return vocabulary;
}
