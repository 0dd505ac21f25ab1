/** Rejects when the signal aborts, as fetch does. The call itself continues. */
export function abortOf(signal: AbortSignal): { promise: Promise<never>; forget(): void } {
  let forget = () => {};
  const promise = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    forget = () => signal.removeEventListener("abort", abort);
  });
  return { promise, forget };
}
