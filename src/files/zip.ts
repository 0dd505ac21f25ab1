/** Packs files into a zip. */

/** Zip files know no time before this. */
const OLDEST = 315_705_600_000;

/** The same files and date give the same bytes. */
export async function writeZip(files: Record<string, Uint8Array>, date: number): Promise<Uint8Array> {
  const { zipSync } = await import("fflate");
  return zipSync(files, { mtime: Math.max(OLDEST, date) });
}
