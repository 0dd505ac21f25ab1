import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server that sends any bytes, until the end of the test. Returns its URL, and the connections that it has seen. */
export async function rawServer(onConnection: (socket: Socket) => void): Promise<{ url: string; port: number; seen: Socket[] }> {
  const seen: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    seen.push(socket);
    onConnection(socket.on("error", () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of seen) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

/** Waits for a request, then sends this text. `end` closes the connection after it. */
export function answering(text: string | Buffer, end?: "end"): (socket: Socket) => void {
  return (socket) =>
    void socket.once("data", () => {
      socket.write(text);
      if (end) socket.end();
    });
}

/** Sends the head after a request, then the part again and again, as fast as the client reads. */
export function endless(head: string, part: string | Buffer): (socket: Socket) => void {
  return (socket) =>
    void socket.once("data", () => {
      const more = () => {
        while (!socket.destroyed && socket.write(part));
        if (!socket.destroyed) socket.once("drain", () => setImmediate(more));
      };
      socket.write(head);
      more();
    });
}
