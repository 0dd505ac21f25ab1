/** Asks docdouble to sleep, over a plain socket that no patched client touches. */
import net from "node:net";

export interface Asked {
  cancel(): void;
  unref(): void;
}

const { connect } = net.Socket.prototype;

/** @param done gets the milliseconds by which docdouble's clock moved. Undefined when docdouble does not answer */
export function askSleep(
  { address, key }: { address: URL; key: string },
  body: { by: number; alone?: boolean },
  done: (slept: number | undefined) => void,
): Asked {
  const socket = new net.Socket();
  let text = "";
  let isOver = false;
  const finish = (slept: number | undefined) => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    done(slept);
  };
  socket.setEncoding("utf8");
  socket.on("data", (more) => {
    text += String(more);
    const [, from, to] = /"from": *"([^"]+)", *"to": *"([^"]+)"/.exec(text.replace(/\n/g, "")) ?? [];
    if (from !== undefined && to !== undefined) finish(Date.parse(to) - Date.parse(from));
    else if (/^HTTP\/1\.1 [45]/.test(text)) finish(undefined);
  });
  socket.on("error", () => finish(undefined));
  socket.on("close", () => finish(undefined));
  Reflect.apply(connect, socket, [{ host: address.hostname, port: Number(address.port) }]);
  const content = JSON.stringify(body);
  socket.write(
    `POST /__admin/clock/sleep HTTP/1.1\r\nhost: ${address.host}\r\nauthorization: API-Key ${key}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`,
  );
  return {
    cancel: () => {
      isOver = true;
      socket.destroy();
    },
    unref: () => {
      socket.unref();
    },
  };
}
