/** A long list can exceed the maximum length of a string, so this streams it. */

const CHUNK_CHARACTERS = 256 * 1024;

export function streamList(name: string, items: Iterable<unknown>, rest: object = {}): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = piecesOf(name, items, rest);
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        let text = "";
        while (text.length < CHUNK_CHARACTERS) {
          const next = pieces.next();
          if (next.done) break;
          text += next.value;
        }
        if (text === "") controller.close();
        else controller.enqueue(encoder.encode(text));
      },
      cancel: () => void pieces.return(),
    },
    { highWaterMark: 0 },
  );
}

function* piecesOf(name: string, items: Iterable<unknown>, rest: object): Generator<string, void> {
  let before = `{${JSON.stringify(name)}:[`;
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ",";
  }
  if (before !== ",") yield before;
  const members = JSON.stringify(rest).slice(1);
  yield members === "}" ? "]}" : `],${members}`;
}
