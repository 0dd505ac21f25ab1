import type { Context } from "hono";
import { ApiError } from "../../engine/core/errors.ts";
import { comment, decline, forward, review, storeFieldFile } from "../nouns/signing/participant-acts.ts";
import type { BlockReason, SessionView } from "../nouns/signing/sessions.ts";
import { countWrongCode, fillValid, finish, isLocked, sendCode, viewSession, worldOf } from "../nouns/signing/sessions.ts";
import { act } from "../nouns/signing/acts.ts";
import type { VerificationKind } from "../nouns/documents/transitions.ts";
import { pendingCheck, verify } from "../nouns/documents/transitions.ts";
import type { World } from "../kit/world.ts";
import { readForm, type Submitted } from "./signing/form.ts";
import { type Messages, message } from "./signing/session-messages.ts";
import { signingPage, type Turn } from "./signing/page.ts";
import type { PageCall } from "./page-call.ts";
import { page, redirect, ACT_NOTICES, statusOf, WHY_STOPPED } from "./page-answers.ts";

type Result =
  | { turn: Turn; status: number; check?: VerificationKind }
  | { location: string }
  | { noticeOf: string }
  | { over: BlockReason };

export async function submit({ context, tenant, bytes, entry }: PageCall, id: string): Promise<Response> {
  const form = await formOf(context.req.header("content-type"), bytes);
  const before = viewSession(tenant.world, id);
  if (!form) return page(signingPage(tenant.world, before, { refusal: "The form could not be read." }), 400);
  if (before.is === "stopped") {
    const messages = refusalMessages(tenant.world, before, String(form.get("act")));
    return page(signingPage(tenant.world, before, { messages }), statusOf(before), WHY_STOPPED[before.why]);
  }
  const submitted = await readForm(form, before.document, before.recipient);
  const isEmbedded = context.req.header("sec-fetch-dest") === "iframe" || submitted.texts.embedded === "1";
  const world = worldOf(tenant.world, before.document);
  const carry = () => attempt(tenant, () => carryOut(world, id, submitted, isEmbedded), submitted.act);
  const result = tenant.journal.during(entry.id, carry);
  if ("location" in result) return redirect(result.location);
  if ("noticeOf" in result) return redirect(`/s/${id}/?notice=${result.noticeOf}`);
  if ("over" in result) return page(signingPage(tenant.world, { ...before, is: "stopped", why: result.over }), 200);
  const after = viewSession(tenant.world, id);
  const { refusal } = result.turn;
  const refused = refusal === undefined ? undefined : refusalMessages(tenant.world, after, submitted.act);
  const messages = result.turn.messages ?? refused;
  const shown = result.check && after.is === "open" ? asCheck(after, result.check) : after;
  const status = Math.max(result.status, statusOf(after));
  return page(signingPage(tenant.world, shown, { ...result.turn, messages }), status, refusal);
}

export async function failureMessages({ context, tenant, bytes }: PageCall, id: string): Promise<Messages | undefined> {
  const view = viewSession(tenant.world, id);
  if (context.req.method === "GET") {
    const names = isOpening(context) ? (["loading", "loading.error"] as const) : (["loading.error"] as const);
    return { now: names.map((name) => message(tenant.world, name, view)) };
  }
  const form = await formOf(context.req.header("content-type"), bytes);
  return form && refusalMessages(tenant.world, view, String(form.get("act")));
}

/** After an act, the page appears again at an address with the act's name. That is not an opening. */
export function isOpening(context: Context): boolean {
  return context.req.query("notice") === undefined;
}

async function formOf(type: string | undefined, bytes: Uint8Array | undefined): Promise<FormData | undefined> {
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type ?? "" } }).formData();
  } catch {
    return undefined;
  }
}

function attempt({ store }: PageCall["tenant"], run: () => Result, name: string): Result {
  try {
    return store.transaction(run);
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

function refusalMessages(world: World, view: SessionView, act: string): Messages | undefined {
  if (act !== "finish" || !("document" in view) || !view.document) return undefined;
  return { now: [message(world, "exception", view)] };
}

function asCheck(view: Extract<SessionView, { is: "open" }>, kind: VerificationKind): SessionView {
  return { ...view, is: "verify", kind, locked: isLocked(view.session) };
}

function carryOut(world: World, id: string, submitted: Submitted, isEmbedded: boolean): Result {
  const view = viewSession(world, id);
  if (view.is === "stopped") return { turn: {}, status: 409 };
  const { texts } = submitted;
  if (submitted.act === "verify" || submitted.act === "send_code") return check(world, view, submitted);
  if (view.is === "verify") return { turn: { refusal: "Complete the check first." }, status: 403 };
  const { document } = view;
  switch (submitted.act) {
    case "save":
    case "finish":
      return view.mode === "fill" ? fillIn(world, view, submitted, isEmbedded) : { noticeOf: "" };
    case "decline":
      decline(world, document, view, texts.reason || undefined);
      return { noticeOf: "" };
    case "comment":
      comment(world, document, view, texts.text);
      return { noticeOf: "comment" };
    case "suggest":
      if (!document.internal.settings.suggest_edits)
        return { turn: { refusal: "The sender does not accept suggestions." }, status: 403 };
      review(world, document, view, texts.text ?? "");
      return { noticeOf: "" };
    case "forward": {
      const { email, first_name, last_name, reassign } = texts;
      forward(world, document, view, { email, first_name, last_name, reassign: reassign === "1" });
      return reassign === "1" ? { over: "handed_over" } : { noticeOf: "forward" };
    }
    case "pay":
    case "pay_fail":
      if (view.mode !== "pay") return { turn: { refusal: "You have nothing to pay." }, status: 409 };
      act(world, document.id, submitted.act, { recipient: (view.member ?? view.recipient).id });
      return { noticeOf: submitted.act };
    default:
      return { turn: { refusal: "The page does not know this action." }, status: 400 };
  }
}

function check(world: World, view: Exclude<SessionView, { is: "stopped" }>, { act: name, texts }: Submitted): Result {
  const kind: VerificationKind | undefined = view.is === "verify" ? view.kind : pendingCheck(view.recipient, "before_sign");
  if (!kind) return { noticeOf: "" };
  if (name === "send_code") {
    if (kind === "phone" || kind === "email") sendCode(world, view, kind);
    return view.is === "verify"
      ? { noticeOf: "send_code" }
      : { turn: { notice: ACT_NOTICES.send_code }, status: 200, check: kind };
  }
  if (kind === "phone" && isLocked(view.session)) return { turn: { refusal: "Too many wrong codes." }, status: 403, check: kind };
  if (verify(world, view.document, view, kind, texts.answer ?? "", view.session.code))
    return { noticeOf: view.is === "verify" ? "opened" : "verify" };
  if (kind === "phone" && countWrongCode(world, view.session)) {
    const now = [message(world, "attempts.limit.exceeded", view)];
    return { turn: { refusal: "Too many wrong codes.", messages: { now } }, status: 403, check: kind };
  }
  return { turn: { refusal: "This is not correct. Try again." }, status: 403, check: kind };
}

function fillIn(world: World, view: Extract<SessionView, { is: "open" }>, submitted: Submitted, isEmbedded: boolean): Result {
  const values = { ...submitted.values };
  for (const { field, file } of submitted.files) values[field.uuid] = storeFieldFile(world, field, file);
  const { document, recipient } = view;
  const kind = pendingCheck(recipient, "before_sign");
  if (submitted.act === "save" || kind) {
    const { errors } = fillValid(world, document, recipient, values, submitted.choices);
    if (Object.keys(errors).length > 0) return { turn: { errors }, status: 422 };
    if (submitted.act === "save" || !kind) return { noticeOf: "save" };
    return { turn: { notice: "What you filled in is saved. Finish after this check." }, status: 200, check: kind };
  }
  const done = finish(world, view, values, submitted.choices);
  if (!done.finished) return { turn: { errors: done.errors }, status: 422 };
  const target = recipient.redirect;
  // Redirects fail inside an embedding page, so the page posts a message instead.
  if (target.is_enabled && target.url && !isEmbedded && isWebUrl(target.url)) return { location: new URL(target.url).href };
  return { turn: { messages: { now: [message(world, "completed", { ...view, document: done.document })] } }, status: 200 };
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
