/** Tests what an actor can wait for: each status and event of a document, starting with its creation. */
import { expect, test } from "vitest";
import { service } from "../../../src/service/service.ts";
import { lab } from "../../support/lab.ts";
import { statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const { language } = service;

test("an actor that waits for document.uploaded acts before the document is converted", async () => {
  const world = await lab({ actors: [{ name: "worker", on: "document.uploaded", steps: [{ after: "1s", do: "fail" }] }] });
  const { body } = await succeed(
    world.call("createDocument", { body: { name: "Offer", template_uuid: TEMPLATES.oneSigner, recipients: [] } }),
  );
  expect(await statusOf(world, body.id)).toBe("document.uploaded");
  await world.advance("10s");
  expect(await statusOf(world, body.id)).toBe("document.error");
});

test("an actor cannot wait for events of templates and library items, which concern no document", async () => {
  const world = await testWorld();
  const actors = [{ name: "worker", on: "template_created", steps: [{ do: "fail" }] }];
  const answer = await world.admin("POST", "/scenarios", { version: 1, name: "lab", actors });
  expect([answer.status, answer.body.mistakes[0].message]).toEqual([
    400,
    expect.stringMatching(/^actors\.0\.on: "template_created" is unknown; did you mean ".*"\? It must be one of /),
  ]);
  expect(language.triggers.filter((one) => /^(template|content)_/.test(one))).toEqual([]);
});
