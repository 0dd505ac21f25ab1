/** `strict` refuses what the real service may refuse. `lenient` accepts what it may accept. */
export const PROFILES = ["default", "strict", "lenient"] as const;
export type Profile = (typeof PROFILES)[number];
