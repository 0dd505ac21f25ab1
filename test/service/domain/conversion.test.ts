import { expect, test } from "vitest";
import { CreationFailure } from "../../../src/service/nouns/content/field-tags.ts";
import { FileError } from "../../../src/service/files/limits.ts";
import { convert } from "../../../src/service/nouns/documents/conversion.ts";
import type { World } from "../../../src/service/kit/world.ts";
import { aPdf } from "../../support/content.ts";
import { succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const noImage = Object.assign(() => Promise.reject(new Error("no image")), { fails: () => true }) as never;

/** An uploaded file, and its conversion, which fails with `error`. */
async function failing(error: unknown) {
  const world = await testWorld();
  const data = JSON.stringify({ name: "Mine", recipients: [] });
  const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: await aPdf(), data } }))).body;
  const files = { run: () => Promise.reject(error) } as unknown as World["files"];
  const outcome = await convert({ ...(world.tenant.world as World), files }, id, () => Promise.reject(error), noImage);
  return { outcome, statusOf: () => world.tenant.store.documents.get(id)?.status };
}

test("a file that cannot be read makes the document an error", async () => {
  const { outcome, statusOf } = await failing(new CreationFailure("processing", "no PDF"));
  outcome?.();
  expect(statusOf()).toBe("document.error");
});

test("a fault of docdouble itself is thrown, and the document stays uploaded", async () => {
  const { outcome, statusOf } = await failing(new RangeError("a bug"));
  expect(outcome).toThrow("a bug");
  expect(statusOf()).toBe("document.uploaded");
});

test("a conversion that the end of its tenant stopped says nothing", async () => {
  const { outcome, statusOf } = await failing(new FileError("stopped", "the tenant ended"));
  outcome?.();
  expect(statusOf()).toBe("document.uploaded");
});
