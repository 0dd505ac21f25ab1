/** Stories about documents, their parts and their records contradict a service that behaves differently. */
import { describe, expect, test } from "vitest";
import { type Change, gives, json, type Otherwise, seenOtherwise, set } from "../../support/probe-otherwise.ts";

/** Changes the answer to one call. */
function at(nth: number, change: Change): Change {
  return (answer, n) => (n === nth ? change(answer, n) : answer);
}

/** Changes successful answers. */
function whereDone(change: Change): Change {
  return (answer, n) => (answer.status === 200 ? change(answer, n) : answer);
}

/** Sets the dates of the members to successive days. With `isReversed`, the first member gets the last day. */
function dated(isReversed: boolean): Otherwise {
  const change = json(({ results }) => {
    for (const [i, one] of results.entries()) one.date_created = `2026-01-0${isReversed ? 9 - i : i + 1}T09:00:00.000000Z`;
  });
  return [/\/members$/, change];
}

const OTHERWISE: [id: string, behavior: string, ...Otherwise][] = [
  ["attachments.default_name", "another name", /^POST .*attachments$/, set("name", "attachment")],
  ["attachments.download_status", "a file at once", /attachments\/.*\/download$/, gives(200)],
  ["attachments.download_status", "no end of the fetch", /attachments\/.*\/download$/, gives(409, { detail: "Wait." })],
  ["attachments.fetch_duration", "a slow fetch", /attachments\/.*\/download$/, gives(409, { detail: "Wait." })],
  ["create.language", "the language of the account", /^GET .*\/settings$/, set("language", "en-US")],
  ["create.mapping_texts", "other texts", /upload-markdown/, gives(400, { detail: { fields_mapping: ["Wrong."] } })],
  ["create.markdown_type", "a needed type", /upload-markdown/, gives(400, { detail: { file: ["Wrong."] } })],
  ["create.markdown_type", "any file", /upload-markdown/, at(4, gives(201, { id: "another" }))],
  ["details.failed_document", "a refusal", /\/details$/, gives(400, { detail: "The document has an error." })],
  ["crm_links.order", "the oldest first", /order_by=docdouble/, json((body) => body.reverse())],
  ["crm_links.owners", "memberships alone", /owner_ids=User/, gives(200, [])],
  ["crm_links.owners", "users alone", /owner_ids=Member/, gives(200, [])],
  ["errors.repeated_parameter", "a refusal", /count=1&/, gives(400, { detail: { count: ["Wrong."] } })],
  ["errors.repeated_parameter", "the first value", /count=1&/, gives(200, { results: [] })],
  ["revert.uploaded", "no change", /\/documents\/[^/?]+(?:\/draft)?$/, set("status", "document.uploaded")],
  ["http.accept", "a check", /\/documents/, gives(406, { detail: "Could not satisfy the request Accept header." })],
  ["http.empty_body", "one error for the body", /status$/, gives(400, { detail: "Empty body." })],
  ["http.options", "no such method", /^OPTIONS/, gives(405, { detail: "Wrong." })],
  ["http.slashes", "another path", /v1\/\/documents/, gives(404, { detail: "Not found" })],
  ["search.consistency", "a delay", /\/search/, set("results", [])],
  ["errors.query_paths", "nested places", /statuses/, gives(400, { detail: { statuses: { "1": ["Wrong."] } } })],
  ["export.duration", "a slow export", /docx-export-tasks\//, set("status", "processing")],
  ["insights.extraction", "extraction before completion", /ai-metadata/, gives(200, { results: [] })],
  ["insights.extraction", "an extraction after the PDF", /ai-metadata/, whereDone(gives(202))],
  ["insights.failed_document", "an empty text", /content/, gives(200, { format: "plaintext", content: "" })],
  ["insights.metadata_fields", "other fields", /ai-metadata/, whereDone(set("results.*.key", "Renewal"))],
  ["insights.summary_wording", "other words", /type=xshort/, set("summary", "An agreement.")],
  ["insights.summary_wording", "a detailed summary of its own", /type=detailed/, set("summary", "An agreement.")],
  ["logs.window", "an open start", /&since=/, set("results", [])],
  ["members.order", "the newest first", ...dated(true)],
  ["oauth.error_codes", "one code for all", /oauth2/, gives(400, { error: "unsupported_grant_type" })],
  ["recipients.reassign_to_recipient", "a refusal", /\/reassign$/, gives(400, { detail: { id: ["Wrong."] } })],
  ["recipients.reassign_to_recipient", "one part", /\/details$/, set("recipients.0.roles", ["Director"])],
  ["search.root_folder", "no id", /\/search/, set("results.*.folder.id", null)],
  ["search.time_spans", "weeks from Sunday", /\/search/, set("intent.0.value", "2026-03-01 to 2026-03-08")],
  ["search.time_spans", "times of change", /\/search/, set("intent.0.field", "date_modified")],
  ["sections.default_name", "no name", /\/sections\/\w+$/, set("name", "Untitled")],
  ["sections.delete_outside_draft", "a document without sections", /^DELETE .*sections/, gives(204)],
  ["sections.delete_outside_draft", "a deletion after sending", /^DELETE .*sections/, at(11, gives(204))],
  ["sections.failed_upload", "no error", /\/uploads\/\w+$/, set("info_message", null)],
  ["sections.field_names", "names without id", /\/details$/, set("fields.*.merge_field", "city")],
  ["sections.template_and_url", "a refusal", /^POST .*\/uploads$/, gives(400, { detail: { url: ["Wrong."] } })],
  ["sections.template_and_url", "the URL", /\/uploads\/\w+$/, set("status", "document_sections_upload.ERROR")],
  ["sections.template_images", "images", /documents\/\w+\/details$/, set("images", [{ name: "Image 1" }])],
  ["webhook.history", "two entries of one event", /webhook-events\?/, set("items.*.name", "docdouble probe test-1")],
];

describe("probe of a service that behaves differently", () => {
  test.each(OTHERWISE)("%s is contradicted by %s", async (id, _, ...otherwise) => {
    const seen = await seenOtherwise(id, otherwise);
    expect(seen).toEqual(expect.any(String));
    expect(seen).not.toBe("as_stated");
  });

  test.each<[id: string, behavior: string, reading: string, ...Otherwise]>([
    ["audit_trail.access", "a refusal", "refuse", /audit-trail$/, gives(403, { code: "forbidden", details: [] })],
    ["list.repeated_status", "a refusal", "refuse", /status=0&status=2/, gives(400, { detail: { status: ["Wrong."] } })],
    ["templates.search", "a search for parts of the name", "name", /\/templates\?q=\w+%20docdouble/, set("results", [])],
  ])("%s is contradicted by %s, which is the reading %s", async (id, _, reading, ...otherwise) => {
    expect(await seenOtherwise(id, otherwise)).toBe(reading);
  });

  test.each<[id: string, behavior: string, ...Otherwise]>([
    ["logs.window", "a call that is later than its shown time", /&to=/, set("results", [])],
    ["list.repeated_status", "a list of the last status alone", /status=0&status=2/, set("results", [])],
    ["templates.search", "a search that finds nothing", /\/templates\?q=/, set("results", [])],
  ])("%s is undecided by %s", async (id, _, ...otherwise) => {
    expect(await seenOtherwise(id, otherwise)).toBeUndefined();
  });

  test("members.order is confirmed when the members have different dates", async () => {
    expect(await seenOtherwise("members.order", dated(false))).toBe("as_stated");
  });
});
