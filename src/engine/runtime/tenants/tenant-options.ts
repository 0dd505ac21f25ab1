import type { Choice } from "../../../service/assumptions/parse.ts";
import type { Fixtures } from "../../../service/model/world/inputs.ts";
import type { Settings } from "../../../service/model/world.ts";
import type { AutoSettings } from "../../jobs/auto-time.ts";
import type { JournalSpace } from "../../journal/journal.ts";
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
