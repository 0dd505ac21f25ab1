export type TransitionTable<Status extends string, Trigger extends string> = {
  readonly [T in Trigger]: { readonly from: readonly Status[]; readonly to: Status };
};

export function next<Status extends string, Trigger extends string>(
  table: TransitionTable<Status, Trigger>,
  status: Status,
  trigger: Trigger,
): Status | undefined {
  const transition = table[trigger];
  return transition.from.includes(status) ? transition.to : undefined;
}
