/** The trust store that `--intercept` hands to Java. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, test } from "vitest";
import { trustStore } from "../../../src/tools/proxy/trust-store.ts";
import { files } from "../../support/process.ts";

const PEM = rootCertificates.slice(0, 3).join("\n");

test("the trust store holds each certificate in Java's format, and ends with a digest", () => {
  const store = trustStore(PEM, "docdouble");
  expect(store.subarray(0, 12).toString("hex")).toBe("feedfeed0000000200000003");
  expect(store.includes(Buffer.from("docdouble-2"))).toBe(true);
  expect(trustStore(PEM, "another").subarray(-20)).not.toEqual(store.subarray(-20));
});

test.skipIf(spawnSync("keytool", ["-help"], { stdio: "ignore" }).error !== undefined)(
  "keytool of Java reads the trust store, and accepts its digest",
  () => {
    const file = join(files(), "trust.jks");
    writeFileSync(file, trustStore(PEM, "docdouble"));
    const listed = execFileSync("keytool", ["-list", "-keystore", file, "-storepass", "docdouble", "-storetype", "JKS"], {
      encoding: "utf8",
    });
    expect(listed).toContain("3 entries");
    expect(listed.match(/trustedCertEntry/g)).toHaveLength(3);
  },
);
