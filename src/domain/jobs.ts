/** What each kind of job does when it falls due. A job whose subject is gone or has moved on does nothing. */
import { download } from "../engine/dispatch.ts";
import type { JobHandlers } from "../engine/scheduler.ts";
import { convert } from "./conversion.ts";
import { expire, finishPdf } from "./lifecycle.ts";
import type { World } from "./world.ts";

/** Files by URL. Source: the service's limits. */
const DOWNLOAD_LIMITS = { bytes: 50 * 1024 * 1024, timeout_ms: 20_000 };

interface OfDocument {
  document: string;
}

export const domainJobs: JobHandlers<World> = {
  convert_document: {
    run: (payload: OfDocument, world) => convert(world, payload.document, (url) => download(url, DOWNLOAD_LIMITS)),
  },
  make_pdf: { run: (payload: OfDocument, world) => finishPdf(world, payload.document) },
  expire_document: { run: (payload: OfDocument, world) => expire(world, payload.document), deadline: true },
};
