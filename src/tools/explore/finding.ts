import type { Item } from "./recording.ts";
import type { Symptom } from "./report.ts";

export interface Finding {
  symptom: Symptom;
  message: string;
  item?: Item;
}
