/** A service that behaves differently: answers of a double are changed to another reading, and each story contradicts it. */
import { describe, expect, test } from "vitest";
import { gives, json, type Otherwise, seenOtherwise, set } from "../../support/probe-otherwise.ts";

const OTHERWISE: Record<string, Otherwise> = {
  "approvals.steps_shown": [/\/details$/, set("approval_execution", { document_uuid: "another" })],
  "catalog.billing_cycle": [/^POST .*\/items$/, gives(400, { code: "bad_request", details: [] })],
  "catalog.same_sku": [/^POST .*\/items$/, set("variants.0.sku", "another")],
  "catalog.bundled_item": [/^DELETE .*\/items\//, gives(204)],
  "catalog.categories": [/^POST .*\/items$/, gives(200, { uuid: "another" })],
  "catalog.empty_entries": [/^POST .*\/items$/, gives(200, { uuid: "another" })],
  "catalog.highlights": [/\/search/, set("items.*.highlights", null)],
  "catalog.missing_sku": [/^POST .*\/items$/, set("variants.0.sku", "")],
  "catalog.search_order": [/\/search\?per_page/, json((body) => body.items.reverse())],
  "documents.classic_version": [/\/details$/, set("version", "1.0")],
  "documents.any_status": [/^PATCH/, gives(400, { code: "bad_request", details: [] })],
  "documents.missing_values_last": [/order_by=-date_sent/, json((body) => body.results.reverse())],
  "documents.paid_without_app": [/^PATCH/, gives(400, { detail: "No payment app" })],
  "documents.stable_order": [/order_by=-status/, json((body) => body.results.reverse())],
  "content.metadata_length": [/\/details$/, set("metadata.probe", "x".repeat(100))],
  "field_tags.short_roles": [/\/fields$/, set("fields", [])],
  "field_tags.height": [/\/fields$/, set("fields.0.layout.style.height", 14)],
  "field_tags.same_id": [/\/fields$/, json((body) => body.fields.push(body.fields[0]))],
  "fields.choices": [/^POST .*\/fields$/, gives(400, { detail: { fields: ["No options."] } })],
  "fields.other_settings": [/^POST .*\/fields$/, gives(400, { detail: { fields: ["Wrong setting."] } })],
  "fields.outside_page": [/^POST .*\/fields$/, gives(400, { detail: { fields: ["Outside the page."] } })],
  "json.idle_members": [/created_from/, gives(400, { detail: { created_to: ["Too early."] } })],
  "json.repeated_entries": [/\/details$/, set("tokens.0.value", "first")],
  "json.null_members": [/^POST .*upload/, gives(400, { detail: { recipients: ["This field may not be null."] } })],
  "recipients.group_overlap": [/^POST .*upload/, gives(400, { detail: { recipients: ["already in recipients list"] } })],
  "recipients.redirect_without_url": [/^POST .*upload/, gives(400, { detail: { recipients: ["url is required."] } })],
  "field_tags.options": [/\/fields$/, set("fields.0.settings.options", [])],
  "field_tags.values": [/\/fields$/, set("fields.0.value", null)],
  "fields.autofilled": [/\/fields$/, set("fields.0.settings.autofilled", undefined)],
  "fields.repeated_assignment": [/^PATCH/, gives(400, { detail: { fields: ["Repeated field."] } })],
  "form_fields.date_by_name": [/\/fields$/, set("fields.0.type", "text")],
  "form_fields.required": [/\/fields$/, set("fields.*.settings.required", true)],
  "library.order": [/content-library-items$/, json((body) => body.results.reverse())],
  "library.placeholders": [/^POST .*\/documents$/, gives(400, { detail: { content_placeholders: ["Unknown placeholder."] } })],
  "pricing.currency_codes": [/^PATCH/, gives(204)],
  "pricing.discount_places": [/documents\/\w+\/details$/, set("pricing.tables.0.items.*.discounts", {})],
  "pricing.unnamed_discount": [
    /documents\/\w+\/details$/,
    set("pricing.tables.0.summary.discount", (nth: number) => String(nth)),
  ],
  "pricing.combined_discounts": [/documents\/\w+\/details$/, set("pricing.tables.0.summary.discount", "0")],
  "pricing.fault_texts": [/^POST/, gives(400, { detail: { pricing_tables: ["Wrong column."] } })],
  "pricing.merge_names": [/documents\/\w+\/details$/, set("pricing.tables.0.items.0.sku", "")],
  "pricing.option_kind": [/documents\/\w+\/details$/, set("pricing.tables.0.summary.discount", "0")],
  "pricing.table_order": [/documents\/\w+\/details$/, set("pricing.tables.0.total", "100")],
  "pricing.unselected_row": [/documents\/\w+\/details$/, set("pricing.tables.0.summary.subtotal", "100")],
  "quotes.adjustment_order": [/^PUT/, set("sections.0.items.0.total", "216")],
  "quotes.columns": [/^PUT/, json((body) => body.sections[0].columns.pop())],
  "quotes.item_texts": [/^PUT/, set("sections.0.items.0.custom_columns", {})],
  "quotes.item_members": [/^PUT/, set("sections.0.items.0.thumbnail", "https://a.example/b.png")],
  "quotes.partial_adjustment": [/^PUT/, gives(400, { detail: { type: ["This field is required."] } })],
  "quotes.price_and_settings": [/^PUT/, gives(200, {})],
  "quotes.semiannual_spelling": [/^PUT/, set("sections.0.items.*.billing_frequency", "semiannualy")],
  "quotes.moved_item": [/^PUT/, set("sections.1.items.*.id", "another")],
  "quotes.multipliers": [/^PUT/, set("sections.0.items.0.total", "500")],
  "quotes.qty_editable": [/^PUT/, gives(400, { detail: { qty_editable: ["This field is required."] } })],
  "quotes.selection": [/^PUT/, set("sections.2.total", "3")],
  "templates.default_name": [/^POST .*upload/, gives(400, { detail: { name: ["This field is required."] } })],
  "templates.duplicate": [/\/details$/, set("created_by.email", "sam.ode@northpeak.example")],
  "templates.empty_update": [/\/details$/, set("date_modified", (nth: number) => `2026-03-02T09:${10 + nth}:00Z`)],
  "templates.order_text": [/^PATCH/, gives(400, { detail: { roles: ["Wrong order."] } })],
  "templates.removed_role": [/\/details$/, set("fields.0.assigned_to.name", "Client")],
  "templates.role_order": [/\/details$/, set("roles.*.signing_order", null)],
  "templates.root_folder": [/\/details$/, set("folder_uuid", null)],
  "templates.service_variables": [/\/details$/, set("tokens.1", { name: "Sender.FirstName", value: "docdouble probe" })],
  "templates.unprocessed": [/^PATCH/, gives(409)],
  "templates.variables_are_content": [/\/details$/, set("content_date_modified", "2026-03-02T09:00:00Z")],
};

describe("probe of a service that behaves differently", () => {
  test.each(Object.entries(OTHERWISE))("%s is contradicted", async (id, otherwise) => {
    const seen = await seenOtherwise(id, otherwise);
    expect(seen).toEqual(expect.any(String));
    expect(seen).not.toBe("as_stated");
  });
});

/** Answers to the stories of switches that fit no reading. */
const OUTSIDE: Record<string, Otherwise> = {
  "pricing.discount_name": [
    /documents\/\w+\/details$/,
    set("pricing.tables.0.summary.discount", (nth: number) => String(nth * 7)),
  ],
  "pricing.negative_total": [/^POST/, gives(409, { detail: "Not now" })],
  "pricing.other_currency": [/documents\/\w+\/details$/, set("pricing.tables.0.currency", (nth: number) => `C${nth}`)],
  "pricing.row_options": [/^POST/, gives(400, { detail: "No credits left" })],
};

describe("probe of a service that fits no reading", () => {
  test.each(Object.entries(OUTSIDE))("%s stays undecided", async (id, otherwise) => {
    expect(await seenOtherwise(id, otherwise)).toBeUndefined();
  });
});
