import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";

export const recipientChanged = lazy(() => z.strictObject({ recipient_id: z.string() }));
