import { openapi, service } from "../service/service.ts";
import { VERSION } from "../library/version.ts";
import { fixturesJsonSchema, scenarioJsonSchema } from "../engine/scenario/json-schema.ts";

const DEFAULT_URL = "http://127.0.0.1:4010";

export const PRINTABLE = {
  scenario: () => scenarioJsonSchema(service.language, service.language.ids().sort()),
  fixtures: () => fixturesJsonSchema(service.language),
} as const;

export function printSchema(kind: keyof typeof PRINTABLE): void {
  print(PRINTABLE[kind]());
}

export async function printOpenApi(url: string = DEFAULT_URL): Promise<void> {
  print(await openapi.describe(url, VERSION));
}

function print(value: object): void {
  writeSafely(`${JSON.stringify(value, null, 2)}\n`);
}

/** A reader such as `head` may close the pipe early. */
export function writeSafely(text: string): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  process.stdout.write(text);
}
