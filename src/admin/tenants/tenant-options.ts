import type { Choice } from "../../assumptions/parse.ts";
import type { Fixtures } from "../../domain/seeding/inputs.ts";
import type { Settings } from "../../domain/world.ts";
import type { AutoSettings } from "../../engine/auto-time.ts";
import type { JournalSpace } from "../../engine/journal.ts";
import type { Scenario } from "../../scenario/load.ts";
import type { StoreData, WriteLog } from "../../store/store.ts";
import type { ClockStart } from "./snapshot.ts";

export interface TenantOptions {
  id: string;
  seed: string;
  data: StoreData;
  settings: Settings;
  assume?: Choice;
  clock: ClockStart;
  auto?: AutoSettings;
  fixtures: Fixtures;
  scenarios: readonly Scenario[];
  savedState?: unknown;
  freeze?: boolean;
  onChange?: () => void;
  log?: WriteLog;
  onError: (error: unknown) => void;
  journals?: JournalSpace;
}

export const PARTS = ["state", "journal", "rules", "clock", "webhooks", "emails"] as const;
export type Part = (typeof PARTS)[number];
