import * as z from "zod";
import type { FieldMessages } from "../../../engine/core/errors.ts";
import { invalid } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { pointerOf } from "../../../engine/core/text.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import { assignee, fieldMembers, personAssignee } from "../documents/answers.ts";
import type { Box } from "../documents/pages.ts";
import { boxOf } from "../documents/pages.ts";
import type { DocumentRow } from "../documents/row.ts";
import { requireDocument, requireDraft, requireUnlocked } from "../documents/row.ts";
import { putContent, requireAllowed } from "../documents/transitions.ts";
import { MERGE_TYPES, isFilled, toAssignee, toFieldValue } from "../documents/view.ts";
import { requireAbility } from "../members/members.ts";
import { assignRecipientTypes } from "../people/recipients.ts";
import * as inputs from "./row.ts";
import type { FieldAssignment, FieldCreate, FieldRow, FieldType } from "./row.ts";
import { fieldLayout, optionOffset } from "./row.ts";

/** Default names by type. assumed: fields.default_names. */
const NAMES: Readonly<Record<FieldType, string>> = {
  checkbox: "Checkbox",
  collect_file: "Collect file",
  date: "Date",
  dropdown: "Dropdown",
  initials: "Initials",
  payment_details: "Payment details",
  radio_buttons: "Radio buttons",
  signature: "Signature",
  stamp: "Stamp",
  text: "Text",
};

export function listFields(world: World, id: string): DocumentRow {
  const document = requireDocument(world, id);
  requireAllowed(document, "details");
  return document;
}

export function createFields(
  world: World,
  id: string,
  inputs: readonly FieldCreate[],
): { document: DocumentRow; fields: FieldRow[] } {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  requireDraft(world, document, "to change its fields");
  refuseAll(inputs.map((input, i) => faultsOf(world, document, inputs, input, i)));
  remarkChoices(world, inputs);
  remarkIdleSettings(world, inputs);
  const fields = inputs.map((input) => toRow(world, document, input));
  remarkPlaces(world, document, fields);
  return { document: saveFields(world, document, [...document.fields, ...fields]), fields };
}

export function assignFields(world: World, id: string, inputs: readonly FieldAssignment[]): void {
  const document = requireDocument(world, id);
  requireAbility(world, "edit_document", document);
  requireUnlocked(world, document);
  requireDraft(world, document, "to change its fields");
  refuseAll(
    inputs.map((input, i) => {
      const isField = document.fields.some((field) => field.uuid === input.field_id);
      return {
        ...(isField ? {} : { [`fields[${i}].field_id`]: ["Field not found."] }),
        ...(input.assigned_to === null ? {} : strangerFault(document, input.assigned_to, `fields[${i}].assigned_to`)),
      };
    }),
  );
  // assumed: fields.repeated_assignment.
  const owners = new Map(inputs.map((input) => [input.field_id, input.assigned_to]));
  const fields = document.fields.map((field) => {
    const owner = owners.get(field.uuid);
    return owner === undefined ? field : { ...field, recipient_id: owner, role: roleOf(document, owner) };
  });
  saveFields(world, document, fields);
}

function saveFields(world: World, document: DocumentRow, fields: FieldRow[]): DocumentRow {
  return putContent(world, { ...document, fields, recipients: assignRecipientTypes(document.recipients, fields) });
}

function refuseAll(faults: readonly FieldMessages[]): void {
  const all: FieldMessages = Object.assign({}, ...faults);
  if (Object.keys(all).length > 0) throw invalid(all);
}

/** Source: the official description states this minimum size of a signature under 21 CFR Part 11. */
const PART_11_SIGNATURE = [
  ["width", 108],
  ["height", 33],
] as const;

/** Checks a field against document and workspace. assumed: fields.fault_texts. */
function faultsOf(
  world: World,
  document: DocumentRow,
  inputs: readonly FieldCreate[],
  input: FieldCreate,
  i: number,
): FieldMessages {
  const faults: FieldMessages = {};
  const { field_id, merge_field, assigned_to, layout, type } = input;
  const isTaken =
    field_id !== undefined &&
    (document.fields.some((field) => field.field_id === field_id) || inputs.findIndex((one) => one.field_id === field_id) < i);
  if (isTaken) faults[`fields[${i}].field_id`] = ["Field with this field_id already exists."];
  if (merge_field !== undefined && !MERGE_TYPES.includes(type))
    faults[`fields[${i}].merge_field`] = [`Merge field is not supported by fields of type ${type}.`];
  if (layout.page > document.pages.length)
    faults[`fields[${i}].layout.page`] = [`Ensure this value is less than or equal to ${document.pages.length}.`];
  if (type === "signature" && world.store.workspaces.get(document.workspace_id)?.settings.cfr_part_11)
    for (const [side, least] of PART_11_SIGNATURE)
      if (layout.style[side] < least)
        faults[`fields[${i}].layout.style.${side}`] = [`Ensure this value is greater than or equal to ${least}.`];
  return assigned_to === undefined ? faults : { ...faults, ...strangerFault(document, assigned_to, `fields[${i}].assigned_to`) };
}

/** assumed: fields.choices. */
function remarkChoices(world: World, inputs: readonly FieldCreate[]): void {
  for (const [i, { type, settings }] of inputs.entries()) {
    if (type !== "dropdown" && type !== "radio_buttons") continue;
    const texts = (settings?.options ?? []).map((option) => option.text);
    const isTwice = new Set(texts).size < texts.length;
    if (texts.length > 0 && !isTwice) continue;
    world.remark({
      kind: "doubtful_value",
      message: isTwice ? "Two options of the field have the same text" : "The field has no options, so nobody can choose one",
      fix: isTwice ? "Give each option its own text." : "Send the options in settings.",
      pointer: pointerOf(`fields[${i}].settings.options`),
    });
  }
}

/** Source: the official description says to which types each setting applies. */
const SETTING_TYPES: Readonly<Record<string, readonly FieldType[]>> = {
  placeholder: ["text", "date", "dropdown", "payment_details", "collect_file"],
  masked: ["text", "date"],
  multiline: ["text"],
  show_values: ["radio_buttons"],
  autofilled: ["date"],
  options: ["radio_buttons", "dropdown"],
};

/** assumed: fields.other_settings. */
function remarkIdleSettings(world: World, inputs: readonly FieldCreate[]): void {
  for (const [i, { type, settings = {} }] of inputs.entries()) {
    for (const [name, value] of Object.entries(settings)) {
      if (value === undefined || (SETTING_TYPES[name]?.includes(type) ?? true)) continue;
      world.remark({
        kind: "doubtful_value",
        message: `The setting ${name} does not apply to a field of the type ${type}`,
        fix: `Leave it out: it is for ${SETTING_TYPES[name]?.join(", ")}.`,
        pointer: pointerOf(`fields[${i}].settings.${name}`),
      });
    }
    if (type === "radio_buttons" && settings.options?.some((option) => option.position === undefined))
      world.remark({
        kind: "doubtful_value",
        message: "An option of the radio buttons has no position",
        fix: "Send a position for each option, because the description asks for it.",
        pointer: pointerOf(`fields[${i}].settings.options`),
      });
  }
}

/** A part of a field may lie outside its page. assumed: fields.outside_page. */
function remarkPlaces(world: World, document: DocumentRow, fields: readonly FieldRow[]): void {
  for (const [i, field] of fields.entries()) {
    const page = document.pages[field.layout.page];
    if (!page) continue;
    const isInside = ({ x, y, width, height }: Box) =>
      x < page.width && y < page.height && x + width > 0 && y + height > 0 && width <= page.width && height <= page.height;
    const options = field.settings.option_positions ?? [];
    const isOption = (at: (typeof options)[number]) =>
      at === null || (Math.abs(at.offset_x) <= page.width && Math.abs(at.offset_y) <= page.height);
    if (isInside(boxOf(document, field)) && options.every(isOption)) continue;
    world.remark({
      kind: "doubtful_value",
      message: `The field lies outside its page of ${page.width} × ${page.height} points, or is larger, so nobody sees all of it`,
      fix: "Place it on the page.",
      pointer: pointerOf(`fields[${i}].layout`),
    });
  }
}

function strangerFault(document: DocumentRow, recipientId: string, name: string): FieldMessages {
  return document.recipients.some((one) => one.id === recipientId) ? {} : { [name]: ["Recipient not found."] };
}

function roleOf(document: DocumentRow, recipientId: string | null): string | null {
  return document.recipients.find((one) => one.id === recipientId)?.roles[0] ?? null;
}

function toRow(world: World, document: DocumentRow, input: FieldCreate): FieldRow {
  const uuid = world.ids.uuid();
  const { type, settings = {}, layout } = input;
  const { required = true, placeholder, masked, multiline, show_values, autofilled, options = [] } = settings;
  const recipient_id = input.assigned_to ?? null;
  return {
    uuid,
    field_id: input.field_id ?? `${type}_${uuid}`,
    name: NAMES[type],
    title: "",
    placeholder: placeholder ?? "",
    type,
    merge_field: input.merge_field ?? null,
    value: type === "checkbox" ? false : null,
    recipient_id,
    role: roleOf(document, recipient_id),
    settings: {
      required,
      masked,
      multiline,
      show_values,
      ...(type === "date" && autofilled !== undefined ? { autofilled } : {}),
      option_positions: options.some((option) => option.position) ? options.map((option) => option.position ?? null) : undefined,
    },
    options: options.map((option) => option.text),
    // assumed: fields.page_numbers.
    layout: { ...layout, page: Math.max(0, layout.page - 1) },
    section_uuid: null,
  };
}

export function toDocField(document: DocumentRow, field: FieldRow) {
  return {
    uuid: field.uuid,
    name: field.name,
    title: field.title,
    value: toFieldValue(field),
    is_filled: isFilled(field),
    field_id: field.field_id,
    type: field.type,
    placeholder: field.placeholder,
    merge_field: field.merge_field,
    assigned_to: toDocFieldAssignee(document, field.recipient_id),
    settings: toSettings(field),
    layout: { ...field.layout, page: field.layout.page + 1 },
    ...(field.section_uuid === null ? {} : { section_uuid: field.section_uuid }),
  };
}

/** Source: the published example of a field without a recipient has no roles. */
function toDocFieldAssignee(document: DocumentRow, recipientId: string | null) {
  const assignee = toAssignee(document, recipientId);
  if (recipientId !== null || assignee.type === "recipient_group") return assignee;
  const { role: _, roles: __, ...nobody } = assignee;
  return nobody;
}

function toSettings({ type, placeholder, settings, options }: FieldRow) {
  const { required, masked = false, multiline = false, show_values = true, autofilled, option_positions } = settings;
  const hasOptions = type === "radio_buttons" || type === "dropdown";
  return {
    required,
    placeholder,
    masked,
    multiline,
    ...(type === "radio_buttons" ? { show_values } : {}),
    // Source: a public project measured that the list repeats it. assumed: fields.autofilled.
    ...(autofilled === undefined ? {} : { autofilled }),
    ...(hasOptions
      ? {
          options: options.map((text, i) => {
            const position = option_positions?.[i];
            return position ? { text, position } : { text };
          }),
        }
      : {}),
  };
}

const fieldList = lazy(() =>
  z.strictObject({
    fields: z.array(
      z.strictObject({
        ...fieldMembers(),
        merge_field: z.string().nullable(),
        assigned_to: z.union([personAssignee().omit({ role: true, roles: true }), assignee()]),
        settings: z.strictObject({
          required: z.boolean(),
          placeholder: z.string(),
          masked: z.boolean(),
          multiline: z.boolean(),
          show_values: z.boolean().optional(),
          autofilled: z.boolean().optional(),
          options: z.array(z.strictObject({ text: z.string(), position: optionOffset().optional() })).optional(),
        }),
        layout: fieldLayout(),
        section_uuid: z.string().optional(),
      }),
    ),
  }),
);

export const fieldsGroup = group("Document Fields", [
  operation({
    id: "listDocumentFields",
    route: "GET /public/v1/documents/{id}/fields",
    responses: { 200: fieldList },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => {
      const document = listFields(world, params.id);
      return ok({ fields: document.fields.map((field) => toDocField(document, field)) });
    },
  }),
  operation({
    id: "createDocumentFields",
    route: "POST /public/v1/documents/{id}/fields",
    body: inputs.createFieldsRequest,
    responses: { 200: fieldList },
    errors: [400, 401, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => {
      const { document, fields } = createFields(world, params.id, body.fields);
      return ok({ fields: fields.map((field) => toDocField(document, field)) });
    },
  }),
  operation({
    id: "updateDocumentFieldsAssignment",
    route: "PATCH /public/v1/documents/{id}/fields",
    body: inputs.assignFieldsRequest,
    responses: { 204: null },
    errors: [400, 401, 403, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => assignFields(world, params.id, body.fields),
  }),
]);
