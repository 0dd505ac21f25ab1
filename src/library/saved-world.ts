import { createSandbox, hostOf } from "./sandbox.ts";
import type { Sandbox } from "./types.ts";

/** Opens a saved world to look at. Its clock stands, so no job runs and nothing is delivered. @throws SettingsError */
export async function openSavedWorld(world: string | Uint8Array): Promise<Sandbox> {
  const sandbox = await createSandbox({ world });
  // Only promises were awaited so far, so no timer has run.
  const { clock } = hostOf(sandbox).defaultTenant;
  clock.stop();
  clock.set({ mode: "frozen" });
  return sandbox;
}
