/**
 * A container engine for tests: podman as `docker`, without a daemon, with all its files in one temporary folder.
 *
 * It runs in separate namespaces, so its mounts are invisible to the machine. When the process that holds the namespaces ends,
 * its containers and mounts end too, at the latest with the test run. Its network is a user-mode stack: it makes no bridge and
 * changes no firewall rule. Containers reach the registry and the loopback of the machine, and publish ports on loopback only.
 *
 * It uses no image registry. Base images are made from the machine's own Node and npm.
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
  /** A folder with `docker`, and with `podman` for podman-compose. The latter publishes ports in a separate network. */
  bin: string;
  /** Ends the containers and deletes all files. */
  remove(): Promise<void>;
}

/** With less free memory, the engine keeps its files on the disk. */
const MEMORY_WANTED = 4 * 2 ** 30;
const NAMESPACES = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const PROGRAMS = ["podman", "crun", "conmon", "slirp4netns", "nsenter", "unshare"];

/** The first program or right that the machine lacks for an engine, or undefined. */
export function missingForEngine(...more: string[]): string | undefined {
  // Mounts need root. This engine does not support rootless mode.
  if (process.getuid?.() !== 0) return "root";
  const program = [...PROGRAMS, ...more].find((one) => pathOf(one) === undefined);
  if (program !== undefined) return program;
  // Root inside a container often lacks these rights.
  const { status } = spawnSync("unshare", [...NAMESPACES, "sh", "-c", PROBE], { stdio: "ignore" });
  return status === 0 ? undefined : (LACKS[status ?? 0] ?? "namespace");
}

/** Tries the device and the mounts that the engine needs, in a temporary namespace. */
const PROBE = `test -w /dev/net/tun || exit 11
mount -t tmpfs tmpfs /mnt && cd /mnt && mkdir lower upper work merged || exit 12
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged || exit 13`;
const LACKS: Readonly<Record<number, string>> = { 11: "tun", 12: "tmpfs", 13: "overlay" };

function pathOf(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/libexec/podman", "/usr/lib/podman"];
  return folders.map((folder) => join(folder, program)).find(existsSync);
}

/** Starts an engine. `base` is the name of the base image. @throws when a step fails, after it has removed its files */
export async function engine(base: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-engine-"));
  const bin = join(folder, "bin");
  let holder: ChildProcess | undefined;
  const remove = async () => {
    const ended = new Promise((done) => (holder?.exitCode === null ? holder.once("exit", done) : done(undefined)));
    // Ends the first process of the namespace, which ends all others.
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

/** Holds namespaces for mounts, processes and network until this process ends. */
async function hold(folder: string): Promise<ChildProcess> {
  const layer = (path: string, name: string) => {
    const [upper, work] = ["upper", "work"].map((one) => `${folder}/layers/${name}/${one}`);
    return `mkdir -p ${upper} ${work}\nmount -t overlay overlay -o lowerdir=${path},upperdir=${upper},workdir=${work} ${path}`;
  };
  const script = [
    "set -e",
    // Only the engine sees its writes outside its own folders.
    `mount -t tmpfs tmpfs ${folder}/layers`,
    layer("/run", "run"),
    layer("/var/cache", "cache"),
    layer("/var/lib", "lib"),
    // A build writes a gigabyte of small files and deletes them a minute later.
    freemem() > MEMORY_WANTED ? `mount -t tmpfs -o size=4g tmpfs ${folder}/store` : "true",
    "mount -t tmpfs tmpfs /dev/shm",
    // The OCI runtime refuses mixed cgroup versions, and needs no cgroups.
    "umount /sys/fs/cgroup/unified 2>/dev/null || true",
    "ip link set lo up 2>/dev/null || true",
    "echo held",
    // Reads until this process closes the pipe. Meanwhile the shell reaps orphaned processes, because podman waits for them.
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

/** Calls podman inside the namespaces, in the working folder of the caller. */
function enter(folder: string, holder: number, more: readonly string[] = []): string {
  const spaces = ["mnt", ...more].map((name) => `--${name === "mnt" ? "mount" : name}=/proc/${holder}/ns/${name}`);
  return `export CONTAINERS_CONF=${folder}/containers.conf CONTAINERS_STORAGE_CONF=${folder}/storage.conf
# Health is asked for by the tests, and not by systemd.
export DISABLE_HC_SYSTEMD=true
exec nsenter ${spaces.join(" ")} --pid=/proc/${holder}/ns/pid_for_children \\
  sh -c 'cd "$0" && exec ${pathOf("podman")} "$@"' "$PWD" "$@"
`;
}

/** The script `docker`: podman with docker's defaults and the settings of this engine. */
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

/** The npm settings of this machine. */
function npmSettings(): Record<"cache" | "cafile" | "registry", string | null> {
  const settings = execFileSync("npm", ["config", "list", "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(settings);
}

/** Replaces the vendor's base image: Node and npm of this machine, a shell, and a user `node` with the id 1000. */
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

/** The package registry of this machine, and the certificates that it needs. */
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
  const libraries = execFileSync("ldd", [realpathSync(program)], { encoding: "utf8" });
  return [...libraries.matchAll(/(?:=> |^\s*)(\/\S+)/gm)].map((match) => match[1] as string);
}
