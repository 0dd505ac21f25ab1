import { describe, expect, test } from "vitest";
import { gif, JPEG, png, webp } from "../../support/images.ts";
import { asMember, PERMISSION, SAM } from "../../support/people.ts";
import { receiver } from "../../support/receiver.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

describe("createWorkspace with an icon", () => {
  test.each([
    ["PNG", png(16, 16)],
    ["JPEG", JPEG],
    ["GIF", gif(9, 9)],
    ["lossy WEBP", webp("VP8 ", 300, 300)],
    ["lossless WEBP", webp("VP8L", 700, 700)],
    ["extended WEBP", webp("VP8X", 70_000, 70_000)],
  ])("createWorkspace accepts a square icon in the format %s", async (_, bytes) => {
    const icon_url = (await receiver()).serve("/icon", bytes, "text/plain");
    expect((await world.call("createWorkspace", { body: { name: "Branch", icon_url } })).status).toBe(201);
  });

  test.each([
    ["a PNG that is too wide", png(17, 16), "Icon should have square proportions."],
    ["an extended WEBP that is too high", webp("VP8X", 70_000, 70_001), "Icon should have square proportions."],
    ["a lossless WEBP that is too wide", webp("VP8L", 701, 700), "Icon should have square proportions."],
    ["a lossy WEBP that is too high", webp("VP8 ", 300, 301), "Icon should have square proportions."],
    ["a GIF that is too wide", gif(10, 9), "Icon should have square proportions."],
    ["an SVG image", Buffer.from("<svg></svg>"), "Supported formats: JPEG, PNG, GIF, WEBP."],
    ["an empty file", Buffer.alloc(0), "Supported formats: JPEG, PNG, GIF, WEBP."],
    ["a PNG of size 0", png(0, 0), "Supported formats: JPEG, PNG, GIF, WEBP."],
    ["a truncated JPEG", JPEG.subarray(0, 60), "Supported formats: JPEG, PNG, GIF, WEBP."],
    ["a file above 5 MB", Buffer.alloc(5 * 1024 * 1024 + 1), "The maximum file size is exceeded, limit is 5 MB"],
  ])("createWorkspace refuses %s as the icon, and creates nothing", async (_, bytes, message) => {
    const before = world.tenant.store.snapshot();
    const icon_url = (await receiver()).serve("/icon", bytes, "image/png");
    const refused = await world.call("createWorkspace", { body: { name: "Branch", icon_url } });
    expect(refused).toMatchObject({ status: 400, body: { type: "validation_error", detail: { icon_url: [message] } } });
    expect(refused.headers.get("x-docdouble-why")).toMatch(/\w/);
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("createWorkspace refuses an icon that cannot be downloaded, and downloads nothing for callers without permission", async () => {
    const server = await receiver();
    server.answerWith(404, "reset");
    const failed = (url: string, reason = "") => [`Failed to download file from link ${url}.${reason}`];
    const call = async (icon_url: string) => (await world.call("createWorkspace", { body: { name: "x", icon_url } })).body.detail;
    const url = `${server.url}/icon.png`;
    expect(await call(url)).toEqual({ icon_url: failed(url, " (status code: 404)") });
    expect(await call(url)).toEqual({ icon_url: failed(url) });
    const elsewhere = "http://169.254.169.254/icon.png";
    expect((await call(elsewhere)).icon_url[0]).toMatch(/^Failed to download file from link http:\/\/169\.254\.169\.254/);
    const sam = await asMember(world, SAM.member);
    const refused = await world.call("createWorkspace", { ...sam, body: { name: "x", icon_url: url } });
    expect(refused).toMatchObject({ status: 403, body: PERMISSION });
    expect(server.received).toHaveLength(2);
  });
});
