/**
 * A socket that the kernel closes with its process. A successful connection proves that the holder lives, across all processes,
 * network and user namespaces of the kernel. On Windows it is a named pipe.
 */
import { closeSync, constants, lstatSync, openSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { basename, dirname } from "node:path";

/** The longest socket path that every system accepts. */
const PATH_BYTES_MAX = 100;

export interface LockSocket {
  refresh(): void;
  close(): void;
}

/** Binds a socket at `path`. @throws where the file system or the system has no sockets */
export async function bindSocket(path: string): Promise<LockSocket> {
  let server = await listenAt(path);
  let isBinding = false;
  let isClosed = false;
  return {
    refresh() {
      if (isBinding || isPipe(path) || lstatSync(path, { throwIfNoEntry: false })) return;
      isBinding = true;
      server.close();
      void listenAt(path)
        .then((fresh) => {
          server = fresh;
          if (isClosed) server.close();
        })
        .catch(() => {})
        .finally(() => {
          isBinding = false;
        });
    },
    close() {
      isClosed = true;
      server.close();
      if (!isPipe(path)) rmSync(path, { force: true });
    },
  };
}

export async function probeSocket(path: string): Promise<"alive" | "dead" | "unknown"> {
  try {
    return await withShortPath(path, (short) => ask(short, isPipe(path)));
  } catch {
    return "unknown";
  }
}

function ask(path: string, isPipe: boolean): Promise<"alive" | "dead" | "unknown"> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve("alive");
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      // A pipe vanishes with its process; a socket's file remains. EAGAIN means a full queue, so the process lives.
      const isDead = code === "ECONNREFUSED" || (isPipe && code === "ENOENT");
      resolve(isDead ? "dead" : code === "EAGAIN" ? "alive" : "unknown");
    });
  });
}

function listenAt(path: string): Promise<Server> {
  return withShortPath(
    path,
    (short) =>
      new Promise<Server>((resolve, reject) => {
        const server = createServer((socket) => socket.destroy());
        server.once("error", reject);
        server.listen(short, () => {
          server.unref();
          resolve(server);
        });
      }),
  );
}

async function withShortPath<Result>(path: string, use: (short: string) => Promise<Result>): Promise<Result> {
  if (isPipe(path) || Buffer.byteLength(path) <= PATH_BYTES_MAX) return use(path);
  if (process.platform !== "linux") throw new Error(`${path} is too long for a socket`);
  const directory = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return await use(`/proc/self/fd/${directory}/${basename(path)}`);
  } finally {
    closeSync(directory);
  }
}

function isPipe(path: string): boolean {
  return path.startsWith("\\\\.\\pipe\\");
}
