import * as z from "zod";
import { lazy, parseRoute } from "../core/operation.ts";
import { pactOf } from "../journal/pact/pact.ts";
import type { Pact } from "../journal/pact/pact-file.ts";
import type { Service } from "../runtime/service.ts";
import type { Control } from "../runtime/tenants/tenant-registry.ts";
import { verb, verbGroup } from "./define.ts";

const NAME_MAX = 100;

/** Tools of Pact name files after the consumer, so a name holds nothing that leads to another folder or hides a text. */
export const consumerName = () =>
  z
    .string()
    .max(NAME_MAX, `is longer than ${NAME_MAX} characters`)
    .regex(/^[^\p{C}\p{Z}](?:[^\p{C}]*[^\p{C}\p{Z}])?$/u, "is empty, begins or ends with a space, or has invisible characters")
    .refine(
      (name) => !/[/\\]/.test(name) && !/^\.+$/.test(name),
      "cannot be part of a path: leave out / and \\, and use more than dots",
    )
    .describe("the name of the client in the pact; default client");

function pactOfTenant({ host, tenant }: Control, consumer: string): Pact {
  const { service, journal } = tenant;
  const operations = new Map(
    service.operations.map(({ id, route }) => {
      const { path } = parseRoute(route);
      return [id, { path, subjectParam: service.subjects.parameterOf(path) }] as const;
    }),
  );
  return pactOf(journal.all(), {
    consumer,
    provider: service.name,
    version: host.version,
    seed: tenant.origin.seed,
    dropped: journal.dropped,
    noun: service.language.words.subject,
    key: service.seed.keyOf(service.seed.standard(undefined)),
    grant: service.access.grant?.operation,
    reader: readerOf(service),
    standIn: (type, filename) => service.standIn?.(type, filename),
    isFirstStatus: service.subjects.isFirstStatus,
    pathOf: (operation) => operations.get(operation),
  });
}

/** The operation whose path ends with the id of a subject, and that only reads. */
function readerOf({ operations, subjects }: Service): string | undefined {
  return operations.find(({ route }) => {
    const { method, path, variant } = parseRoute(route);
    const param = subjects.parameterOf(path);
    return method === "GET" && variant === undefined && param !== undefined && path.endsWith(`/{${param}}`);
  })?.id;
}

const pactView = lazy(() =>
  z.strictObject({
    consumer: z.strictObject({ name: z.string() }),
    provider: z.strictObject({ name: z.string() }),
    interactions: z.array(z.looseObject({ type: z.string(), description: z.string() })),
    metadata: z.looseObject({ pactSpecification: z.strictObject({ version: z.literal("4.0") }) }),
  }),
);

export const pactVerbs = verbGroup(
  "Admin: pact",
  { command: "run --pact writes the file", tool: "save_pact writes it into a file, because it is long" },
  [
    verb({
      name: "pact.export",
      does: "Returns what the client used as a Pact of specification 4, with matchers and provider states. It holds no secret: a key that every new server knows takes the place of the client's key. `metadata` says which calls are left out, and why.",
      input: () => z.strictObject({ consumer: consumerName().optional() }),
      run: (control, { consumer = "client" }) => pactOfTenant(control, consumer),
      admin: {
        id: "adminPact",
        route: "GET /__admin/pact",
        answer: pactView,
        example: { path: "/__admin/pact?consumer=shop" },
        show: (pact) => pact as never,
      },
      methods: {
        pact: {
          takes: [{ name: "the options", is: 'are an object such as { consumer: "shop" }', optional: true }],
          gives: (pact) => pact,
        },
      },
    }),
  ],
);
