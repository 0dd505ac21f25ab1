/** VitePress's settings. docs/site/build.ts writes the pages and calls VitePress. */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { SEARCH, sections } from "./sections.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

export default defineConfig({
  title: "docdouble",
  description: "A local test double for PandaDoc's public document API",
  lang: "en",
  base: "/docs/",
  cleanUrls: true,
  // A link to a missing page stops the build. VitePress does not check links to other servers.
  ignoreDeadLinks: [/^https?:/],
  // Times of files would change the archive without a change of the pages.
  lastUpdated: false,
  metaChunk: true,
  // Angle brackets in a page are text.
  markdown: { html: false, theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        detailedView: true,
        miniSearch: { searchOptions: SEARCH },
      },
    },
    outline: [2, 3],
    nav: [
      { text: "Tutorial", link: "/start/tutorial" },
      { text: "Troubleshooting", link: "/start/troubleshooting" },
    ],
    notFound: {
      title: "There is no such page",
      quote: "The address is wrong, or the page has another name now. Press / to search all pages.",
      linkLabel: "Go to the start of the documentation",
      linkText: "Start of the documentation",
    },
    sidebar: sections().map(({ title, pages }) => ({
      text: title,
      items: pages.map(([path, text]) => ({ text, link: `/${path.replace(/(?<=^|\/)index$/, "")}` })),
    })),
    footer: { message: `docdouble ${version}. Not affiliated with PandaDoc.` },
  },
});
