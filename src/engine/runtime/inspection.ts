/**
 * What stands above the engine and looks at tenants: client lint, the log, and pages for people. The engine calls it through this
 * interface only.
 */

/** The inspector knows the whole tenant. */
interface Inspected {
  readonly id: string;
}

export interface Finding {
  readonly kind: string;
  readonly message: string;
  readonly fix: string;
}

export interface Inspection {
  /** Mistakes of clients that the service accepts. `unread` tells what the report may lack. */
  lint(tenant: Inspected): { findings: readonly Finding[]; unread: string | undefined };
  /** One line about a finding. */
  advice(finding: Finding): string;
  /** Sends receivers copies with wrong signatures, and reports who accepts them. */
  probeSignatures(tenant: Inspected): Promise<readonly Finding[]>;
  /** Calls `run` with each event of the log, and with undefined at the end. Returns a function that ends the watch. */
  watchLog(tenant: Inspected, run: (event: object | undefined) => void, options: { holds: boolean }): () => void;
}
