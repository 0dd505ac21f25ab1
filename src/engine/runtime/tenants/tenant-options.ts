import type { Choice } from "../../assumptions/switches.ts";
import type { Inspection } from "../inspection.ts";
import type { Service } from "../service.ts";
import type { Settings } from "../world.ts";
import type { AutoSettings } from "../../jobs/auto-time.ts";
import type { Scenario } from "../../scenario/load.ts";
import type { StoreData, WriteLog } from "../../store/store.ts";
import type { ClockStart } from "./snapshot.ts";
import type { Kept } from "./tenant-persistence.ts";

export interface TenantOptions {
  id: string;
  seed: string;
  /** The rows, which the store changes in place. */
  data: StoreData;
  settings: Settings;
  assume?: Choice;
  clock: ClockStart;
  auto?: AutoSettings;
  service: Service;
  inspection: Inspection;
  fixtures: object;
  scenarios: readonly Scenario[];
  /** What the data file kept beside the rows. */
  kept?: Kept;
  freeze?: boolean;
  onChange?: () => void;
  log?: WriteLog;
  onError: (error: unknown) => void;
  /** The highest number of entries in the journal. */
  journalMax?: number | undefined;
}
