import { own } from "../../../engine/core/maps.ts";
import type { PdfContent, PdfField } from "../../files/pdf.ts";
import type { World } from "../../model/world.ts";
import type { FieldRow, FieldType } from "../../model/content/rows.ts";
import { recipientOfRole } from "../recipients/recipients.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import type { FieldInput } from "../../model/content/inputs.ts";

/** Ends the processing in `document.error`. `type` is a class of the official table of errors. */
export class CreationFailure extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const TYPE_OF: Readonly<Record<PdfField["kind"], FieldType | undefined>> = {
  text: "text",
  checkbox: "checkbox",
  radio: "radio_buttons",
  dropdown: "dropdown",
  list: "dropdown",
  signature: "signature",
  button: undefined,
};

export interface PlacedField {
  pdf: PdfField;
  type: FieldType;
  role: string;
  value: FieldInput["value"];
  required: boolean;
}

/** @throws CreationFailure for a form field that `fields` omits, or whose role no recipient has */
export function formFieldsOf(
  content: PdfContent,
  source: { fields: Readonly<Record<string, FieldInput>>; use_properties: boolean },
  recipients: readonly RecipientRow[],
): PlacedField[] {
  const roles = recipients.flatMap((recipient) => recipient.roles);
  return content.fields.flatMap((pdf) => {
    const type = typeOf(pdf);
    if (!type) return [];
    const declared = own(source.fields, pdf.name);
    if (!declared) {
      const names = content.fields.map((field) => field.name).join(", ");
      throw new CreationFailure(
        "form_field",
        `Field for form field with name='${pdf.name}' is not specified in payload, available names are ${names}`,
      );
    }
    if (!declared.role)
      throw new CreationFailure("form_field", `Role for form field with name='${pdf.name}' is not provided in payload`);
    if (!roles.includes(declared.role)) {
      throw new CreationFailure(
        "form_field",
        `No role='${declared.role}' for form field specified in 'recipients' found, roles passed were ${roles.join(", ")}"`,
      );
    }
    // assumed: form_fields.required.
    const required = source.use_properties ? pdf.required : type === "signature";
    return [{ pdf, type, role: declared.role, value: declared.value, required }];
  });
}

/** assumed: form_fields.date_by_name. */
function typeOf(pdf: PdfField): FieldType | undefined {
  return pdf.kind === "text" && /(^|[^a-z])date([^a-z]|$)/i.test(pdf.name) ? "date" : TYPE_OF[pdf.kind];
}

export function placeFields(world: World, placed: readonly PlacedField[], recipients: readonly RecipientRow[]): FieldRow[] {
  return placed.map(({ pdf, type, role, value, required }) => {
    const fillable = type !== "signature" && value !== undefined && value !== null && value !== "";
    const uuid = world.ids.uuid();
    return {
      uuid,
      field_id: pdf.name,
      name: pdf.name,
      title: "",
      placeholder: pdf.name,
      type,
      merge_field: type === "signature" ? null : pdf.name,
      value: fillable ? (type === "checkbox" ? value === true || value === "true" : String(value)) : pdf.value,
      recipient_id: recipientOfRole(recipients, role),
      role,
      settings: {
        required,
        ...(pdf.multiline ? { multiline: true } : {}),
        ...(type === "radio_buttons" && pdf.widgets ? { widgets: pdf.widgets } : {}),
      },
      options: pdf.options,
      layout: {
        page: pdf.page,
        position: { offset_x: pdf.box.x, offset_y: pdf.box.y, anchor_point: "topleft" },
        style: { width: Math.round(pdf.box.width), height: Math.round(pdf.box.height) },
      },
      section_uuid: null,
    };
  });
}
