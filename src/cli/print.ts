import { openapi, service } from "../service/service.ts";
import { VERSION } from "../library/version.ts";
import { fixturesJsonSchema, scenarioJsonSchema } from "../engine/scenario/json-schema.ts";

const DEFAULT_URL = "http://127.0.0.1:4010";

export const PRINTABLE = {
  scenario: () => scenarioJsonSchema(service.language, [...service.language.ids()].sort()),
  fixtures: () => fixturesJsonSchema(service.language),
} as const;

export interface OpenApiFlags {
  publicUrl?: string;
}

export function printSchema(kind: keyof typeof PRINTABLE): void {
  print(PRINTABLE[kind]());
}

export async function printOpenApi({ publicUrl = DEFAULT_URL }: OpenApiFlags): Promise<void> {
  print(await openapi.describe(publicUrl, VERSION));
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
