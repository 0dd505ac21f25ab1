import type { Block } from "./blocks.ts";
import { wrap } from "./line-breaks.ts";
import { LIMITS, requireAtMost } from "./limits.ts";
import type { Face } from "./pdf-fonts.ts";
import type { File, Lib, Page } from "./pdf-types.ts";
import { drawMark, type Images } from "./pdf-marks.ts";

const PAGE = { width: 612, height: 792, margin: 72 };

const HEADING_SIZES = [22, 16, 14, 12, 12, 12] as const;
const TEXT_SIZE = 11;
/** Tables with more columns become lines: a column would be narrower than 18 points. */
const COLUMNS_MAX = 26;

export class Flow {
  readonly #lib: Lib;
  readonly #file: File;
  readonly #images: Images;
  readonly #font: Face;
  #page: Page | undefined;
  #y = 0;
  #pages = 0;

  constructor(lib: Lib, file: File, images: Images, font: Face) {
    this.#lib = lib;
    this.#file = file;
    this.#images = images;
    this.#font = font;
  }

  async write(blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) {
      await this.#block(block);
      this.#y -= block.kind === "entry" || block.kind === "item" ? 3 : 10;
    }
  }

  startPage(): void {
    this.#page = undefined;
  }

  async #block(block: Block): Promise<void> {
    switch (block.kind) {
      case "heading":
        this.#y -= 6;
        return this.#lines(HEADING_SIZES[block.level - 1] ?? TEXT_SIZE, block.text);
      case "paragraph":
        return this.#lines(TEXT_SIZE, block.text);
      case "item":
        return this.#lines(TEXT_SIZE, `\u2022 ${block.text}`, 12);
      case "entry":
        return this.#lines(TEXT_SIZE, `${block.label}: ${block.value}`);
      case "table":
        for (const row of block.rows) this.#row(row);
        return;
      case "image":
        return this.#image(block);
      case "mark":
        this.#lines(9, block.label);
        return this.#mark(block.text);
    }
  }

  #pageWith(height: number): Page {
    if (!this.#page || this.#y - height < PAGE.margin) {
      requireAtMost(++this.#pages, LIMITS.pages, "pages");
      this.#page = this.#file.addPage([PAGE.width, PAGE.height]);
      this.#y = PAGE.height - PAGE.margin;
    }
    return this.#page;
  }

  #lines(size: number, text: string, indent = 0): void {
    for (const line of wrap(this.#font, size, text, PAGE.width - 2 * PAGE.margin - indent)) {
      const page = this.#pageWith(size * 1.35);
      this.#y -= size * 1.35;
      this.#font.draw(page, line, { x: PAGE.margin + indent, y: this.#y, size });
    }
  }

  #row(cells: readonly string[]): void {
    // assumed: download.narrow_columns.
    if (cells.length > COLUMNS_MAX) {
      this.#lines(10, cells.join(" | "));
      return;
    }
    const width = (PAGE.width - 2 * PAGE.margin) / Math.max(1, cells.length);
    const columns = cells.map((cell) => wrap(this.#font, 10, cell, width - 8));
    const height = Math.max(1, ...columns.map((lines) => lines.length)) * 13 + 6;
    const page = this.#pageWith(Math.min(height, PAGE.height - 2 * PAGE.margin));
    for (const [i, lines] of columns.entries())
      for (const [j, line] of lines.entries())
        this.#font.draw(page, line, { x: PAGE.margin + i * width + 4, y: this.#y - 12 - j * 13, size: 10 });
    this.#y -= height;
    const end = { x: PAGE.width - PAGE.margin, y: this.#y };
    page.drawLine({ start: { x: PAGE.margin, y: this.#y }, end, thickness: 0.5, color: this.#lib.rgb(0.7, 0.7, 0.7) });
  }

  /** Draws a pixel as a point, or smaller to fit the page. Writes the name of an image that cannot be drawn. */
  async #image(block: Extract<Block, { kind: "image" }>): Promise<void> {
    const image = await this.#images.add(block.type, block.base64);
    if (!image) return this.#lines(TEXT_SIZE, `${block.label}: ${block.value}`);
    const max = { width: PAGE.width - 2 * PAGE.margin, height: 360 };
    const scale = Math.min(1, max.width / image.width, max.height / image.height);
    const page = this.#pageWith(image.height * scale);
    this.#y -= image.height * scale;
    page.drawImage(image, { x: PAGE.margin, y: this.#y, width: image.width * scale, height: image.height * scale });
  }

  #mark(text: string): void {
    const page = this.#pageWith(44);
    this.#y -= 40;
    drawMark(page, this.#font, text, { x: PAGE.margin, y: this.#y + 6, height: 32 });
    page.drawLine({ start: { x: PAGE.margin, y: this.#y }, end: { x: PAGE.margin + 216, y: this.#y }, thickness: 0.75 });
  }
}
