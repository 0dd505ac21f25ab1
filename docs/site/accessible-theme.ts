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
];

/**
 * A Vite plugin that changes the attributes of two components of VitePress, because the accessibility checker refuses them. The build
 * stops when VitePress no longer has one of these attributes.
 */
export function accessibleTheme() {
  return {
    name: "accessible-theme",
    enforce: "pre" as const,
    transform(code: string, id: string): string | undefined {
      const changes = CHANGES.filter(({ component }) => id.endsWith(component));
      if (changes.length === 0) return undefined;
      return changes.reduce((text, { component, from, to }) => {
        if (!text.includes(from)) throw new Error(`VitePress changed ${component}: update docs/site/accessible-theme.ts`);
        return text.replace(from, to);
      }, code);
    },
  };
}
