/** `strict` refuses what the real service may refuse. */
export const PROFILES = ["default", "strict"] as const;
export type Profile = (typeof PROFILES)[number];
