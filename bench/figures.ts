/** A figure beside the limit that was measured with it, and the goal that it is held against. */
export interface Figure {
  what: string;
  ours: number;
  /** What the limit is called, and its figure. */
  limit: { name: string; value: number };
  unit: string;
  /** The ratio to reach: at least for rates, at most for costs. */
  goal: { at: "least" | "most"; ratio: number };
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, ours, limit, unit, goal }) => {
    const ratio = ours / limit.value;
    const isReached = goal.at === "least" ? ratio >= goal.ratio : ratio <= goal.ratio;
    const wanted = `${goal.at === "least" ? "≥" : "≤"} ${goal.ratio}`;
    return `| ${what} | ${number(ours)} ${unit} | ${limit.name}: ${number(limit.value)} | ${ratio.toFixed(2)} | ${wanted} | ${isReached ? "reached" : "not reached"} |`;
  });
  return ["| what | docdouble | beside | ratio | goal | result |", "|---|---|---|---|---|---|", ...rows].join("\n");
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2);
}
