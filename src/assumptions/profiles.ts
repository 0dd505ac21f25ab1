import { type Assume, SWITCH_IDS, switchOf } from "./switches.ts";

/** `strict` refuses what the real service may refuse. `lenient` accepts what it may accept. */
export const PROFILES = ["default", "strict", "lenient"] as const;
export type Profile = (typeof PROFILES)[number];

export function assumeOf(profile: Profile): Assume {
  if (profile === "default") return {};
  return Object.fromEntries(
    SWITCH_IDS.flatMap((id) => {
      const reading = switchOf(id)[profile];
      return reading === undefined ? [] : [[id, reading]];
    }),
  );
}
