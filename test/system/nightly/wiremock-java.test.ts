/** WireMock's own client for Java verifies calls at docdouble, as docs/guides/from-wiremock.md says. */
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { temporary } from "../../support/package.ts";
import { PROGRAM_MS } from "../../support/patience.ts";
import { serve } from "../../support/process.ts";
import { installPackages } from "../../support/registry-packages.ts";

const { folder, remove } = temporary();
afterAll(remove);
const hasJava = spawnSync("java", ["--version"], { stdio: "ignore" }).status === 0;

const CLIENT = `
import static com.github.tomakehurst.wiremock.client.WireMock.*;

public class Verify {
    interface Act { Object run() throws Exception; }

    static void say(String name, Act act) {
        try {
            System.out.println(name + ": " + act.run());
        } catch (Throwable error) {
            System.out.println(name + ": " + error.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) {
        configureFor("127.0.0.1", Integer.parseInt(args[0]));
        var contacts = "/public/v1/contacts";
        say("verify", () -> {
            verify(1, postRequestedFor(urlEqualTo(contacts)).withRequestBody(matchingJsonPath("$.email", containing("client"))));
            return "ok";
        });
        say("verify too many", () -> { verify(2, postRequestedFor(urlPathEqualTo(contacts))); return "ok"; });
        say("verify none", () -> { verify(deleteRequestedFor(urlPathEqualTo(contacts + "/1"))); return "ok"; });
        say("findAll", () -> findAll(anyRequestedFor(urlPathMatching(contacts + ".*"))).size());
        say("findUnmatchedRequests", () -> findUnmatchedRequests().get(0).getUrl());
        say("findNearMissesFor", () -> findNearMissesFor(putRequestedFor(urlPathEqualTo(contacts))).get(0).getRequest().getUrl());
        say("stubFor", () -> stubFor(get("/x").willReturn(ok())));
        say("getAllServeEvents", () -> getAllServeEvents().size());
        say("resetAllRequests", () -> { resetAllRequests(); return findAll(anyRequestedFor(anyUrl())).size(); });
        say("reset", () -> { reset(); return "ok"; });
    }
}
`;

test.skipIf(!hasJava)("the Java client verifies, finds and resets, and says why a verification fails", async () => {
  installPackages(folder, { "package.json": JSON.stringify({ private: true, dependencies: { wiremock: "3.13.2" } }) });
  const build = join(folder, "node_modules/wiremock/build");
  const [jar = ""] = readdirSync(build).filter((name) => name.endsWith(".jar"));
  writeFileSync(join(folder, "Verify.java"), CLIENT);
  const server = await serve(["start", "--port", "0"]);
  await server.call("POST", "/public/v1/contacts", { email: "one@client.example" });
  await server.call("GET", "/public/v1/nowhere");
  const args = ["-cp", join(build, jar), join(folder, "Verify.java"), new URL(server.url).port];
  const { stdout } = spawnSync("java", args, { encoding: "utf8", timeout: PROGRAM_MS });
  await server.stop();
  expect(stdout.trimEnd().split("\n")).toEqual([
    "verify: ok",
    "verify too many: VerificationException",
    "verify none: VerificationException",
    "findAll: 1",
    "findUnmatchedRequests: /public/v1/nowhere",
    "findNearMissesFor: /public/v1/contacts",
    "stubFor: InvalidInputException",
    "getAllServeEvents: JsonException",
    "resetAllRequests: 0",
    "reset: ok",
  ]);
});
