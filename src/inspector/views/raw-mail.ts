/** A stored mail as the message that a mail server would carry. */
import { iso } from "../../engine/core/clock.ts";
import type { EmailRow } from "../../service/service.ts";

const DAY_MS = 86_400_000;
/** The first day of 1970 was a Thursday. */
const DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** RFC 5322: `Mon, 02 Mar 2026 09:00:00 +0000`. */
function mailDate(instant: number): string {
  const [date = "", rest = ""] = iso(instant).split("T");
  const [year, month, day] = date.split("-");
  return `${DAYS[Math.floor(instant / DAY_MS) % 7]}, ${day} ${MONTHS[Number(month) - 1]} ${year} ${rest.slice(0, 8)} +0000`;
}

/** RFC 2047, for headers with other letters than ASCII. Line breaks in a name or subject cannot make a new header. */
function header(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?utf-8?B?${Buffer.from(line).toString("base64")}?=`;
}

function person(name: string, address: string): string {
  if (!name) return address;
  const quoted = /^[\w .-]*$/.test(name)
    ? name
    : /^[\x20-\x7e]*$/.test(name)
      ? `"${name.replace(/["\\]/g, "\\$&")}"`
      : header(name);
  return `${quoted} <${address}>`;
}

export function rawMail(mail: EmailRow): string {
  const { id, from, to, to_name, reply_to, subject, created, text, link, kind } = mail;
  const headers = [
    `Message-ID: <${id}@docdouble>`,
    `Date: ${mailDate(created)}`,
    `From: ${person(from.name, from.email)}`,
    `To: ${person(to_name ?? "", to)}`,
    ...(reply_to ? [`Reply-To: ${header(reply_to)}`] : []),
    `Subject: ${header(subject)}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    `X-Docdouble-Kind: ${kind}`,
  ];
  return [headers.join("\n"), text, ...(link ? [link] : [])].join("\n\n");
}

/** Every address in the mail, in order and once. */
export function linksIn({ text, link }: EmailRow): string[] {
  const found = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return [...new Set([...found, ...(link ? [link] : [])])];
}
