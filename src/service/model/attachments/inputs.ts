import { lazy } from "../../../engine/core/operation.ts";
import * as z from "zod";
import { uploadedFile } from "../../../engine/core/inputs.ts";

export const attachmentRequest = lazy(() =>
  z.object({ source: z.url({ protocol: /^https?$/ }), name: z.string().max(255).optional() }),
);

/** The official client sends both as multipart. */
export const attachmentUploadRequest = lazy(() =>
  z
    .object({ ...attachmentRequest().partial().shape, file: uploadedFile().optional() })
    .refine(({ file, source }) => file !== undefined || source !== undefined, {
      path: ["file"],
      error: "No file was submitted.",
    }),
);
