/**
 * Takes a screenshot of every page at three widths, light and dark, into `screenshots/`. `npm run screenshots -- document clock`
 * takes the pages of these names only. `--width 390,1280` chooses other widths, `--scheme dark` one scheme.
 */
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { launchBrowser } from "../../test/support/chromium.ts";
import { busyWorld } from "./world.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { width: { type: "string" }, scheme: { type: "string" }, out: { type: "string", default: "screenshots" } },
});
const WIDTHS = values.width === undefined ? [390, 1024, 1920] : values.width.split(",").map(Number);
const SCHEMES = (["light", "dark"] as const).filter((scheme) => values.scheme === undefined || values.scheme === scheme);
/** In pixels. The screenshot of a longer page ends here. */
const HEIGHT_MAX = 3000;

const { sandbox, pages } = await busyWorld();
const browser = await launchBrowser();
mkdirSync(values.out, { recursive: true });
const chosen = pages.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const colorScheme of SCHEMES)
  for (const width of WIDTHS) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const { name, path, ready } of chosen) {
      await page.setViewportSize({ width, height: 900 });
      const answer = await page.goto(new URL(path, sandbox.url).href);
      if (answer?.status() !== 200) throw new Error(`${path} answers ${answer?.status()}`);
      if (ready !== undefined) await page.locator(ready).first().waitFor();
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      await page.setViewportSize({ width, height: Math.min(Math.max(height, 900), HEIGHT_MAX) });
      await page.screenshot({ path: `${values.out}/${name}-${width}-${colorScheme}.png` });
    }
    await context.close();
  }
await browser.close();
await sandbox.close();
console.log(`${chosen.length * WIDTHS.length * SCHEMES.length} screenshots in ${values.out}/`);
