/** VitePress's settings. docs/site/build.ts writes the pages and calls VitePress. */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { getOrMake } from "../../src/engine/core/maps.ts";
import { withSearchWords } from "./search.ts";
import { sections } from "./sections.ts";
import { themeChanges } from "./theme-changes.ts";
import { isBreakable, wholeWords } from "./whole-words.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** Pages of the server that serves this site. */
const SERVER = [
  ["Server", "/"],
  ["Inspector", "/__admin/"],
  ["Reference", "/reference"],
] as const;

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
      md.options.highlight = (...block) =>
        getOrMake(highlighted, JSON.stringify(block), () => wholeWords(highlight?.(...block) ?? ""));
      md.inline.ruler.before("text", "break", (state, silent) => {
        if (!state.src.startsWith("<br>", state.pos)) return false;
        if (!silent) state.push("hardbreak", "br", 0);
        state.pos += "<br>".length;
        return true;
      });
      // `{{ }}` in a page is text, not a template.
      md.core.ruler.push("braces", (state) => {
        for (const child of state.tokens.flatMap((token) => token.children ?? [])) {
          child.content = child.content.replaceAll("{{", "{\u200b{");
          if (child.type === "code_inline" && !/\s/.test(child.content) && isBreakable(child.content))
            child.attrSet("class", "whole");
        }
      });
    },
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        detailedView: true,
        _render(text, env, md) {
          const html = md.render(text, env);
          return env.frontmatter?.search === false ? "" : withSearchWords(env.relativePath.replace(/\.md$/, ""), html);
        },
      },
    },
    outline: [2, 3],
    siteTitle: '<span class="mark" aria-hidden="true">◧</span>docdouble',
    nav: [
      ...SERVER.map(([text, path]) => ({ text, link: `pathname://${path}`, target: "_self", noIcon: true })),
      { text: "Tutorial", link: "/tutorial" },
      { text: "Troubleshooting", link: "/guides/troubleshooting" },
      { text: "Changes", link: "/changelog" },
    ],
    notFound: {
      title: "There is no such page",
      quote: "The address is wrong, or the page has another name now. Press / to search all pages.",
      linkLabel: "Go to the start of the documentation",
      linkText: "Start of the documentation",
    },
    sidebar: sections().map(({ title, pages, isFolded }) => ({
      text: title,
      collapsed: isFolded ?? false,
      items: pages.map(([path, text]) => ({ text, link: `/${path.replace(/(?<=^|\/)index$/, "")}` })),
    })),
    footer: { message: `docdouble ${version}. Not affiliated with PandaDoc.` },
  },
});
