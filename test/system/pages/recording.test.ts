/** Tests that the recording of a notarization plays as a video in a real browser. */
import { expect, test } from "vitest";
import { aDraft, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, useBrowser } from "../../support/browser.ts";

useBrowser();

/** Seeks to half a second before the end of the video. Returns its length and size, and whether the person and the wall are light. */
const watch = (base64: string) => `(async () => {
  const video = Object.assign(document.createElement("video"), { muted: true, src: "data:video/webm;base64,${base64}" });
  await new Promise((ok, no) => Object.assign(video, { onloadeddata: ok, onerror: () => no(new Error(video.error.message)) }));
  video.currentTime = video.duration - 0.5;
  await new Promise((ok) => Object.assign(video, { onseeked: ok }));
  const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 96 });
  const context = canvas.getContext("2d");
  const light = (x, y) => context.getImageData(x, y, 1, 1).data[0] > 128;
  // A busy machine reports the end of the seek before it has drawn the frame.
  for (let tries = 0; tries < 60 && !light(50, 40); tries++) {
    await new Promise((ok) => setTimeout(ok, tries ? 50 : 0));
    context.drawImage(video, 0, 0);
  }
  return { length: video.duration, size: [video.videoWidth, video.videoHeight], person: light(50, 40), wall: light(2, 2) };
})()`;

test.each([
  ["0s", 1],
  ["25m", 1500],
])("notarizationRequestDetails of a session of %s links a recording that plays for %s seconds", async (length, seconds) => {
  const world = await testWorld();
  const document_id = await aDraft(world);
  const body = { document_id, invitation: { invitees: [{ email: "ivo.marek@client.example" }] } };
  const { id } = (await succeed(world.call("createNotarizationRequest", { body }))).body;
  for (const act of ["accept", "go_live"]) await succeed(world.admin("POST", `/notary/${id}/simulate/${act}`));
  await world.advance(length);
  await succeed(world.admin("POST", `/notary/${id}/simulate/complete`));
  const details = await succeed(world.call("notarizationRequestDetails", { params: { session_request_id: id } }));
  const video = await world.request("GET", new URL(details.body.recording.url).pathname, { key: null });
  const page = await aPage();
  expect(await page.evaluate(watch(Buffer.from(video.body).toString("base64")))).toEqual({
    length: seconds,
    size: [160, 96],
    person: true,
    wall: false,
  });
});
