import { describe, expect, test } from "vitest";
import { anotherWorkspace, aTokenOf, asMember, bearer, INES } from "../../support/people.ts";
import { aDraft, succeed } from "../../support/stories.ts";
import { type CallOptions, SANDBOX_KEY, testWorld, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const VERSIONS = [
  { list: "listLogs", details: "detailsLog", isV2: false },
  { list: "listLogsV2", details: "detailsLogV2", isV2: true },
] as const;

interface LogItem {
  id: string;
  url: string;
  method: string;
  status: number;
}

describe.each(VERSIONS)("$list", ({ list, details, isV2 }) => {
  const logs = async (world: TestWorld, query: CallOptions["query"] = {}, options: CallOptions = {}): Promise<LogItem[]> =>
    (await succeed(world.call(list, { ...options, query }))).body.results;

  test(`${list} shows the calls of the workspace, newest first, without the call that lists them`, async () => {
    const { body: contact } = await succeed(world.call("createContact", { body: { first_name: "Ada" } }));
    await world.advance("1500ms");
    await world.call("detailsContact", { params: { id: "nobody" } });
    const { status, body } = await world.call(list);
    expect(status).toBe(200);
    expect(body).toEqual({
      results: [
        {
          id: expect.stringMatching(/^[\w-]{20}$/),
          url: "/public/v1/contacts/nobody",
          method: "GET",
          status: 404,
          request_time: "2026-03-02T09:00:01.500",
          response_time: "2026-03-02T09:00:01.500",
        },
        {
          id: expect.stringMatching(/^[\w-]{20}$/),
          url: "/public/v1/contacts",
          method: "POST",
          status: 201,
          request_time: "2026-03-02T09:00:00.000",
          response_time: "2026-03-02T09:00:00.000",
        },
      ],
    });
    expect(contact.first_name).toBe("Ada");
    expect((await logs(world))[0]).toMatchObject({ url: `/public/${isV2 ? "v2" : "v1"}/logs`, status: 200 });
  });

  test(`${list} filters by status group, method and a part of the URL`, async () => {
    const id = await aDraft(world);
    await world.call("sendDocument", { params: { id }, body: { silent: true } });
    await world.call("sendDocument", { params: { id }, body: { silent: 7 } });
    await world.call("deleteDocument", { params: { id } });
    const show = (rows: LogItem[]) => rows.map((row) => `${row.method} ${row.status}`);
    expect(show(await logs(world, { statuses: 400 }))).toEqual(["POST 400"]);
    expect(show(await logs(world, { statuses: ["400", "200"], methods: ["DELETE", "POST"] }))).toEqual([
      "DELETE 204",
      "POST 400",
      "POST 200",
      "POST 201",
    ]);
    expect(show(await logs(world, { methods: "DELETE" }))).toEqual(["DELETE 204"]);
    expect(show(await logs(world, { search: `documents/${id}/SEND` }))).toEqual(["POST 400", "POST 200"]);
    expect(show(await logs(world, { search: "search=documents" }))).toEqual(["GET 200"]);
    expect(await logs(world, { statuses: 500 })).toEqual([]);
  });

  test(`${list} filters by a time window of dates, durations or now, and defaults to 90 days`, async () => {
    await world.call("createContact", { body: {} });
    await world.advance("2d");
    await world.call("createDocumentFolder", { body: { name: "Later" } });
    await world.advance("1h");
    const urls = async (query: Record<string, string>) =>
      (await logs(world, { ...query, methods: "POST" })).map((row) => row.url.replace("/public/v1/", ""));
    expect(await urls({})).toEqual(["documents/folders", "contacts"]);
    expect(await urls({ since: "-1d" })).toEqual(["documents/folders"]);
    expect(await urls({ since: "-30m" })).toEqual([]);
    expect(await urls({ to: "-1d" })).toEqual(["contacts"]);
    expect(await urls({ since: "-1d", to: "now" })).toEqual(["documents/folders"]);
    expect(await urls({ since: "2026-03-02T09:00:00Z", to: "2026-03-03" })).toEqual(["contacts"]);
    expect(await urls({ since: "now" })).toEqual([]);
    await world.advance("89d");
    expect(await urls({})).toEqual(["documents/folders"]);
    expect(await urls({ since: "-92d", to: "-90d" })).toEqual(["contacts"]);
  });

  test(`${list} separates sandbox from production, and hides calls of other workspaces, other tenants and unknown keys`, async () => {
    const world = await testWorld();
    const branch = await anotherWorkspace(world);
    await world.call("createContact", { key: SANDBOX_KEY, body: { first_name: "In the sandbox" } });
    await world.call("createContact", { key: branch.key, body: {} });
    await world.call("createContact", { key: "test-logs", body: {} });
    await world.call("createContact", { key: null, body: {} });
    await world.call("createContact", { key: "wrong", body: {} });
    const contacts = { search: "/contacts" };
    expect(await logs(world, contacts)).toHaveLength(1);
    expect(await logs(world, { ...contacts, environment_type: "SANDBOX", methods: "POST" })).toHaveLength(1);
    expect(await logs(world, { ...contacts, environment_type: "PRODUCTION", methods: "POST" })).toEqual([]);
    expect(await logs(world, { methods: "POST" }, { key: branch.key })).toHaveLength(1);
    expect(await logs(world, { methods: "POST" }, { key: "test-logs" })).toHaveLength(1);
  });

  test(`${details} shows the query, the token and its application`, async () => {
    const reader = bearer(await aTokenOf(world, "read"));
    await world.call("listForm", { ...reader, query: { count: 2, status: ["draft", "active"] } });
    const [item] = await logs(world);
    expect((await world.call(details, { params: { id: item?.id ?? "" } })).body).toMatchObject({
      url: "/public/v1/forms",
      request_body: {},
      query_params_string: "count=2&status=draft&status=active",
      query_params_object: { count: "2", status: ["draft", "active"] },
      token_type: "OAUTH2_TOKEN",
      application: "docdouble example application",
    });
    await world.call("listForm", await asMember(world, INES.member));
    const [byInes] = await logs(world);
    expect((await world.call(details, { params: { id: byInes?.id ?? "" } })).body).toMatchObject({
      token_type: "OAUTH2_TOKEN",
      application: null,
      user_id: INES.user,
    });
  });
});
