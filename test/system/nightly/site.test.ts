/** Checks the accessibility of each page of the documentation site. The suite checks only its first page. */
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { ensureSite } from "../../../docs/site/build.ts";
import { sections } from "../../../docs/site/sections.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";

useBrowser();
beforeAll(ensureSite, 240_000);

const pages = sections().flatMap((section) => section.pages.map(([path]) => path.replace(/(?<=^|\/)index$/, "")));

/** Opens a page of the site as a click on a link does: the site and the accessibility checker stay loaded. Waits until it is drawn. */
async function follow(page: Page, url: string): Promise<void> {
  const title = /<title>(.*?)<\/title>/.exec(await (await fetch(url)).text())?.[1];
  expect(title, url).toBeDefined();
  await page.evaluate(
    `(() => {
      const link = document.body.appendChild(document.createElement("a"));
      link.href = ${JSON.stringify(url)};
      link.click();
      link.remove();
    })()`,
  );
  const shown = `new DOMParser().parseFromString(${JSON.stringify(title)}, "text/html").body.textContent`;
  // The policy of the site forbids `waitForFunction`.
  await page.evaluate(
    `new Promise((done) => {
      const look = () => {
        const isShown = location.href === ${JSON.stringify(url)} && document.title === ${shown};
        requestAnimationFrame(isShown ? () => requestAnimationFrame(done) : look);
      };
      look();
    })`,
  );
}

test.each([
  // All pages with their structure and light colors. Pages that show all elements of the theme also with dark colors.
  { colorScheme: "light", width: 1280, paths: pages },
  { colorScheme: "dark", width: 390, paths: ["", "tutorial", "guides/test-runners", "languages", "limits", "scenarios"] },
] as const)(
  "in $colorScheme at $width px the accessibility checker finds nothing, and nothing scrolls sideways",
  async ({ colorScheme, width, paths }) => {
    expect(paths.filter((path) => !pages.includes(path))).toEqual([]);
    const world = await testWorld({ port: 0 });
    const page = await aPage({ colorScheme, viewport: { width, height: 844 } });
    await page.goto(`${world.sandbox.url}/docs/${paths[0]}`);
    for (const path of paths) {
      await follow(page, `${world.sandbox.url}/docs/${path}`);
      await expectNoSideScroll(page);
      await expectAccessible(page);
    }
  },
);
