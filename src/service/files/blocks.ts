/**
 * A document's text as a list of blocks. docdouble writes PDF, DOCX, Markdown and plain text from blocks, and reads Markdown and DOCX
 * files into blocks.
 */

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3 | 4 | 5 | 6; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "item"; text: string; ordered: boolean }
  | { kind: "table"; rows: string[][] }
  | { kind: "entry"; label: string; value: string; isTotal?: true }
  /** Formats without pictures write `label` and `value` instead. */
  | {
      kind: "image";
      label: string;
      value: string;
      type: "image/png" | "image/jpeg";
      base64: string;
      width: number;
      height: number;
    }
  /** A signature, initials or a stamp. */
  | { kind: "mark"; label: string; text: string };

export function toPlainText(blocks: readonly Block[]): string {
  return join(blocks, (block) => {
    switch (block.kind) {
      case "table":
        return block.rows.map((row) => row.join("\t")).join("\n");
      case "entry":
      case "image":
        return `${block.label}: ${block.value}`;
      case "mark":
        return `${block.label}: ${block.text}`;
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
        return `**${block.label}:** *${block.text}*`;
      default:
        return block.text;
    }
  });
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
    } else if (isRule(line)) flush();
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

/** A group that repeats would exhaust the stack on a long line. */
function isRule(line: string): boolean {
  return /^(?:[-\s]+|[*\s]+|[_\s]+)$/.test(line) && line.replace(/\s+/g, "").length >= 3;
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.replace(/\\\|/g, "|").trim()));
}

function withoutMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text.slice(0, end).trimEnd();
}

function plain(text: string): string {
  return withoutStrong(withoutLinks(text).replace(/`([^`]+)`/g, "$1"))
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, "$1")
    .replace(/(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)/g, "$1")
    .replace(/\\([\\`*_{}[\]()#+\-.!|>])/g, "$1");
}

const ADDRESS = /\([^()\s]+(?:\s+"[^"]*")?\)/y;

function withoutLinks(text: string): string {
  let found = "";
  let done = 0;
  for (let open = text.indexOf("["); open >= 0; ) {
    const close = text.indexOf("]", open);
    if (close < 0) break;
    ADDRESS.lastIndex = close + 1;
    if (!ADDRESS.test(text)) {
      // All earlier brackets share this closing bracket, so they start no link.
      open = text.indexOf("[", close);
      continue;
    }
    const start = text[open - 1] === "!" && open > done ? open - 1 : open;
    found += text.slice(done, start) + text.slice(open + 1, close);
    done = ADDRESS.lastIndex;
    open = text.indexOf("[", done);
  }
  return found + text.slice(done);
}

function withoutStrong(text: string): string {
  if (!text.includes("**") && !text.includes("__")) return text;
  const ends = { "*": nextEnds(text, "*"), _: nextEnds(text, "_") };
  let found = "";
  for (let at = 0; at < text.length; ) {
    const mark = text[at] as string;
    const isMark = (mark === "*" || mark === "_") && text[at + 1] === mark && /\S/.test(text[at + 2] ?? " ");
    const end = isMark ? (ends[mark][at + 3] ?? -1) : -1;
    if (end < 0) {
      found += mark;
      at++;
      continue;
    }
    found += text.slice(at + 2, end);
    at = end + 2;
  }
  return found;
}

function nextEnds(text: string, mark: string): Int32Array {
  const ends = new Int32Array(text.length + 1).fill(-1);
  for (let at = text.length - 2; at > 0; at--) {
    const isEnd = text[at] === mark && text[at + 1] === mark && /\S/.test(text[at - 1] as string);
    ends[at] = isEnd ? at : (ends[at + 1] as number);
  }
  return ends;
}
