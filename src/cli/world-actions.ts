import type { RemoteFlags } from "../tools/remote/server.ts";

export const WORLD_ACTIONS = ["save", "load", "show"] as const;
export type WorldAction = (typeof WORLD_ACTIONS)[number];

export interface WorldFlags extends RemoteFlags {
  port?: number;
  open?: boolean;
}
