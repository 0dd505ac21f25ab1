/** VitePress's settings. docs/site/build.ts writes the pages and calls VitePress. */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { getOrMake } from "../../src/engine/core/maps.ts";
import { sections } from "./sections.ts";
import { themeChanges } from "./theme-changes.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** Highlighted blocks. VitePress renders each page twice: for its program and for the search. */
const highlighted = new Map<string, string>();

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
  vite: { plugins: [themeChanges()] },
  markdown: {
    // Angle brackets in a page are text.
    html: false,
    lineNumbers: false,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(md) {
      const { highlight } = md.options;
      md.options.highlight = (...block) => getOrMake(highlighted, JSON.stringify(block), () => highlight?.(...block) ?? "");
      md.inline.ruler.before("text", "break", (state, silent) => {
        if (!state.src.startsWith("<br>", state.pos)) return false;
        if (!silent) state.push("hardbreak", "br", 0);
        state.pos += "<br>".length;
        return true;
      });
      // `{{ }}` in a page is text, not a template.
      md.core.ruler.push("braces", (state) => {
        for (const token of state.tokens)
          for (const child of token.children ?? []) child.content = child.content.replaceAll("{{", "{\u200b{");
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Troubleshooting", link: "/guides/troubleshooting" },
      { text: version, link: "/changelog" },
    ],
    sidebar: sections().map(({ title, pages, isFolded }) => ({
      text: title,
      collapsed: isFolded ?? false,
      items: pages.map(([path, text]) => ({ text, link: `/${path.replace(/(?<=^|\/)index$/, "")}` })),
    })),
    footer: { message: `docdouble ${version}. Not affiliated with PandaDoc.` },
  },
});
