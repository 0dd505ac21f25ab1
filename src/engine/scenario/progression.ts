/** How an asynchronous step of the service advances. */
export type Progression =
  | { progression: "time"; seconds?: number }
  | { progression: "immediate" }
  | { progression: "polls"; times: number }
  | { progression: "manual" }
  | { progression: "fail"; seconds?: number; detail?: string };
