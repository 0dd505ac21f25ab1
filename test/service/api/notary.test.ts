import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { aPdf } from "../../support/content.ts";
import { asMember, SAM } from "../../support/people.ts";
import { aDraft, aSentDocument, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const NOTARY = "NotaryActivexxxxxxxxxx";
const INVITEE = { email: "ivo.marek@client.example", first_name: "Ivo", last_name: "Marek" };
const NOT_FOUND = { status: 404, body: { code: "not_found", details: [] } };
const FORBIDDEN = { status: 403, body: { code: "forbidden", details: [] } };

async function aRequest(world: TestWorld, more: object = {}) {
  const document_id = await aDraft(world);
  const body = { document_id, invitation: { invitees: [INVITEE] }, ...more };
  return (await succeed(world.call("createNotarizationRequest", { body }))).body;
}

const detailsOf = async (world: TestWorld, id: string) =>
  (await succeed(world.call("notarizationRequestDetails", { params: { session_request_id: id } }))).body;
const act = (world: TestWorld, id: string, name: string, body: object = {}) =>
  world.admin("POST", `/notary/${id}/simulate/${name}`, body);

function disableAddOn(world: TestWorld): void {
  const { workspaces } = world.tenant.store;
  for (const row of workspaces.all()) workspaces.put({ ...row, settings: { ...row.settings, notary: false } });
}

describe("createNotarizationRequest", () => {
  test("createNotarizationRequest refuses wrong fields, unknown or sent documents, and unknown or inactive notaries", async () => {
    const document_id = await aDraft(world);
    const sent = await aSentDocument(world);
    const invitation = { invitees: [INVITEE] };
    const notary = (id: string) => ({ id, scheduled_at: "2026-03-03T09:00:00Z" });
    for (const [body, pointers] of [
      [{}, ["/document_id", "/invitation"]],
      [{ document_id, invitation: { invitees: [] } }, ["/invitation/invitees"]],
      [
        { document_id, invitation: { invitees: [{ email: "x", first_name: "y".repeat(51) }] } },
        ["/invitation/invitees/0/email", "/invitation/invitees/0/first_name"],
      ],
      [{ document_id: "nothing", invitation }, ["/document_id"]],
      [{ document_id: sent, invitation }, ["/document_id"]],
      [{ document_id, invitation, notary: notary("nothing") }, ["/notary/id"]],
      [{ document_id, invitation, notary: notary("NotaryInvitedxxxxxxxxx") }, ["/notary/id"]],
      [{ document_id, invitation, notary: { id: NOTARY, scheduled_at: "soon" } }, ["/notary/scheduled_at"]],
    ] as const) {
      const answer = await world.call("createNotarizationRequest", { body });
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: "bad_request" } });
      expect(answer.body.details.map((one: { pointer: string }) => one.pointer)).toEqual(pointers);
    }
    expect(world.tenant.store.notarizations.size).toBe(0);
  });

  test("every notary operation answers 403 without the add-on", async () => {
    const { id } = await aRequest(world);
    const document_id = await aDraft(world);
    disableAddOn(world);
    const params = { session_request_id: id };
    expect(await world.call("listNotaries")).toMatchObject(FORBIDDEN);
    expect(await world.call("listNotarizationRequests")).toMatchObject(FORBIDDEN);
    expect(await world.call("notarizationRequestDetails", { params })).toMatchObject(FORBIDDEN);
    expect(await world.call("deleteNotarizationRequest", { params })).toMatchObject(FORBIDDEN);
    const body = { document_id, invitation: { invitees: [INVITEE] } };
    expect(await world.call("createNotarizationRequest", { body })).toMatchObject(FORBIDDEN);
  });
});

describe("mails of a notarization", () => {
  const mailsTo = (world: TestWorld, to: string) =>
    world.sandbox.emails
      .find({ to, kind: "notarization" })
      .map(({ subject, text, link }) => [subject, text, link?.replace(/[^/]+$/, "…") ?? null]);

  test("invitees and the chosen notary get their messages, invitees hear of a deletion, and the author of the end", async () => {
    const notary = { id: NOTARY, scheduled_at: "2026-03-03T09:00:00Z", message: "Please be on time." };
    const invitation = { invitees: [INVITEE], message: "Bring your passport." };
    const { id } = await aRequest(world, { invitation, notary });
    const invited = ['Nora Lind invites you to the notarization of "Service agreement"', "Bring your passport."];
    const link = "https://notarize.pandadoc.com/session-request#/…";
    expect(mailsTo(world, INVITEE.email)).toEqual([[...invited, link]]);
    const { email } = world.tenant.store.notaries.get(NOTARY) ?? { email: "" };
    expect(mailsTo(world, email)).toEqual([[invited[0], "Please be on time.", null]]);
    await world.call("deleteNotarizationRequest", { params: { session_request_id: id } });
    const deleted = 'The notarization of "Service agreement" was deleted';
    expect(mailsTo(world, INVITEE.email)).toEqual([
      [...invited, link],
      [deleted, `${deleted}.`, null],
    ]);
    const next = await aRequest(world);
    for (const name of ["accept", "go_live", "complete"]) await succeed(act(world, next.id, name));
    await world.advance("1s");
    const done = 'The notarization of "Service agreement" is completed';
    expect(mailsTo(world, "nora.lind@northpeak.example")).toEqual([
      [done, `${done}.`, `${new URL("/notary/files/", world.sandbox.url).href}…`],
    ]);
  });
});

describe("the life of a notarization request", () => {
  test("notarizationRequestDetails follows the simulated acts, and returns new file links on each call, valid for one hour", async () => {
    const { id } = await aRequest(world);
    expect((await succeed(act(world, id, "join"))).body.status).toBe("WAITING_FOR_NOTARY");
    await world.advance("2m");
    expect((await detailsOf(world, id)).status).toBe("ACCEPTED");
    expect(await act(world, id, "complete")).toMatchObject({ status: 409, body: { id, status: "ACCEPTED" } });
    expect((await succeed(act(world, id, "go_live"))).body.date_accepted).toBe("2026-03-02T09:02:05.000000Z");
    expect(await detailsOf(world, id)).toMatchObject({
      status: "LIVE",
      date_started: "2026-03-02T09:02:05.000000Z",
      signed_documents: [],
      recording: null,
    });
    await world.advance("20m");
    await succeed(act(world, id, "complete"));
    await world.advance("1s");
    const one = await detailsOf(world, id);
    const two = await detailsOf(world, id);
    expect(one).toMatchObject({
      status: "COMPLETED",
      date_completed: "2026-03-02T09:22:05.000000Z",
      signed_documents: [{ document_name: "Service agreement.pdf", document_type: "SINGLE" }],
      recording: { name: "Service agreement.webm" },
      termination_reason: null,
      invitees: [INVITEE],
    });
    expect(two.signed_documents[0].url).not.toBe(one.signed_documents[0].url);
    const path = new URL(one.signed_documents[0].url).pathname;
    const file = await world.request("GET", path, { key: null });
    expect({ status: file.status, size: file.body.length }).toEqual({ status: 200, size: one.signed_documents[0].size });
    expect(Buffer.from(file.body.slice(0, 5)).toString()).toBe("%PDF-");
    const recording = new URL(one.recording.url).pathname;
    const video = await world.request("GET", recording, { key: null });
    expect({ status: video.status, size: video.body.length }).toEqual({ status: 200, size: one.recording.size });
    expect(video.headers.get("content-type")).toBe("video/webm");
    expect(video.headers.get("content-disposition")).toBe('attachment; filename="Service agreement.webm"');
    expect(two.recording).toEqual({ ...one.recording, url: expect.not.stringContaining(recording) });
    expect((await world.request("GET", new URL(two.recording.url).pathname, { key: null })).body).toEqual(video.body);
    await world.advance("1h");
    expect((await world.request("GET", path, { key: null })).status).toBe(404);
    expect((await world.request("GET", recording, { key: null })).status).toBe(404);
    const three = await detailsOf(world, id);
    const kept = world.tenant.store.notary_links.where("notarization", id).map((link) => `/notary/files/${link.id}`);
    const shown = [three.signed_documents[0].url, three.recording.url].map((url: string) => new URL(url).pathname);
    expect(kept.sort()).toEqual(shown.sort());
    expect(await act(world, id, "cancel")).toMatchObject({ status: 409 });
  });

  test("notarizationRequestDetails of a document with sections lists one combined file and one file per section", async () => {
    const request = await aRequest(world);
    const { document_id } = await detailsOf(world, request.id);
    const parts = { file: await aPdf(2), data: { name: "Terms", recipients: [] } };
    await succeed(world.call("uploadSectionWithUpload", { params: { document_id }, parts }));
    await world.advance("10s");
    for (const name of ["accept", "go_live", "complete"]) await succeed(act(world, request.id, name));
    await world.advance("1s");
    const { signed_documents } = await detailsOf(world, request.id);
    expect(signed_documents).toMatchObject([
      { document_name: "Service agreement.pdf", document_type: "COMBINED" },
      { document_name: "1 Service agreement.pdf", document_type: "SINGLE" },
      { document_name: "2 Terms.pdf", document_type: "SINGLE" },
    ]);
    const pages = [];
    for (const { url, size } of signed_documents) {
      const { body } = await world.request("GET", new URL(url).pathname, { key: null });
      expect(body.length).toBe(size);
      pages.push((await PDFDocument.load(body)).getPageCount());
    }
    expect(pages).toEqual([3, 1, 2]);
  });

  test("createNotarizationRequest with a chosen notary delays the acceptance until the scheduled time", async () => {
    const { id } = await aRequest(world, { notary: { id: NOTARY, scheduled_at: "2026-03-02T11:00:00Z" } });
    await succeed(act(world, id, "join"));
    await world.advance("1h");
    expect((await detailsOf(world, id)).status).toBe("WAITING_FOR_NOTARY");
    await world.advance("1h");
    expect((await detailsOf(world, id)).status).toBe("ACCEPTED");
  });

  test("notarizationRequestDetails shows the termination reason of an incomplete session", async () => {
    const { id } = await aRequest(world);
    for (const name of ["accept", "go_live"]) await succeed(act(world, id, name));
    expect(await act(world, id, "incomplete", { reason: "RAIN" })).toMatchObject({ status: 400 });
    await succeed(act(world, id, "incomplete", { reason: "SIGNER_NO_SHOW", details: "Nobody came" }));
    expect(await detailsOf(world, id)).toMatchObject({
      status: "INCOMPLETE",
      date_completed: null,
      termination_reason: "SIGNER_NO_SHOW",
      termination_details: "Nobody came",
      signed_documents: [],
    });
    const wrong = await act(world, id, "acept");
    expect(wrong).toMatchObject({ status: 404, body: { why: expect.stringContaining("did you mean accept?") } });
    expect(await act(world, "nothing", "accept")).toMatchObject({ status: 404 });
  });
});

describe("deleteNotarizationRequest", () => {
  const remove = (world: TestWorld, id: string, key?: string) =>
    world.call("deleteNotarizationRequest", { params: { session_request_id: id }, ...(key ? { key } : {}) });

  test.each([
    [[], 204],
    [["join"], 204],
    [["accept"], 400],
    [["accept", "go_live"], 400],
    [["accept", "go_live", "complete"], 400],
    [["accept", "go_live", "incomplete"], 204],
    [["cancel"], 400],
  ])("deleteNotarizationRequest after the acts %j answers %i", async (acts, status) => {
    const { id } = await aRequest(world);
    for (const name of acts) await succeed(act(world, id, name));
    const answer = await remove(world, id);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toMatchObject({ code: "bad_request" });
    else expect(await remove(world, id)).toMatchObject(NOT_FOUND);
  });
});

describe("lists of notaries and requests", () => {
  test("listNotaries filters, orders and pages, and refuses wrong parameters", async () => {
    const names = async (query: Record<string, string>) =>
      (await succeed(world.call("listNotaries", { query }))).body.results.map((one: { name: string }) => one.name);
    expect((await world.call("listNotaries")).body).toEqual({
      results: [
        {
          id: "NotaryInvitedxxxxxxxxx",
          email: "otto.seal@northpeak.example",
          name: "Otto Seal",
          status: "INVITED",
          commission_state: "Arizona",
        },
        {
          id: NOTARY,
          email: "rhea.stamp@northpeak.example",
          name: "Rhea Stamp",
          status: "ACTIVE",
          commission_state: "California",
        },
      ],
      count: 2,
    });
    expect(await names({ order_by: "-name" })).toEqual(["Rhea Stamp", "Otto Seal"]);
    expect(await names({ status: "ACTIVE,REJECTED" })).toEqual(["Rhea Stamp"]);
    expect(await names({ commission_state: "Arizona" })).toEqual(["Otto Seal"]);
    expect(await names({ limit: "1", offset: "1" })).toEqual(["Rhea Stamp"]);
    for (const query of [{ status: "AWAKE" }, { limit: "101" }, { offset: "-1" }, { order_by: "age" }])
      expect(await world.call("listNotaries", { query: query as unknown as Record<string, string> })).toMatchObject({
        status: 400,
        body: { code: "bad_request" },
      });
  });

  test("listNotarizationRequests filters, orders and pages", async () => {
    const [one, two] = [await aRequest(world), await aRequest(world)];
    await succeed(act(world, two.id, "accept"));
    const ids = async (query: Record<string, string>) =>
      (await succeed(world.call("listNotarizationRequests", { query }))).body.results.map((row: { id: string }) => row.id);
    expect(await ids({})).toEqual([one.id, two.id]);
    expect(await ids({ order_by: "-date_created" })).toEqual([two.id, one.id]);
    expect(await ids({ order_by: "status" })).toEqual([two.id, one.id]);
    expect(await ids({ status: "SENT" })).toEqual([one.id]);
    expect(await ids({ created_by_user_id: "UserSamxxxxxxxxxxxxxxx" })).toEqual([]);
    expect(await ids({ limit: "1", offset: "1" })).toEqual([two.id]);
    const { body } = await world.call("listNotarizationRequests", { query: { status: "ACCEPTED" } });
    expect(body).toMatchObject({
      count: 1,
      results: [{ id: two.id, name: "Service agreement", date_started: null, created_by_user_id: "UserNoraxxxxxxxxxxxxxx" }],
    });
    expect(await ids({ document_id: body.results[0].document_id })).toEqual([two.id]);
    expect(await world.call("listNotarizationRequests", { query: { limit: "0" } })).toMatchObject({ status: 400 });
  });

  test("listNotarizationRequests shows the requests of other users to admins of the workspace and of the organization only", async () => {
    const { id } = await aRequest(world);
    const sam = await asMember(world, SAM.member);
    const seen = async () =>
      (await succeed(world.call("listNotarizationRequests", sam))).body.results.map((row: { id: string }) => row.id);
    expect(await seen()).toEqual([]);
    const members = [{ id: SAM.member, user_id: SAM.user, email: SAM.email, role: "Member", is_organization_admin: true }];
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "promoted", world: { members } }));
    expect(await seen()).toEqual([id]);
  });
});
