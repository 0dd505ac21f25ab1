import { findOperation, operationIds } from "../../../service/api/index.ts";
import type { RuleVocabulary } from "../../scenario/compile.ts";

export const ruleVocabulary: RuleVocabulary = {
  ids: operationIds,
  statusesOf(id) {
    const operation = findOperation(id);
    return operation && [...Object.keys(operation.responses).map(Number), ...operation.errors];
  },
};
