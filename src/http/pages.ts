/** The signing page's routes. They carry no key: a session, a link or a file finds its tenant by its id. */
import type { Context } from "hono";
import { ApiError } from "../core/errors.ts";
import { findTenant, type Host } from "../control/host.ts";
import { hostOf } from "./env.ts";
import type { Tenant } from "../control/tenant.ts";
import { comment, forward, handIn, review } from "../domain/session-acts.ts";
import {
  checkBeforeSign,
  fillEach,
  finish,
  followLink,
  lookAt,
  openSession,
  sendCode,
  type Sight,
  type VerificationKind,
  verify,
  worldOf,
} from "../domain/sessions.ts";
import { act, decline } from "../domain/signing.ts";
import type { World } from "../domain/world.ts";
import { DRAWING } from "../web/drawing-script.ts";
import { readForm, type Submitted } from "../web/form.ts";
import { type Html, html, pageBytes } from "../web/html.ts";
import { imageUrls } from "../web/images.ts";
import { SCRIPT } from "../web/signing-script.ts";
import { STYLE } from "../web/signing-style.ts";
import { message, signingPage, type Turn } from "../web/signing.ts";
import { readBytes } from "./bodies.ts";
import { hashSource, sendAsset, sendImage } from "./page-assets.ts";

export interface PageRoute {
  method: string;
  path: string;
  run(context: Context): Promise<Response>;
}

export function pageRoutes(): PageRoute[] {
  const guard = (run: (context: Context) => Response | Promise<Response>) => async (context: Context) => {
    try {
      return await run(context);
    } catch (error) {
      hostOf(context).onBug(error);
      return page(
        html`<!doctype html><html lang="en"><title>docdouble failed</title><h1>docdouble failed</h1><p>This is a bug in docdouble.</p></html>`,
        500,
      );
    }
  };
  return [
    { method: "GET", path: "/s/:session", run: guard((context) => show(hostOf(context), context)) },
    { method: "POST", path: "/s/:session", run: guard((context) => submit(hostOf(context), context)) },
    { method: "GET", path: "/document/:token", run: guard((context) => follow(hostOf(context), context)) },
    { method: "GET", path: "/s/assets/:name", run: guard(asset) },
    { method: "GET", path: "/s/:session/images/:index", run: guard((context) => image(hostOf(context), context)) },
    { method: "GET", path: "/files/:id/:name", run: guard((context) => file(hostOf(context), context)) },
  ];
}

function tenantOfSession(host: Host, id: string): Tenant {
  return findTenant(host, (tenant) => tenant.store.sessions.get(id))?.tenant ?? host.defaultTenant;
}

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": [
    "default-src 'none'",
    "img-src data: 'self'",
    `style-src ${hashSource(STYLE)}`,
    // The page's own two scripts; from elsewhere nothing but the PDF reader, which reads the document's own file.
    `script-src ${hashSource(SCRIPT)} ${hashSource(DRAWING)} 'self'`,
    "worker-src 'self'",
    "connect-src 'self'",
    // The letters that come with a PDF.
    "font-src data:",
    "base-uri 'none'",
    // Everybody may embed it: that is what it is for.
    "frame-ancestors *",
  ].join("; "),
};

function page(content: Html, status = 200): Response {
  return new Response(pageBytes(content) as Uint8Array<ArrayBuffer>, { status, headers: HEADERS });
}

function statusOf(sight: Sight): number {
  if (sight.is !== "stopped") return 200;
  return sight.why === "unknown" ? 404 : sight.why === "session_expired" ? 410 : 200;
}

/** What the page says after an act that led back to it. */
const SAID: Readonly<Record<string, string>> = {
  save: "Saved. You can come back with the same link.",
  comment: "Your comment was added.",
  forward: "Forwarded.",
  pay: "Thank you, the payment has arrived.",
  pay_fail: "The payment failed. You can try again.",
  verify: "Thank you, that was right.",
  send_code: "The code is on its way.",
};

function show(host: Host, context: Context): Response {
  const id = context.req.param("session") ?? "";
  const tenant = tenantOfSession(host, id);
  const sight = tenant.store.transaction(() => openSession(tenant.world, id));
  const notice = SAID[context.req.query("said") ?? ""];
  return page(signingPage(tenant.world, sight, { notice }), statusOf(sight));
}

/** Follows a recipient's shared link. Looking for a session of it is the default tenant's error when nobody knows it. */
function follow(host: Host, context: Context): Response {
  const token = context.req.param("token") ?? "";
  const hit = findTenant(host, (tenant) => tenant.store.transaction(() => followLink(tenant.world, token)));
  if (!hit) return unknown(host);
  if ("session" in hit.found) return redirect(`/s/${hit.found.session}/`);
  return page(signingPage(hit.tenant.world, hit.found), statusOf(hit.found));
}

function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

function file(host: Host, context: Context): Response {
  const hit = findTenant(host, (tenant) => tenant.store.files.get(context.req.param("id") ?? ""));
  if (!hit) return unknown(host);
  const { name, type, base64 } = hit.found;
  return new Response(Buffer.from(base64, "base64"), {
    headers: {
      "content-type": type || "application/octet-stream",
      // Somebody else's file: never run as a page of ours.
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      "x-content-type-options": "nosniff",
    },
  });
}

function unknown(host: Host): Response {
  return page(signingPage(host.defaultTenant.world, { is: "stopped", why: "unknown" }), 404);
}

async function asset(context: Context): Promise<Response> {
  return (await sendAsset(context.req.param("name") ?? "")) ?? unknown(hostOf(context));
}

/** An image of the document that the session shows. */
async function image(host: Host, context: Context): Promise<Response> {
  const id = context.req.param("session") ?? "";
  const sight = lookAt(tenantOfSession(host, id).world, id);
  const url = sight.is === "open" ? imageUrls(sight.document)[Number(context.req.param("index"))] : undefined;
  const found = url !== undefined && /^https?:/i.test(url) ? await sendImage(url) : undefined;
  return found ?? new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
}

/** What an act led to: a page of its own, another place, or back to the document with a word about it. */
type Result = { turn: Turn; status: number; check?: VerificationKind } | { location: string } | { said: string };

async function submit(host: Host, context: Context): Promise<Response> {
  const id = context.req.param("session") ?? "";
  const tenant = tenantOfSession(host, id);
  const form = await formOf(context.req.raw);
  const before = lookAt(tenant.world, id);
  if (!form) return page(signingPage(tenant.world, before, { refusal: "The form could not be read." }), 400);
  if (before.is === "stopped") {
    const sent = refusalMessage(before, String(form.get("act")), "The document cannot be finished any more.");
    return page(signingPage(tenant.world, before, { message: sent }), statusOf(before));
  }
  const submitted = await readForm(form, before.document, before.recipient);
  const isEmbedded = context.req.header("sec-fetch-dest") === "iframe" || submitted.texts.embedded === "1";
  const world = worldOf(tenant.world, before.document);
  const result = attempt(tenant, () => carryOut(world, id, submitted, isEmbedded), submitted.act);
  if ("location" in result) return redirect(result.location);
  if ("said" in result) return redirect(`/s/${id}/?said=${result.said}`);
  const after = lookAt(tenant.world, id);
  const sent = result.turn.message ?? refusalMessage(after, submitted.act, result.turn.refusal);
  const shown = result.check && after.is === "open" ? { ...after, is: "verify" as const, kind: result.check } : after;
  return page(signingPage(tenant.world, shown, { ...result.turn, message: sent }), Math.max(result.status, statusOf(after)));
}

async function formOf(request: Request): Promise<FormData | undefined> {
  try {
    const type = request.headers.get("content-type") ?? "";
    const bytes = await readBytes(request);
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
  } catch {
    return undefined;
  }
}

/** An act in a transaction of its own. A refusal leaves everything as it was and is said on the page. */
function attempt(tenant: Tenant, run: () => Result, name: string): Result {
  try {
    return tenant.store.transaction(run);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { turn: { refusal: sentenceOf(error) }, status: name === "finish" || error.status >= 409 ? 409 : 422 };
  }
}

function sentenceOf(error: ApiError): string {
  if (error.kind === "forbidden") return error.options.why ?? "This is not allowed.";
  if (typeof error.detail === "string") return error.detail;
  return Object.values(error.detail).flat().map(String).join(" ");
}

function refusalMessage(sight: Sight, name: string, refusal: string | undefined) {
  if (name !== "finish" || refusal === undefined) return undefined;
  if (!("document" in sight) || !sight.document || !sight.recipient) return undefined;
  return message("session_view.document.exception", sight.document, sight.recipient, { message: refusal });
}

function carryOut(world: World, id: string, submitted: Submitted, isEmbedded: boolean): Result {
  const sight = lookAt(world, id);
  if (sight.is === "stopped") return { turn: {}, status: 409 };
  const { texts } = submitted;
  if (submitted.act === "verify" || submitted.act === "send_code") return check(world, sight, submitted);
  if (sight.is === "verify") return { turn: { refusal: "Pass the check first." }, status: 403 };
  const { document, recipient } = sight;
  switch (submitted.act) {
    case "save":
    case "finish":
      return sight.mode === "fill" ? fillIn(world, sight, submitted, isEmbedded) : { said: "" };
    case "decline":
      decline(world, document, recipient, texts.reason || undefined);
      return { said: "" };
    case "comment":
      comment(world, document, recipient, texts.text);
      return { said: "comment" };
    case "suggest":
      if (!document.internal.settings.suggest_edits)
        return { turn: { refusal: "The sender takes no suggestions." }, status: 403 };
      review(world, document, recipient, texts.text ?? "");
      return { said: "" };
    case "forward": {
      const { email, first_name, last_name, reassign } = texts;
      forward(world, document, recipient, { email, first_name, last_name, reassign: reassign === "1" });
      return { said: "forward" };
    }
    case "pay":
    case "pay_fail":
      if (sight.mode !== "pay") return { turn: { refusal: "Nothing is to be paid by you." }, status: 409 };
      act(world, document.id, submitted.act, { recipient: recipient.id });
      return { said: submitted.act };
    default:
      return { turn: { refusal: "The page does not know this." }, status: 400 };
  }
}

function check(world: World, sight: Exclude<Sight, { is: "stopped" }>, { act: name, texts }: Submitted): Result {
  const kind: VerificationKind | undefined = sight.is === "verify" ? sight.kind : checkBeforeSign(sight.recipient);
  if (!kind) return { said: "" };
  if (name === "send_code") {
    if (kind === "phone" || kind === "email") sendCode(world, sight, kind);
    return sight.is === "verify" ? { said: "send_code" } : { turn: { notice: SAID.send_code }, status: 200, check: kind };
  }
  if (verify(world, sight, kind, texts.answer ?? "")) return { said: "verify" };
  return { turn: { refusal: "That was not right. Try again." }, status: 403, check: kind };
}

function fillIn(world: World, sight: Extract<Sight, { is: "open" }>, submitted: Submitted, isEmbedded: boolean): Result {
  const values = { ...submitted.values };
  for (const { field, file: given } of submitted.files) values[field.uuid] = handIn(world, field, given);
  const { document, recipient } = sight;
  const kind = checkBeforeSign(recipient);
  if (submitted.act === "save" || Object.keys(submitted.errors).length > 0 || kind) {
    const { errors: wrong } = fillEach(world, document, recipient, values);
    const errors = { ...wrong, ...submitted.errors };
    if (Object.keys(errors).length > 0) return { turn: { errors }, status: 422 };
    if (submitted.act === "save" || !kind) return { said: "save" };
    return { turn: { notice: "What you filled in is saved. Finish after this check." }, status: 200, check: kind };
  }
  const done = finish(world, sight, values);
  if (!done.finished) return { turn: { errors: done.errors }, status: 422 };
  const target = recipient.redirect;
  // Redirects do not work inside an embedding page; the message takes their place.
  if (target.is_enabled && target.url && !isEmbedded && isWebUrl(target.url)) return { location: new URL(target.url).href };
  return { turn: { message: message("session_view.document.completed", done.document, recipient) }, status: 200 };
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
