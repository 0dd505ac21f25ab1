import { drawableFacts } from "./images.ts";
import { LIMITS } from "./limits.ts";
import type { Face } from "./pdf-fonts.ts";
import type { File, Image, Page } from "./pdf-types.ts";
import { getOrMake } from "../../engine/core/maps.ts";

export class Images {
  readonly #file: File;
  readonly #known = new Map<string, Promise<Image | undefined>>();
  #pixels = 0;

  constructor(file: File) {
    this.#file = file;
  }

  /** Takes base64 or a data URL. Returns undefined for an unreadable image, and beyond the pixel limit. */
  add(type: "image/png" | "image/jpeg", data: string): Promise<Image | undefined> {
    return getOrMake(this.#known, data, () => this.#embed(type, data).catch(() => undefined));
  }

  async #embed(type: "image/png" | "image/jpeg", data: string): Promise<Image | undefined> {
    const bytes = Buffer.from(data.slice(data.indexOf(",") + 1), "base64");
    const facts = drawableFacts(bytes);
    if (facts?.type !== type) return undefined;
    if (type === "image/jpeg") return this.#file.embedJpg(bytes);
    const pixels = facts.width * facts.height;
    if (this.#pixels + pixels > LIMITS.pixels) return undefined;
    this.#pixels += pixels;
    return this.#file.embedPng(bytes);
  }
}

const MARK_SIZE = 20;

export function drawMark(page: Page, font: Face, value: string, box: { x: number; y: number; height: number }): void {
  const text = font.clean(value);
  const size = Math.min(MARK_SIZE, Math.max(6, box.height - 6));
  if (text !== "") font.draw(page, text, { x: box.x, y: box.y + 4, size });
}
