import { readFileSync } from "node:fs";
import { rankOf } from "./ranks.ts";

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
    // The name of the search button must contain its visible text. accessible.css shows the key.
    component: "/VPNavBarSearchButton.vue",
    from: '<kbd class="DocSearch-Button-Key">K</kbd>',
    to: '<kbd class="DocSearch-Button-Key"></kbd>',
  },
  {
    component: "/VPLocalSearchBox.vue",
    from: "boost: { title: 4, text: 2, titles: 1 },",
    to: `boost: { title: 4, text: 2, titles: 1 },\n          boostDocument: ${rankOf},`,
  },
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
