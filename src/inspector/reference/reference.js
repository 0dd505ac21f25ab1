/** Starts Swagger UI with the description of this server and the key of its default tenant. */
(async () => {
  /** @typedef {{ operationId: string, tags?: string[] }} Operation */
  /** @typedef {{ servers: { url: string }[], paths: Record<string, Record<string, Operation>> }} Description */
  /** @type {{ apiKey?: string }} */
  const { apiKey } = JSON.parse(document.getElementById("state")?.textContent ?? "{}");
  const isAdmin = new URLSearchParams(location.search).get("api") === "admin";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", paint);
  paint();

  const answer = await fetch(isAdmin ? "/__admin/openapi.json" : "/openapi.json");
  /** @type {Description} */
  const spec = await answer.json();
  // This page may stand under another name of the server than the description.
  spec.servers = [{ url: location.origin }];
  /** Other pages link to an operation by its id alone. Swagger UI wants the group too. @param {string} hash */
  const linkOf = (hash) => {
    const all = Object.values(spec.paths).flatMap((item) => Object.values(item));
    const one = all.find(({ operationId }) => `#${operationId}` === hash);
    return one && `#/${encodeURIComponent(one.tags?.[0] ?? "default")}/${one.operationId}`;
  };
  const link = linkOf(location.hash);
  if (link) history.replaceState(null, "", link);
  // Swagger UI writes its own hash when it has opened an operation, so the present one may not be that of the event.
  addEventListener("hashchange", ({ newURL }) => {
    const next = linkOf(new URL(newURL).hash);
    if (!next) return;
    history.replaceState(null, "", next);
    // Only operations near the window are in the page. The old position would scroll away from the new one.
    history.scrollRestoration = "manual";
    location.reload();
  });

  /** Finds operations by id, path and summary. Swagger UI's own filter knows the names of groups only. */
  const opsFilter = (/** @type {any} */ groups, /** @type {string} */ words) => {
    const isMeant = (/** @type {any} */ one) =>
      [one.get("path"), one.getIn(["operation", "operationId"]), one.getIn(["operation", "summary"])]
        .join(" ")
        .toLowerCase()
        .includes(words.toLowerCase());
    return groups
      .map((/** @type {any} */ group) => group.update("operations", (/** @type {any} */ all) => all.filter(isMeant)))
      .filter((/** @type {any} */ group) => group.get("operations").size > 0);
  };
  const { SwaggerUIBundle } = /** @type {any} */ (window);
  const ui = SwaggerUIBundle({
    spec,
    dom_id: "#reader",
    deepLinking: true,
    filter: true,
    plugins: [() => ({ fn: { opsFilter } })],
    displayOperationId: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    // A page may not change the double by the admin API.
    ...(isAdmin ? { supportedSubmitMethods: ["get"] } : {}),
    onComplete: () => apiKey && !isAdmin && ui.preauthorizeApiKey("apiKey", `API-Key ${apiKey}`),
  });
})();
