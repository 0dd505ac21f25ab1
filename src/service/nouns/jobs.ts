import type { DownloadLimits } from "../../engine/jobs/download.ts";
import { download } from "../../engine/jobs/download.ts";
import type { JobHandler, JobHandlers } from "../../engine/jobs/scheduler.ts";
import { downloadSparingly, rememberedFailure } from "../../engine/jobs/spared-download.ts";
import { blankPdf, blankPng } from "../files/stand-in.ts";
import type { World } from "../kit/world.ts";
import { fetchAttachment, giveUpAttachment } from "./attachments.ts";
import type { FetchImage } from "./content/file-content.ts";
import { FILE_TYPES, fetchDocumentImages, giveUpImages } from "./content/file-content.ts";
import type { ConversionKind } from "./content/file-conversion.ts";
import { convertFile, giveUpFile } from "./content/file-conversion.ts";
import { convert, giveUpConversion } from "./documents/conversion.ts";
import { stepDocxExport } from "./documents/downloads.ts";
import { sectionConversion } from "./documents/section-processing.ts";
import { expire, finishPdf } from "./documents/transitions.ts";
import { libraryConversion } from "./library/items.ts";
import { notarize } from "./notary/files.ts";
import { acceptAsNotary } from "./notary/requests.ts";
import { sendDueReminders } from "./people/reminder-schedule.ts";
import { sendScheduled } from "./people/sending.ts";
import { templateConversion } from "./templates/template-changes.ts";

interface OfDocument {
  document: string;
}

interface OfRow {
  id: string;
}

const fetchWithin =
  (limits: DownloadLimits) =>
  ({ settings }: World) =>
  (url: string): Promise<Uint8Array> =>
    download(url, settings.addressPolicy, limits);

/** Source: the service's limits of files by URL. Any file can be attached. */
const ANY_FILE = { bytes: 50 * 1024 * 1024, timeout_ms: 20_000, standIn: blankPdf };
const fetchAnyFile = fetchWithin(ANY_FILE);
const fetchFile = fetchWithin({ ...ANY_FILE, types: FILE_TYPES });
/** assumed: content.image_limits. */
const IMAGE = { bytes: 10 * 1024 * 1024, timeout_ms: 5000, standIn: blankPng };
const fetchImage = ({ settings: { addressPolicy } }: World): FetchImage =>
  Object.assign((url: string) => downloadSparingly(url, addressPolicy, IMAGE), {
    fails: (url: string) => rememberedFailure(url, addressPolicy) !== undefined,
  });

function conversionJob<R>(kind: ConversionKind<R>, outcome = "is ready"): JobHandler<World> {
  return {
    run: (payload: OfRow, world) => convertFile(world, kind, payload.id, fetchFile(world)),
    giveUp: (payload: OfRow, world) => giveUpFile(world, kind, payload.id),
    outcome,
  };
}

export const domainJobs: JobHandlers<World> = {
  convert_document: {
    run: (payload: OfDocument, world) => convert(world, payload.document, fetchFile(world), fetchImage(world)),
    giveUp: (payload: OfDocument, world) => giveUpConversion(world, payload.document),
    outcome: "is ready",
  },
  fetch_images: {
    run: (payload: OfDocument, world) => fetchDocumentImages(world, payload.document, fetchImage(world)),
    giveUp: (payload: OfDocument, world) => giveUpImages(world, payload.document),
  },
  convert_library_item: conversionJob(libraryConversion),
  notary_accepts: { run: (payload: OfRow, world) => acceptAsNotary(world, payload.id), deadline: true },
  // A notarization that is given up has no signed files.
  notarize: { run: (payload: OfRow, world) => notarize(world, payload.id), giveUp: () => {} },
  convert_section: conversionJob(sectionConversion, "has the new section"),
  convert_template: conversionJob(templateConversion),
  fetch_attachment: {
    run: (payload: OfRow, world) => fetchAttachment(world, payload.id, fetchAnyFile(world)),
    giveUp: (payload: OfRow, world) => giveUpAttachment(world, payload.id),
    outcome: "is ready",
  },
  export_docx: { run: (payload: OfRow, world) => stepDocxExport(world, payload.id), outcome: "takes the next step" },
  make_pdf: { run: (payload: OfDocument, world) => finishPdf(world, payload.document), outcome: "has its PDF" },
  send_scheduled: {
    run: (payload: OfDocument, world) => sendScheduled(world, payload.document),
    deadline: true,
    outcome: "is sent",
  },
  send_reminders: { run: (payload: OfDocument, world) => sendDueReminders(world, payload.document), deadline: true },
  expire_document: { run: (payload: OfDocument, world) => expire(world, payload.document), deadline: true, skipped: true },
};
