/**
 * The script of the pages that `pandadoc-signing` and `pandadoc-editor` open in an iframe. A page and its library exchange messages of the
 * form `@libjs-cqs`. Source: the libraries' published code.
 */
/** A command of the library. It returns the reason of a failure. @typedef {(payload: Record<string, unknown>) => unknown} Command */
/** @typedef {{ kind: string, id: string, name: string, status?: string, email: string, expires_at: string }} EditingSession */

/** @param {string} id */
const need = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const shell = window.parent === window ? undefined : window.parent;
let sent = 0;

/** @param {string} event @param {object} [payload] */
function publish(event, payload) {
  const eventId = `docdouble-${++sent}`;
  const message = { messageType: "@libjs-cqs:External:EventMessage", event, eventId, payload, sources: ["docdouble"] };
  shell?.postMessage(message, "*");
}

/** Announces the page, runs the library's commands and answers each. @param {string} readyEvent @param {Record<string, Command>} commands */
function serve(readyEvent, commands) {
  addEventListener("message", async ({ source, data }) => {
    if (!shell || source !== shell || data?.event !== "libjs-cqs:command_sent_event") return;
    const { command, commandId, payload } = data.payload ?? {};
    const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
    const error = run ? await run(payload ?? {}) : `docdouble does not serve ${command}`;
    const result = error === undefined ? { _ok: true } : { _ok: false, error };
    publish("libjs-cqs:command_result_received_event", { command, commandId, ...result });
  });
  publish(readyEvent);
}

function serveSigning() {
  const hint = /** @type {HTMLElement} */ (document.querySelector("main"));
  /** @type {HTMLIFrameElement | undefined} */
  let frame;
  /** @type {unknown} */
  let last = {};
  /** @param {string} name @param {unknown} payload */
  const post = (name, payload) => shell?.postMessage({ type: `session_view.document.${name}`, payload }, "*");
  function close() {
    frame?.remove();
    frame = undefined;
    hint.hidden = false;
  }
  /** A browser shows its own error page, whose document this page cannot read. @param {HTMLIFrameElement} one */
  const failed = (one) => !one.contentDocument?.body?.dataset.state;
  /** @type {Command} */
  async function open({ token }) {
    if (typeof token !== "string" || token === "") return "OpenPublicViewDocumentCommand needs a token: the id of a session.";
    close();
    hint.hidden = true;
    last = {};
    const opened = document.createElement("iframe");
    frame = opened;
    opened.title = "Signing";
    opened.src = `/s/${encodeURIComponent(token)}/`;
    const loaded = new Promise((resolve) => opened.addEventListener("load", resolve, { once: true }));
    document.body.append(opened);
    await loaded;
    const hasFailed = failed(opened);
    if (hasFailed) {
      post("loading", {});
      post("loading.error", {});
    }
    opened.addEventListener("load", () => {
      if (failed(opened)) post("exception", last);
    });
    return hasFailed ? "The session's page could not be loaded." : undefined;
  }
  addEventListener("message", ({ source, data }) => {
    if (!frame || source !== frame.contentWindow || !String(data?.type).startsWith("session_view.")) return;
    last = data.payload;
    shell?.postMessage(data, "*");
  });
  serve("PublicViewReadyEvent", { OpenPublicViewDocumentCommand: open, CloseCommand: close });
}

/** assumed: editor.event_payloads. @param {string} event */
const postEditor = (event) => shell?.postMessage(JSON.stringify({ event, data: {} }), "*");

function serveEditor() {
  /** @param {string} state @param {string} title @param {[name: string, value: string][]} rows */
  function show(state, title, rows) {
    document.body.dataset.state = state;
    need("title").textContent = title;
    const cells = rows.flatMap(([name, value]) => {
      const [term, text] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      text.textContent = value;
      return [term, text];
    });
    need("facts").replaceChildren(...cells);
  }
  /** @param {string | undefined} asked @param {unknown} token @param {unknown} [id] */
  async function load(asked, token, id) {
    const headers = { authorization: `E-Token ${token}` };
    const answer = await fetch("/document-editor/session", { headers }).catch(() => undefined);
    /** @type {EditingSession | undefined} */
    const session = answer?.ok ? await answer.json() : undefined;
    const kind = asked ?? session?.kind ?? "document";
    postEditor(`${kind}_loading`);
    /** @param {string} why */
    const fail = (why) => {
      postEditor(`${kind}_loading_error`);
      show("failed", why, []);
      return why;
    };
    if (!answer) return fail("The editor's page does not reach docdouble.");
    if (!session) return fail(`No open editing session has this E-Token (${answer.status}).`);
    if (kind !== session.kind || (id !== undefined && id !== session.id))
      return fail(`The E-Token is for another ${session.kind}.`);
    const { name, status, email, expires_at } = session;
    /** @type {[name: string, value: string][]} */
    const facts = [
      ["Opens", kind],
      ["Status", status ?? ""],
      ["For", email],
      ["Until", expires_at],
    ];
    show(
      "open",
      name,
      facts.filter(([, value]) => value !== ""),
    );
    postEditor("viewport_content_appeared");
  }
  serve("DocumentEditorReadyEvent", {
    OpenCommand: ({ auth }) => load(undefined, /** @type {{ token?: unknown } | undefined} */ (auth)?.token),
    OpenDocumentCommand: ({ token, documentId }) => load("document", token, documentId),
    OpenTemplateCommand: ({ token, templateId }) => load("template", token, templateId),
    CloseCommand: () => show("closed", "The editor is closed", []),
  });
}

if (document.getElementById("facts")) serveEditor();
else serveSigning();
