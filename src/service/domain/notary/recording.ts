/** A WebM video drawn for this project: one VP8 frame of 160 by 96 pixels at the start and at the end. */
const VIDEO = Buffer.from(
  "GkXfoxAAADRChhAAAAEBQvcQAAABAULyEAAAAQRC8xAAAAEIQoIQAAAEd2VibUKHEAAAAQJChRAAAAECGFOAZxAAAzkVSalmEAAANirXsRAAAAMPQkBEiRAAAAhA" +
    "j0AAAAAAAE2AEAAACWRvY2RvdWJsZVdBEAAACWRvY2RvdWJsZRZUrmsQAAAzrhAAAC7XEAAAAQFzxRAAAAEBgxAAAAEBhhAAAAVWX1ZQOOAQAAAMsBAAAAGguhAA" +
    "AAFgH0O2dRAAAVjnEAAABgAAAAAAAKMQAAFIgQAAgJAOAJ0BKqAAYAA/EYC2UqwopSKudogBgCIJaQDStKr/F76B2Ava8gtfCqV0hEi+Zcy6fv2kaa+d8kQQaceN" +
    "r4bIMyucGclobYFsNZX957gIpwib5/Xz4FVvMGZPpD/xxTHJ0RnD5zngXkFi14O21qWtSlou788kvMDs2IkAAP7uQqm5Y0rS3K5TGQVK5TGUuwRx6qrimEu5pcpr" +
    "VUuWPFAW8odaxECKe6G/7bO1c40TF8D2bTc6jr04EBTzfyhFH2YpCZ/j1zc2Jo2OJNjb8cTXNycHxVp2eJM9FsshyvaR8C/QrQxKRBQqxtMhE5AbFxDvlOd+KPSn" +
    "D2wSy4Oy1vUhyAmLF56/zqIcGgSeU/Tvnp7ObBa82X74m3h3iR7PUA1rBhGt/0+0jx7LoAFWHNeT8JIx9O3aOOTcs3vWktbYacAAAB9DtnUQAAFY5xAAAAYAAAAA" +
    "AfSjEAABSIEAAICQDgCdASqgAGAAPxGAtlKsKKUirnaIAYAiCWkA0rSq/xe+gdgL2vILXwqldIRIvmXMun79pGmvnfJEEGnHja+GyDMrnBnJaG2BbDWV/ee4CKcI" +
    "m+f18+BVbzBmT6Q/8cUxydEZw+c54F5BYteDttalrUpaLu/PJLzA7NiJAAD+7kKpuWNK0tyuUxkFSuUxlLsEceqq4phLuaXKa1VLljxQFvKHWsRAinuhv+2ztXON" +
    "ExfA9m03Oo69OBAU838oRR9mKQmf49c3NiaNjiTY2/HE1zcnB8VadniTPRbLIcr2kfAv0K0MSkQUKsbTIROQGxcQ75Tnfij0pw9sEsuDstb1IcgJixeev86iHBoE" +
    "nlP0756ezmwWvNl++Jt4d4kez1ANawYRrf9PtI8ey6ABVhzXk/CSMfTt2jjk3LN71pLW2GnAAAA=",
  "base64",
);
/** Offsets of the length (8 bytes) and of the time of the last frame (6 bytes), both in milliseconds. */
const LENGTH_AT = 92;
const LAST_FRAME_AT = 554;
const LAST_FRAME_MS = 500;
const LENGTH_MS_MIN = 1000;

export function recordingOfLength(ms: number): Uint8Array {
  const length = Math.max(ms, LENGTH_MS_MIN);
  const video = Buffer.from(VIDEO);
  video.writeDoubleBE(length, LENGTH_AT);
  video.writeUIntBE(length - LAST_FRAME_MS, LAST_FRAME_AT, 6);
  return video;
}
