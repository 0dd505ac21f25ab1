/** Transitions as data: for each trigger, the statuses it is allowed in and the status it leads to. */
export type TransitionTable<Status extends string, Trigger extends string> = {
  readonly [T in Trigger]: { readonly from: readonly Status[]; readonly to: Status };
};

/** The status that `trigger` leads to; undefined when `status` does not allow it. */
export function next<Status extends string, Trigger extends string>(
  table: TransitionTable<Status, Trigger>,
  status: Status,
  trigger: Trigger,
): Status | undefined {
  const transition = table[trigger];
  return transition.from.includes(status) ? transition.to : undefined;
}
