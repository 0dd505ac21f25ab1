/** Checks the accessibility of each page of the documentation site. The suite checks only its first page. */
import { beforeAll, expect, test } from "vitest";
import { ensureSite } from "../../docs/site/build.ts";
import { sections } from "../../docs/site/sections.ts";
import { testWorld } from "../support/world.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../web/browser.ts";

useBrowser();
beforeAll(ensureSite, 240_000);

const pages = sections().flatMap((section) => section.pages.map(([path]) => path.replace(/(?<=^|\/)index$/, "")));

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
    for (const path of paths) {
      await page.goto(`${world.sandbox.url}/docs/${path}`);
      await expectNoSideScroll(page);
      await expectAccessible(page);
    }
  },
);
