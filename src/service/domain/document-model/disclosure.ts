import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";

/** spec: when the disclosure is disabled, the other members are null. */
export function disclosureOf(world: World, document: DocumentRow) {
  const disclosure = world.store.workspaces.get(document.workspace_id)?.settings.esign_disclosure;
  return disclosure
    ? { is_enabled: true, company_name: disclosure.company_name, esign_disclosure_text: disclosure.esign_disclosure_text }
    : { is_enabled: false, company_name: null, esign_disclosure_text: null };
}
