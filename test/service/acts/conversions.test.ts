import { expect, test } from "vitest";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

test("adminSimulateConversion processes or fails a manual conversion of each kind", async () => {
  const world = await testWorld();
  for (const model of ["template", "content_library_item", "document_section"])
    await succeed(world.admin("POST", "/transitions", { model: `${model}.processing`, progression: "manual" }));
  const act = (id: string, name: string) => world.admin("POST", `/conversions/${id}/simulate/${name}`, {});
  const template = (await succeed(world.call("createTemplate", { body: { name: "x" } }))).body.id;
  const item = (await succeed(world.call("createContentLibraryItem", { body: { name: "y", url: "http://127.0.0.1:9/y.pdf" } })))
    .body.id;
  const document_id = await aDraft(world);
  const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
  const upload_id = (await succeed(world.call("uploadSection", { params: { document_id }, body }))).body.uuid;
  await world.advance("1h");
  const statuses = async () => [
    (await world.call("statusTemplate", { params: { id: template } })).body.status,
    (await world.call("statusContentLibraryItem", { params: { id: item } })).body.status,
    (await world.call("sectionDetails", { params: { document_id, upload_id } })).body.status,
  ];
  expect(await statuses()).toEqual(["template.UPLOADED", "cli.UPLOADED", "document_sections_upload.UPLOADED"]);
  expect((await act(template, "process")).status).toBe(202);
  expect((await act(item, "fail")).status).toBe(202);
  expect((await act(upload_id, "process")).status).toBe(202);
  await world.advance("1s");
  expect(await statuses()).toEqual(["template.PROCESSED", "cli.ERROR", "document_sections_upload.PROCESSED"]);
  expect(await act(template, "process")).toMatchObject({ status: 404 });
  expect(await act(template, "burn")).toMatchObject({ status: 400 });
});
