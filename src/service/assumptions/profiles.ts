import type { Profile } from "./profile-names.ts";
import { type Assume, SWITCH_IDS, switchOf } from "./switches.ts";

export function assumeOf(profile: Profile): Assume {
  if (profile === "default") return {};
  return Object.fromEntries(
    SWITCH_IDS.flatMap((id) => {
      const reading = switchOf(id)[profile];
      return reading === undefined ? [] : [[id, reading]];
    }),
  );
}
