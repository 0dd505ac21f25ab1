/** Every story of the probe, each against every hostile service, and each ended at every call. The suite runs a few of them. */
import { expect, test } from "vitest";
import { storiesFor } from "../../src/tools/probe/stories/index.ts";
import { HOSTILITIES, hostileAccount, unnamed } from "../support/hostile-account.ts";
import { SANDBOX_KEY } from "../support/world.ts";
import { isLong, TIMEOUT_MS } from "./run.ts";

/** Its hundred calls change nothing. */
const READS = "rate_limit.profile";
const ALL = [...storiesFor(SANDBOX_KEY).keys()].filter((one) => one !== READS);
/** The suite runs one story here. `test/tools/probe` runs others. */
const STORIES = isLong ? ALL : ALL.filter((_, i) => i === 7);

test.each(Object.entries(HOSTILITIES))(
  "each story changes nothing of the owner when the service %s",
  async (_, hostility) => {
    const account = await hostileAccount();
    const before = account.owned();
    for (const story of STORIES) {
      await account.reset();
      const { report } = await account.probe([story], hostility);
      expect(account.owned(), story).toEqual(before);
      expect(unnamed(account.left(), report?.left_behind), story).toEqual([]);
    }
  },
  TIMEOUT_MS * 5,
);

test(
  "each story that ends at any call leaves nothing after a cleanup with its journal",
  async () => {
    const account = await hostileAccount();
    const before = account.owned();
    for (const story of STORIES) {
      await account.reset();
      const { calls } = await account.probe([story]);
      for (let nth = 1; nth <= calls; nth++) {
        for (const isAfter of [false, true]) {
          await account.reset();
          const { lines } = await account.probe([story], undefined, { nth, isAfter });
          if (lines.length > 0) await account.clean(lines);
          const place = `${story}, call ${nth}, ${isAfter ? "after" : "before"} it`;
          expect(account.owned(), place).toEqual(before);
          expect(account.left(), place).toEqual([]);
        }
      }
    }
  },
  TIMEOUT_MS * 10,
);
