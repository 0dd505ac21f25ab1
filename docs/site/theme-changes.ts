import { readFileSync } from "node:fs";
import { SEARCH_PROGRAM } from "./search.ts";

interface Change {
  /** The end of a component's path in VitePress. */
  component: string;
  from: string;
  to: string;
}

const CHANGES: readonly Change[] = [
  {
    // The title of a section is a button already, and a button must not contain another.
    component: "/VPSidebarItem.vue",
    from: 'role="button"\n        aria-label="toggle section"',
    to: 'aria-hidden="true"',
  },
  { component: "/VPSidebarItem.vue", from: '@keydown.enter="onCaretClick"\n        tabindex="0"', to: "" },
  {
    component: "/VPSidebarItem.vue",
    from: ':role="itemRole"',
    to: ':role="itemRole"\n      :aria-expanded="item.items ? !collapsed : undefined"',
  },
  {
    // The name of the search button must contain its visible text. theme.css shows the key.
    component: "/VPNavBarSearchButton.vue",
    from: '<kbd class="DocSearch-Button-Key">K</kbd>',
    to: '<kbd class="DocSearch-Button-Key"></kbd>',
  },
  {
    component: "/VPLocalSearchBox.vue",
    from: "fuzzy: 0.2,\n          prefix: true,\n          boost: { title: 4, text: 2, titles: 1 },",
    to: `prefix: true,\n          ${SEARCH_PROGRAM}`,
  },
  {
    // A result shows the words around the first match as plain text, in place of a whole section. The language of a block is not part of it.
    component: "/VPLocalSearchBox.vue",
    from: "html += el.outerHTML",
    to: 'el.querySelectorAll(".lang").forEach((one) => one.remove()), el.querySelectorAll("td, th, li").forEach((one) => one.append(" ")), (html += el.textContent + " ")',
  },
  {
    component: "/VPLocalSearchBox.vue",
    from: "return { ...r, text }",
    to: "return { ...r, text: excerpt(text, Object.keys(r.match)) }",
  },
  {
    component: "/VPLocalSearchBox.vue",
    from: "function formMarkRegex(",
    to: `${readFileSync("docs/site/excerpt.js", "utf8").replace(/^\/\/ biome.*\n/, "")}\nfunction formMarkRegex(`,
  },
  { component: "/VPLocalSearchBox.vue", from: '<div class="vp-doc" v-html="p.text" />', to: "{{ p.text }}" },
  {
    // The box is a dialog with a list of links. A button or an option must not contain a link.
    component: "/VPLocalSearchBox.vue",
    from: `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
    to: 'role="dialog"\n      aria-modal="true"\n      :aria-label="buttonText"',
  },
  {
    component: "/VPLocalSearchBox.vue",
    from: `:role="results?.length ? 'listbox' : undefined"
          :aria-labelledby="results?.length ? 'localsearch-label' : undefined"`,
    to: "",
  },
  {
    component: "/VPLocalSearchBox.vue",
    from: `:aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    to: "",
  },
  {
    component: "/VPLocalSearchBox.vue",
    from: `:aria-activedescendant="selectedIndex > -1 ? ('localsearch-item-' + selectedIndex) : undefined"
            aria-autocomplete="both"`,
    to: "",
  },
  { component: "/VPLocalSearchBox.vue", from: `:aria-label="[...p.titles, p.title].join(' > ')"`, to: "" },
  // An excerpt begins shortly before its match, so nothing scrolls inside of it.
  { component: "/VPLocalSearchBox.vue", from: "?.scrollIntoView({ block: 'center' })", to: "" },
  ...["navigateUp", "navigateDown", "select"].map((key) => ({
    component: "/VPLocalSearchBox.vue",
    from: `<kbd :aria-label="translate('modal.footer.${key}KeyAriaLabel')">`,
    to: "<kbd>",
  })),
  { component: "/VPLocalSearchBox.vue", from: `<kbd :aria-label="translate('modal.footer.closeKeyAriaLabel')">`, to: "<kbd>" },
  // VitePress puts its base before each path. A page of the server is outside of the base.
  { component: "/VPLink.vue", from: "normalizeLink(href)", to: "normalizeLink(href).replace('pathname://', '')" },
  // Each page has one main part, also the page of an unknown address.
  { component: "/NotFound.vue", from: '<div class="NotFound">', to: '<main class="NotFound">' },
  { component: "/NotFound.vue", from: "    </div>\n  </div>\n</template>", to: "    </div>\n  </main>\n</template>" },
  { component: "/VPLocalSearchBox.vue", from: '<span class="title-icon">#</span>', to: "" },
  { component: "/VPNavBarSearch.vue", from: "  onUnmounted,\n  ref\n}", to: "  onUnmounted,\n  ref,\n  watch\n}" },
  {
    // The search box loads after the key that opens it. It must get the letters typed meanwhile.
    component: "/VPNavBarSearch.vue",
    from: "const showSearch = ref(false)",
    to: `${readFileSync("docs/site/keep-letters.js", "utf8")}\nconst showSearch = ref(false)\nwatch(showSearch, (isOpen) => isOpen && keepLetters())`,
  },
];

/**
 * A Vite plugin that changes components of VitePress: attributes that the accessibility checker refuses, the order of the search's
 * results, and lost letters. The build stops when VitePress no longer has one of these places.
 */
export function themeChanges() {
  return {
    name: "theme-changes",
    enforce: "pre" as const,
    transform(code: string, id: string): string | undefined {
      const changes = CHANGES.filter(({ component }) => id.endsWith(component));
      if (changes.length === 0) return undefined;
      return changes.reduce((text, { component, from, to }) => {
        if (!text.includes(from)) throw new Error(`VitePress changed ${component}: update docs/site/theme-changes.ts`);
        return text.replace(from, to);
      }, code);
    },
  };
}
