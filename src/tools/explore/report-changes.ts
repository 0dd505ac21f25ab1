import type { Break, ExploreReport } from "./report.ts";

/** The client now survives the faults of `mended` breaks. The faults of `untried` breaks were not tried this time. */
export interface Changes {
  fresh: Break[];
  mended: Break[];
  untried: Break[];
  still: Break[];
}

/** Equal for the same symptom, faults and operations. Numbers of calls do not count: one more call shifts them. */
function keyOf({ symptom, faults }: Break): string {
  return `${symptom}: ${faults
    .map(({ fault, operation }) => `${operation} ${fault}`)
    .sort()
    .join()}`;
}

export function changesSince(past: readonly Break[], report: Pick<ExploreReport, "breaks" | "cells">): Changes {
  const before = new Set(past.map(keyOf));
  const now = new Set(report.breaks.map(keyOf));
  const gone = past.filter((one) => !now.has(keyOf(one)));
  return {
    fresh: report.breaks.filter((one) => !before.has(keyOf(one))),
    still: report.breaks.filter((one) => before.has(keyOf(one))),
    mended: gone.filter((one) => wasTried(one, report)),
    untried: gone.filter((one) => !wasTried(one, report)),
  };
}

function wasTried({ faults }: Break, { cells }: Pick<ExploreReport, "cells">): boolean {
  return faults.every(({ fault, operation }) =>
    cells.some(
      (cell) => cell.fault === fault && cell.operation === operation && ["survived", "warned", "broke"].includes(cell.outcome),
    ),
  );
}
