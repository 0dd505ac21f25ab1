/**
 * A document's text as a list of blocks: what PDF, DOCX, Markdown and plain text are all written from, and what
 * Markdown and DOCX files are read into.
 */

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3 | 4 | 5 | 6; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "item"; text: string; ordered: boolean }
  /** The first row is the head. */
  | { kind: "table"; rows: string[][] }
  /** A label with its value. */
  | { kind: "entry"; label: string; value: string }
  /** Drawn where files can; its value says where it came from. */
  | {
      kind: "image";
      label: string;
      value: string;
      type: "image/png" | "image/jpeg";
      base64: string;
      width: number;
      height: number;
    }
  /** Somebody's mark: a name, or a PNG as a data URL. */
  | { kind: "mark"; label: string; text: string; png: string | null };

/** Plain text, a blank line between blocks. */
export function toPlainText(blocks: readonly Block[]): string {
  return join(blocks, (block) => {
    switch (block.kind) {
      case "table":
        return block.rows.map((row) => row.join("\t")).join("\n");
      case "entry":
      case "image":
        return `${block.label}: ${block.value}`;
      case "mark":
        return `${block.label}: ${markText(block)}`;
      case "item":
        return `- ${block.text}`;
      default:
        return block.text;
    }
  });
}

export function toMarkdown(blocks: readonly Block[]): string {
  return join(blocks, (block) => {
    switch (block.kind) {
      case "heading":
        return `${"#".repeat(block.level)} ${block.text}`;
      case "item":
        return `${block.ordered ? "1." : "-"} ${block.text}`;
      case "table":
        return block.rows
          .map((row) => `| ${row.map((cell) => cell.replace(/\|/g, "\\|")).join(" | ")} |`)
          .toSpliced(1, 0, `|${" --- |".repeat(block.rows[0]?.length ?? 1)}`)
          .join("\n");
      case "entry":
      case "image":
        return `**${block.label}:** ${block.value}`;
      case "mark":
        return `**${block.label}:** *${markText(block)}*`;
      default:
        return block.text;
    }
  });
}

function markText(mark: Extract<Block, { kind: "mark" }>): string {
  return mark.text || (mark.png ? "(drawn)" : "");
}

function join(blocks: readonly Block[], write: (block: Block) => string): string {
  let text = "";
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1];
    const isClose = before?.kind === block.kind && (block.kind === "item" || block.kind === "entry");
    text += (i === 0 ? "" : isClose ? "\n" : "\n\n") + write(block);
  }
  return text;
}

/** Headings, paragraphs, lists and tables of a Markdown text. Marks inside a line (bold, links, code) are taken away. */
export function parseMarkdown(markdown: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: plain(paragraph.join(" ")) });
    paragraph = [];
  };
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] as string).trim();
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^(?:[-*+]|(\d+)[.)])\s+(.*)$/.exec(line);
    const next = lines[i + 1]?.trim() ?? "";
    if (line === "") flush();
    else if (heading) {
      flush();
      blocks.push({ kind: "heading", level: heading[1]?.length as 1, text: plain(withoutMarks(heading[2] as string)) });
    } else if (paragraph.length > 0 && /^(=+|-+)$/.test(line)) {
      const text = plain(paragraph.join(" "));
      paragraph = [];
      blocks.push({ kind: "heading", level: line.startsWith("=") ? 1 : 2, text });
    } else if (/^([-*_])(\s*\1){2,}$/.test(line)) flush();
    else if (item) {
      flush();
      blocks.push({ kind: "item", text: plain(item[2] as string), ordered: item[1] !== undefined });
    } else if (line.includes("|") && /^[\s:|-]+$/.test(next) && next.includes("-")) {
      flush();
      const rows = [cells(line)];
      for (i += 2; i < lines.length && lines[i]?.includes("|"); i++) rows.push(cells(lines[i] as string));
      i--;
      blocks.push({ kind: "table", rows });
    } else paragraph.push(line.replace(/^>\s?/, ""));
  }
  flush();
  return blocks;
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.replace(/\\\|/g, "|").trim()));
}

/** A heading may end as it begins: `## Terms ##`. */
function withoutMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text.slice(0, end).trimEnd();
}

/** Marks are looked for in lines that somebody writes by hand: looking takes the square of their length. */
const MARKED_MAX = 2000;

function plain(text: string): string {
  if (text.length > MARKED_MAX) return text;
  return text
    .replace(/!?\[([^\]]*)\]\((?:[^()\s]+)(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/`([^`]+)`/g, "$1")
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, "$1")
    .replace(/(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)/g, "$1")
    .replace(/\\([\\`*_{}[\]()#+\-.!|>])/g, "$1");
}
