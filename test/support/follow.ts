/** The story of `clock.follow`, for the fake timers of every runner. */
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type FakeTimers } from "../../src/index.ts";

export const START = Date.UTC(2026, 2, 2, 9);

export interface Kit {
  /** Installs the fake timers. Returns the argument for `follow`. */
  install(): FakeTimers;
  advance(ms: number): unknown;
  uninstall(): void;
}

/** Tests that these fake timers and the clock of a sandbox move together. */
export function itFollows(name: string, make: () => Kit): void {
  describe(`the fake timers of ${name}`, () => {
    /** `tick` of node:test shows each timer the time at the end of the tick. */
    const shown = (due: number, end: number) => `client ${name === "node:test" ? `${end} ${end}` : `${due} ${due}`}`;

    test("and the clock of the sandbox move together, and timers run in order", async () => {
      const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" });
      const kit = make();
      const fakes = kit.install();
      onTestFinished(async () => {
        kit.uninstall();
        await sandbox.close();
      });
      const stop = sandbox.clock.follow(fakes);
      const ran: string[] = [];
      const note = (what: string) =>
        void ran.push(`${what} ${(sandbox.clock.now() - START) / 1000} ${(Date.now() - START) / 1000}`);
      const inbox = await sandbox.webhooks.receiver({
        events: ["document_state_changed"],
        handler: async (request) => {
          const [event] = [(await request.json()) as unknown].flat() as { data: { status: string } }[];
          note(event?.data.status ?? "");
          return new Response(null, { status: ran.length === 1 ? 500 : 200 });
        },
      });
      await sandbox.documents.create({ status: "document.draft" });
      await sandbox.clock.settle();
      for (const s of [30, 59, 61]) setTimeout(() => note("client"), s * 1000);

      // The client's timers move the clock: the sandbox's retry after a minute runs between them.
      await kit.advance(60_000);
      await sandbox.clock.settle();
      expect(ran).toEqual(["document.draft 0 0", shown(30, 60), shown(59, 60), "document.draft 60 60"]);
      expect(inbox.received.length).toBe(1);

      // The sandbox's clock moves the client's timers.
      await sandbox.clock.advance("2s");
      expect(ran.at(-1)).toBe(shown(61, 62));
      expect([sandbox.clock.now(), Date.now()]).toEqual([START + 62_000, START + 62_000]);
      await sandbox.clock.advance({ until: "next" });
      expect(Date.now()).toBe(sandbox.clock.now());
      expect(() => sandbox.clock.follow(fakes)).toThrow("follows fake timers already");

      stop();
      const stood = sandbox.clock.now();
      await kit.advance(1000);
      expect(sandbox.clock.now()).toBe(stood);
    });
  });
}
