/** A callback of the user may be an async function. What it throws, and what its promise rejects with, reaches `report`. */
export function reporting<Args extends unknown[]>(
  callback: (...args: Args) => unknown,
  report: (error: unknown) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = callback(...args);
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  };
}
