/** A figure of docdouble, the limit that it is compared with, and the goal for their ratio. */
export interface Figure {
  what: string;
  ours: number;
  /** The figure of another server from the same run, or a fixed number. */
  limit: { name: string; value: number };
  unit: string;
  /** The goal for `ours` divided by the limit: `least` for rates, `most` for costs. */
  goal: { at: "least" | "most"; ratio: number };
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, ours, limit, unit, goal }) => {
    const ratio = ours / limit.value;
    const isReached = goal.at === "least" ? ratio >= goal.ratio : ratio <= goal.ratio;
    const wanted = `${goal.at === "least" ? "≥" : "≤"} ${goal.ratio}`;
    return `| ${what} | ${number(ours)} ${unit} | ${limit.name}: ${number(limit.value)} | ${ratio.toFixed(2)} | ${wanted} | ${isReached ? "reached" : "not reached"} |`;
  });
  return ["| what | docdouble | compared with | ratio | goal | result |", "|---|---|---|---|---|---|", ...rows].join("\n");
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2);
}
