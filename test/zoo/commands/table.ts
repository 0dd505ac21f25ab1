/** The zoo of commands: programs in Python, Ruby, PHP and Go with one planted fault each. Without its gap, a program is the fixed twin. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

export interface Planted {
  planted: string;
  gap: string;
  /** What the faulty program meets. */
  only: string;
  /** The breaks that exploration must report, and no others. */
  breaks: readonly string[];
}

export interface Program {
  name: string;
  /** The program that must be on the machine. */
  needs: readonly [program: string, versionFlag: string];
  /** Returns the command. `folder` takes what a compiler writes. */
  command(folder: string): readonly string[];
  gaps: readonly Planted[];
  /** Faults that the twin meets. Sleeps of PHP and Go are real, so their twins meet fewer. */
  twin: readonly string[];
}

const HERE = import.meta.dirname;
const script = (program: string, file: string) => () => [program, join(HERE, file)];

function builtLedger(folder: string): readonly string[] {
  const out = join(folder, "ledger");
  const { status, stderr } = spawnSync("go", ["build", "-o", out, "main.go"], { cwd: join(HERE, "ledger"), encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return [out];
}

const planted = (text: string, gap: string, only: string, ...breaks: string[]): Planted => ({ planted: text, gap, only, breaks });
const forged = (text: string, gap: string) => planted(text, gap, "webhook_forged", "forged_webhook_accepted by webhook_forged");
const refusing = (text: string, gap: string) => planted(text, gap, "createDocument:reset_before", "genuine_webhook_refused by ");

/** Each twin meets these without a wait of minutes. `slow` takes ten real seconds each time. */
const QUICK = [
  "createDocument:*,sendDocument:*",
  "statusDocument#1:*,statusDocument#2:*",
  "recipient_*,document_expires,new_*,null_*,stale_read",
];

export const PROGRAMS: readonly Program[] = [
  {
    name: "bounded.py",
    needs: ["python3", "--version"],
    command: script("python3", "bounded.py"),
    gaps: [
      planted(
        "waits without end for a failed document",
        "endless",
        "createDocument:processing_failed",
        "hung by processing_failed",
      ),
      planted("creates again without looking", "no_look", "createDocument:reset_after", "duplicate_document by reset_after"),
    ],
    twin: QUICK,
  },
  {
    name: "batch.py",
    needs: ["python3", "--version"],
    command: script("python3", "batch.py"),
    gaps: [planted("skips what fails", "skips", "createDocument#1:throttled", "lost_work by throttled")],
    twin: ["createDocument:*", "sendDocument#1:*,sendDocument#2:*", "stale_read,new_status"],
  },
  {
    name: "strict.py",
    needs: ["python3", "--version"],
    command: script("python3", "strict.py"),
    gaps: [
      planted("knows all statuses", "enum", "statusDocument#1:new_status", "failed by new_status"),
      planted("knows all members", "members", "createDocument#1:new_member", "failed by new_member"),
    ],
    twin: ["createDocument:*", "statusDocument#1:*,statusDocument#2:*", "new_*,null_*"],
  },
  {
    name: "receiver.py",
    needs: ["python3", "--version"],
    command: script("python3", "receiver.py"),
    gaps: [
      forged("ignores signatures", "ignored"),
      forged("compares eight digits", "prefix"),
      forged("compares as many digits as it gets", "shorter"),
      forged("checks a signature only when there is one", "when_present"),
      refusing("signs JSON that it wrote again", "reserialized"),
      refusing("expects base64", "base64"),
      refusing("compares with the key itself", "bare_key"),
      refusing("looks for the signature in a header", "header"),
    ],
    twin: ["webhook_*", "createDocument:*,sendDocument:*,createWebhookSubscription:*"],
  },
  {
    name: "archive.rb",
    needs: ["ruby", "--version"],
    command: script("ruby", "archive.rb"),
    gaps: [planted("saves an empty file", "empty", "downloadDocument:pdf_not_ready", "lost_work by pdf_not_ready")],
    twin: [...QUICK, "downloadDocument:*"],
  },
  {
    name: "mailer.php",
    needs: ["php", "--version"],
    command: script("php", "mailer.php"),
    gaps: [
      planted("treats 409 as fatal", "conflict", "not_ready_after_draft", "failed by not_ready_after_draft"),
      planted("repeats at once", "hasty", "createDocument:throttled", "ignored_retry_after by throttled"),
    ],
    twin: ["createDocument:reset_*,createDocument:gateway_*", "sendDocument:*", "new_*,stale_read"],
  },
  {
    name: "ledger (Go)",
    needs: ["go", "version"],
    command: builtLedger,
    gaps: [
      planted("creates again without looking", "blind", "createDocument:reset_after", "duplicate_document by reset_after"),
      planted("trusts a list that lags behind", "trusts_list", "listDocuments:stale_read", "duplicate_document by stale_read"),
    ],
    twin: ["createDocument:reset_*,createDocument:gateway_*", "listDocuments#1:*", "new_*,stale_read"],
  },
];
