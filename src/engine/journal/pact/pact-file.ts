/** The parts of a Pact of specification 4. Source: https://github.com/pact-foundation/pact-specification/tree/version-4 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Matcher {
  match: string;
  regex?: string;
  min?: number;
  status?: string;
}

export interface MatchingRule {
  combine: "AND";
  matchers: Matcher[];
}

export type Rules = Record<string, MatchingRule>;

export interface PactBody {
  content: Json;
  contentType: string;
  encoded: false | "base64";
}

export interface ProviderState {
  name: string;
  params: Record<string, string>;
}

export interface PactInteraction {
  type: "Synchronous/HTTP";
  key: string;
  description: string;
  pending: false;
  providerStates?: ProviderState[];
  comments?: { text: string[] };
  request: {
    method: string;
    path: string;
    query?: Record<string, string[]>;
    headers?: Record<string, string[]>;
    body?: PactBody;
    matchingRules?: { path?: MatchingRule; header?: Rules; body?: Rules };
    generators?: { path: { type: "ProviderState"; expression: string } };
  };
  response: {
    status: number;
    headers?: Record<string, string[]>;
    body?: PactBody;
    matchingRules?: { status?: MatchingRule; header?: Rules; body?: Rules };
  };
}

/** Calls of the client that are not in the pact, and why. */
export interface LeftOut {
  reason: string;
  calls: number;
}

export interface Pact {
  consumer: { name: string };
  provider: { name: string };
  interactions: PactInteraction[];
  metadata: {
    pactSpecification: { version: "4.0" };
    docdouble: { version: string; seed: string; left_out: LeftOut[]; dropped_calls: number };
  };
}

export function ruleOf(...matchers: Matcher[]): MatchingRule {
  return { combine: "AND", matchers };
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
