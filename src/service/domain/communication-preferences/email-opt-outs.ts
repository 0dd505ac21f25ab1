import type { World } from "../../model/world.ts";

export function setEmailOptOut(world: World, email: string, optOut: boolean): void {
  const id = email.toLowerCase();
  if (optOut) world.store.email_opt_outs.put({ id, changed_at: world.clock.now() });
  else world.store.email_opt_outs.delete(id);
}

export function hasOptedOutOfEmail(world: World, email: string): boolean {
  return world.store.email_opt_outs.get(email.toLowerCase()) !== undefined;
}
