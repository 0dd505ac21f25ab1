/**
 * The scripts of the pages that `pandadoc-signing` and `pandadoc-editor` open in an iframe. A page and its library exchange messages of the
 * form `@libjs-cqs`. Source: the libraries' published code.
 */
import { raw } from "../../../engine/http/html.ts";

/** Announces the page, runs the library's commands and answers each. A command returns the reason of a failure. */
const HANDSHAKE = `
const shell = parent === window ? undefined : parent;
let sent = 0;
function publish(event, payload) {
  const message = { messageType: "@libjs-cqs:External:EventMessage", event, eventId: "docdouble-" + ++sent, payload, sources: ["docdouble"] };
  shell?.postMessage(message, "*");
}
function serve(readyEvent, commands) {
  addEventListener("message", async ({ source, data }) => {
    if (!shell || source !== shell || data?.event !== "libjs-cqs:command_sent_event") return;
    const { command, commandId, payload } = data.payload ?? {};
    const run = Object.hasOwn(commands, command) ? commands[command] : () => "docdouble does not serve " + command;
    const error = await run(payload ?? {});
    publish("libjs-cqs:command_result_received_event", { command, commandId, ...(error === undefined ? { _ok: true } : { _ok: false, error }) });
  });
  publish(readyEvent);
}
`;

export const SIGNING_SHELL = raw(`${HANDSHAKE}
const hint = document.querySelector("main");
let frame, last = {};
const post = (name, payload) => shell.postMessage({ type: "session_view.document." + name, payload }, "*");
function close() {
  frame?.remove();
  frame = undefined;
  hint.hidden = false;
}
/* A browser shows its own error page, whose document this page cannot read. */
const failed = (one) => !one.contentDocument?.body?.dataset.state;
function open({ token }) {
  if (typeof token !== "string" || token === "") return "OpenPublicViewDocumentCommand needs a token: the id of a session.";
  close();
  hint.hidden = true;
  last = {};
  const opened = document.createElement("iframe");
  frame = opened;
  opened.title = "Signing";
  opened.src = "/s/" + encodeURIComponent(token) + "/";
  return new Promise((resolve) => {
    opened.addEventListener("load", () => {
      if (!failed(opened)) return resolve();
      post("loading", {});
      post("loading.error", {});
      resolve("The session's page could not be loaded.");
    }, { once: true });
    document.body.append(opened);
  }).then((error) => {
    opened.addEventListener("load", () => { if (failed(opened)) post("exception", last); });
    return error;
  });
}
addEventListener("message", ({ source, data }) => {
  if (!frame || source !== frame.contentWindow || !String(data?.type).startsWith("session_view.")) return;
  last = data.payload;
  shell?.postMessage(data, "*");
});
serve("PublicViewReadyEvent", { OpenPublicViewDocumentCommand: open, CloseCommand: close });
`);

export const EDITOR_SHELL = raw(`${HANDSHAKE}
const at = (id) => document.getElementById(id);
/** assumed: editor.event_payloads. */
const post = (event) => shell.postMessage(JSON.stringify({ event, data: {} }), "*");
function show(state, title, rows) {
  document.body.dataset.state = state;
  at("title").textContent = title;
  at("facts").replaceChildren(...rows.flatMap(([name, value]) => {
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    text.textContent = value;
    return [term, text];
  }));
}
async function load(asked, token, id) {
  const answer = await fetch("/document-editor/session", { headers: { authorization: "E-Token " + token } }).catch(() => undefined);
  const session = answer?.ok ? await answer.json() : undefined;
  const kind = asked ?? session?.kind ?? "document";
  const why = !answer ? "The editor's page does not reach docdouble."
    : !session ? "No open editing session has this E-Token (" + answer.status + ")."
    : kind !== session.kind || (id !== undefined && id !== session.id) ? "The E-Token is for another " + session.kind + "."
    : undefined;
  post(kind + "_loading");
  if (why !== undefined) {
    post(kind + "_loading_error");
    show("failed", why, []);
    return why;
  }
  const { name, status, email, expires_at } = session;
  show("open", name, [["Opens", kind], ...(status ? [["Status", status]] : []), ["For", email], ["Until", expires_at]]);
  post("viewport_content_appeared");
}
function close() {
  show("closed", "The editor is closed", []);
}
serve("DocumentEditorReadyEvent", {
  OpenCommand: ({ auth }) => load(undefined, auth?.token),
  OpenDocumentCommand: ({ token, documentId }) => load("document", token, documentId),
  OpenTemplateCommand: ({ token, templateId }) => load("template", token, templateId),
  CloseCommand: close,
});
`);
