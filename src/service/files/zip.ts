const OLDEST = 315_705_600_000;

/** The same input gives the same bytes. */
export async function writeZip(files: Record<string, Uint8Array>, date: number): Promise<Uint8Array> {
  const { zipSync } = await import("fflate");
  return zipSync(files, { mtime: Math.max(OLDEST, date) });
}
