import type { BreakWriter } from "./break-writer.ts";
import type { JudgeOptions } from "./judge.ts";
import type { Matches } from "./patterns.ts";
import type { Runs } from "./runs.ts";
import type { Shard } from "./shard.ts";

export interface SearchSettings {
  runs: Runs;
  seed: string;
  judge: Omit<JudgeOptions, "isSteady">;
  only: Matches | undefined;
  skip: Matches | undefined;
  triesImpossible: boolean;
  triesPairs: boolean;
  reduces: boolean;
  chosenReadings: ReadonlySet<string>;
  out: string | undefined;
  shard: Shard | undefined;
  breakWriter: BreakWriter;
}
