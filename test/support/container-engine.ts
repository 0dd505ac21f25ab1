/**
 * A container engine for tests: podman as `docker`, without a daemon, with all that it keeps in a folder of its own.
 *
 * It lives in namespaces of its own too. What it mounts is seen by nobody else, and when the process that holds them ends, at the
 * latest with the test run, every container ends and every mount is gone. Its containers reach the registry and the loopback of the
 * machine by slirp4netns, so that no bridge is made and no rule of the firewall changed; and they publish ports on loopback alone.
 *
 * No registry of images is asked. What images begin with is put together from the machine's own Node and npm.
 */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

export interface Engine {
  /** A folder with `docker`, and with `podman` as podman-compose calls it: that one publishes ports in a network of its own. */
  bin: string;
  /** Ends its containers and takes all away that it kept. */
  remove(): Promise<void>;
}

/** Below this the engine keeps its files on the disk. */
const MEMORY_WANTED = 4 * 2 ** 30;
const NAMESPACES = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const PROGRAMS = ["podman", "crun", "conmon", "slirp4netns", "nsenter", "unshare"];

/** What the machine lacks for an engine; undefined when there can be one. */
export function missingForEngine(...more: string[]): string | undefined {
  // Mounts are for root. Rootless engines are another matter.
  if (process.getuid?.() !== 0) return "root";
  const program = [...PROGRAMS, ...more].find((one) => pathOf(one) === undefined);
  if (program !== undefined) return program;
  // Root of a container often may make none of these.
  const { status } = spawnSync("unshare", [...NAMESPACES, "sh", "-c", PROBE], { stdio: "ignore" });
  return status === 0 ? undefined : (LACKS[status ?? 0] ?? "namespace");
}

/** What the engine mounts, and what its network goes through; in a namespace that is gone at once. */
const PROBE = `test -w /dev/net/tun || exit 11
mount -t tmpfs tmpfs /mnt && cd /mnt && mkdir lower upper work merged || exit 12
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged || exit 13`;
const LACKS: Readonly<Record<number, string>> = { 11: "tun", 12: "tmpfs", 13: "overlay" };

function pathOf(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/libexec/podman", "/usr/lib/podman"];
  return folders.map((folder) => join(folder, program)).find(existsSync);
}

/** `base` is the name that images begin with. */
export async function engine(base: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-engine-"));
  const bin = join(folder, "bin");
  let holder: ChildProcess | undefined;
  const remove = async () => {
    const ended = new Promise((done) => (holder?.exitCode === null ? holder.once("exit", done) : done(undefined)));
    // The first process of the namespace, and with it all others.
    holder?.stdin?.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const name of ["bin", "store", "layers"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "containers.conf"), settings(folder));
    writeFileSync(join(folder, "storage.conf"), storage(folder));
    holder = await hold(folder);
    script(join(bin, "docker"), shim(folder, holder.pid as number));
    script(join(bin, "podman"), enter(folder, holder.pid as number, ["net"]));
    await importBase(bin, base, join(folder, "base"));
  } catch (error) {
    await remove();
    throw error;
  }
  return { bin, remove };
}

function settings(folder: string): string {
  return `[containers]
# Containers stay where this process is; and no process may raise what it may not.
cgroups = "disabled"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
log_driver = "k8s-file"
netns = "slirp4netns"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/store/networks"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
network_cmd_options = ["allow_host_loopback=true"]
runtime = "crun"
static_dir = "${folder}/store/root/libpod"
tmp_dir = "${folder}/store/tmp"
volume_path = "${folder}/store/root/volumes"
`;
}

function storage(folder: string): string {
  return `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/store/root"\nrunroot = "${folder}/store/run"\n`;
}

/** Namespaces of mounts, processes and network that last as long as this process does. */
async function hold(folder: string): Promise<ChildProcess> {
  const layer = (path: string, name: string) => {
    const [upper, work] = ["upper", "work"].map((one) => `${folder}/layers/${name}/${one}`);
    return `mkdir -p ${upper} ${work}\nmount -t overlay overlay -o lowerdir=${path},upperdir=${upper},workdir=${work} ${path}`;
  };
  const script = [
    "set -e",
    // What it writes beside its own folders is seen by itself alone.
    `mount -t tmpfs tmpfs ${folder}/layers`,
    layer("/run", "run"),
    layer("/var/cache", "cache"),
    layer("/var/lib", "lib"),
    // The packages of a build are a gigabyte of small files, which are gone a minute later.
    freemem() > MEMORY_WANTED ? `mount -t tmpfs -o size=4g tmpfs ${folder}/store` : "true",
    "mount -t tmpfs tmpfs /dev/shm",
    // crun refuses a mixture of both kinds of cgroups, and needs neither.
    "umount /sys/fs/cgroup/unified 2>/dev/null || true",
    "ip link set lo up 2>/dev/null || true",
    "echo held",
    // Until this process closes the pipe. Meanwhile the shell sees to processes that others leave behind: podman waits for them.
    "exec 3<&0",
    "cat <&3 &",
    "wait",
  ].join("\n");
  const child = spawn("unshare", [...NAMESPACES, "sh", "-c", script], { stdio: ["pipe", "pipe", "pipe"] });
  await new Promise<void>((held, failed) => {
    let said = "";
    child.stderr.on("data", (bytes: Buffer) => {
      said += bytes;
    });
    child.stdout.once("data", () => held());
    child.once("exit", () => failed(new Error(`no namespaces of its own: ${said}`)));
  });
  return child;
}

/** Calls podman inside, from the folder outside. */
function enter(folder: string, holder: number, more: readonly string[] = []): string {
  const spaces = ["mnt", ...more].map((name) => `--${name === "mnt" ? "mount" : name}=/proc/${holder}/ns/${name}`);
  return `export CONTAINERS_CONF=${folder}/containers.conf CONTAINERS_STORAGE_CONF=${folder}/storage.conf
# Health is asked for by the tests, and not by systemd.
export DISABLE_HC_SYSTEMD=true
exec nsenter ${spaces.join(" ")} --pid=/proc/${holder}/ns/pid_for_children \\
  sh -c 'cd "$0" && exec ${pathOf("podman")} "$@"' "$PWD" "$@"
`;
}

/** podman, told what docker does by itself, and what this engine does otherwise. */
function shim(folder: string, holder: number): string {
  const { cache } = npmSettings();
  const mounted = cache !== null && existsSync(cache) ? `--volume ${cache}:/root/.npm:O` : "";
  return `case "$1" in
build)
  shift
  # Docker's own form of images, which keeps the health check; no layers of what is thrown away; no bridge; what npm has fetched before.
  set -- build --format docker --layers=false --network host ${mounted} "$@"
  ;;
run)
  for word; do
    shift
    case "$before $word" in
    # On loopback, and no other.
    "-p "[0-9]*:[0-9]*) word=127.0.0.1:$word ;;
    # Podman knows this word since 4.7; the machine's loopback is here for slirp4netns.
    "--add-host "*:host-gateway) word=\${word%host-gateway}10.0.2.2 ;;
    esac
    before=$word
    set -- "$@" "$word"
  done
  ;;
esac
${enter(folder, holder)}`;
}

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}`);
  chmodSync(path, 0o755);
}

/** npm's settings on this machine. */
function npmSettings(): Record<"cache" | "cafile" | "registry", string | null> {
  const told = execFileSync("npm", ["config", "list", "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(told);
}

/** Stands in for the vendor's image: Node and npm as they are here, a shell, a user `node` with the number 1000. */
async function importBase(bin: string, name: string, root: string): Promise<void> {
  for (const path of ["etc", "home/node", "proc", "root", "sys", "dev", "tmp", "usr/local/lib/node_modules"])
    mkdirSync(join(root, path), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  const programs = [
    ["/bin/sh", "bin/sh"],
    ["/usr/bin/env", "usr/bin/env"],
    ["/bin/mkdir", "bin/mkdir"],
    ["/bin/chown", "bin/chown"],
    [process.execPath, "usr/local/bin/node"],
  ] as const;
  const own = programs.flatMap(([path]) => librariesOf(path));
  // Native modules load further parts of the C library.
  const folder = dirname(own.find((path) => basename(path) === "libc.so.6") as string);
  const libraries = new Set([...own, ...["libdl.so.2", "libresolv.so.2", "librt.so.1"].map((part) => join(folder, part))]);
  for (const [from, to] of [...programs, ...[...libraries].map((path) => [path, path] as const)]) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(realpathSync(from), join(root, to));
  }
  const modules = "usr/local/lib/node_modules/npm";
  cpSync(dirname(dirname(realpathSync(pathOf("npm") as string))), join(root, modules), { recursive: true });
  symlinkSync(`/${modules}/bin/npm-cli.js`, join(root, "usr/local/bin/npm"));
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");
  registry(root);
  const archive = `${root}.tar`;
  await promisify(execFile)("tar", ["-C", root, "-cf", archive, "."]);
  const path = "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  await promisify(execFile)(join(bin, "docker"), ["import", "--quiet", "--change", path, archive, `docker.io/library/${name}`]);
  rmSync(archive);
  rmSync(root, { recursive: true });
}

/** The registry of packages as this machine reaches it, with whom it trusts. */
function registry(root: string): void {
  const settings = npmSettings();
  const trusted = [settings.cafile, process.env.NODE_EXTRA_CA_CERTS].find((path) => path && existsSync(path));
  mkdirSync(join(root, "usr/local/etc"), { recursive: true });
  const lines = [`registry=${settings.registry}`, "prefer-offline=true", "update-notifier=false", "fund=false", "audit=false"];
  if (trusted) {
    const file = `/usr/local/etc/${basename(trusted)}`;
    writeFileSync(join(root, file), readFileSync(trusted));
    lines.push(`cafile=${file}`);
  }
  writeFileSync(join(root, "usr/local/etc/npmrc"), `${lines.join("\n")}\n`);
}

function librariesOf(program: string): string[] {
  const told = execFileSync("ldd", [realpathSync(program)], { encoding: "utf8" });
  return [...told.matchAll(/(?:=> |^\s*)(\/\S+)/gm)].map((match) => match[1] as string);
}
