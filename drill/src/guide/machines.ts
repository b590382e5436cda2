import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, openSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { findMissingPrograms } from "../program.js";
import { waitUntil } from "../until.js";

/** Cache of Debian base systems with downloaded packages. Each machine gets an overlay of a base system. */
const CACHE = path.resolve(import.meta.dirname, "../../../node_modules/.cache/debian");
/** Cache of Node releases, shared with the suite `node`. */
const NODE_CACHE = path.resolve(CACHE, "../node");
/** What Debian's installer installs and a minimal base system lacks, and the library that Node needs. */
const BASE_PACKAGES = "systemd,systemd-sysv,dbus,iproute2,ca-certificates,openssl,cron,libstdc++6";
const BOOT_LIMIT_MS = 90_000;
/** Time limit for stopping a machine, less than the time that a suite has to clean up after SIGTERM. */
const STOP_LIMIT_MS = 12_000;
/** Time limit of a program. It is high, because an apt or dpkg step takes long on a busy machine. */
const RUN_LIMIT_MS = 20 * 60_000;
const EXTRA_AUTHORITIES = "/etc/extra-authorities.pem";
/** Network namespace of the virtual switch, which nothing connects to this machine's network. */
const SWITCH = "tillgate-switch";

/** Script that replaces `systemctl`. It retries once, because a container's control group may briefly reject a new process. */
const SYSTEMCTL = `#!/bin/sh
/usr/bin/systemctl "$@" && exit
code=$?
journalctl --since -10s | grep --quiet status=219/CGROUP || exit $code
sleep 1
exec /usr/bin/systemctl "$@"
`;

export type Output = { code: number; text: string };

export type Machine = {
  name: string;
  /** The machine's root folder, as a path on this machine. */
  root: string;
  /** Runs a shell script as root. `withInternet`: in the network of this machine, for downloads by apt or npm. */
  run(script: string, options?: { withInternet?: boolean }): Promise<Output>;
  stop(): Promise<void>;
};

const running = new Set<ChildProcess>();

/**
 * Runs a program until it exits, and kills it after the limit.
 * @param input text for its stdin.
 * @returns its exit code, or 1 if it was killed, and its stdout and stderr combined.
 * @throws the system's error if it cannot be started.
 */
export function runProgram(
  command: string,
  parts: readonly string[],
  input = "",
  limitMs = RUN_LIMIT_MS,
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...parts], { stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
    let text = "";
    const add = (data: Buffer): void => {
      text += data.toString();
    };
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.once("error", reject);
    child.once("close", (code) => {
      running.delete(child);
      clearTimeout(timer);
      resolve({ code: code ?? 1, text });
    });
  });
}

/** Runs a program. @returns its output. @throws Error with the output if the program fails. */
export async function runOrFail(command: string, ...parts: string[]): Promise<string> {
  const { code, text } = await runProgram(command, parts);
  if (code !== 0) throw new Error(`${command} ${parts.join(" ")}: exit code ${code}\n${text}`);
  return text;
}

export async function findProgram(name: string): Promise<string> {
  const found = await runOrFail("which", name);
  return (await runOrFail("readlink", "-f", found.trim())).trim();
}

export const findNpm = async (): Promise<string> => path.resolve(await findProgram("npm"), "../..");

/**
 * Installs the newest Node of a release line from npm, unless a version is already installed. @returns its executable, and the folder of this
 * machine's npm.
 */
export async function findNode(line: string): Promise<{ node: string; npm: string }> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(NODE_CACHE, line);
  const node = path.join(folder, "node_modules", name, "bin/node");
  if (!existsSync(node)) {
    const options = ["--no-save", "--no-audit", "--no-fund", "--prefix", folder];
    await runOrFail("npm", "install", ...options, `${name}@${line}`);
  }
  return { node, npm: await findNpm() };
}

/** Returns environment variables with this machine's npm registry and extra certificate authorities, which are copied into `root`. */
export function downloadSettings(root: string): string[] {
  const { NODE_EXTRA_CA_CERTS: authorities, npm_config_registry: registry } = process.env;
  if (authorities !== undefined) copyFileSync(authorities, path.join(root, EXTRA_AUTHORITIES));
  return [
    ...(authorities === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${EXTRA_AUTHORITIES}`]),
    ...(registry === undefined ? [] : [`npm_config_registry=${registry}`]),
  ];
}

/** Settings for disposable machines: no recommended packages, no documentation and no fsync. */
const FASTER = {
  "etc/apt/apt.conf.d/90guide": 'APT::Install-Recommends "false";\n',
  "etc/dpkg/dpkg.cfg.d/90guide":
    "force-unsafe-io\npath-exclude=/usr/share/doc/*\npath-exclude=/usr/share/man/*\n",
};

/**
 * Prepares a fresh Debian 12 and downloads packages, so that the machines can install them without internet access.
 * @param installs the commands `apt-get install …` that the machines will run.
 * @param packages packages of the base system, in addition to the essential ones.
 * @returns the folder of the base system, which is cached.
 */
export async function prepareBase(installs: readonly string[], packages = BASE_PACKAGES): Promise<string> {
  const contents = createHash("sha256")
    .update(JSON.stringify([packages, installs]))
    .digest("hex")
    .slice(0, 12);
  const base = path.join(CACHE, `bookworm-${contents}`);
  if (existsSync(base)) return base;
  const unfinished = `${base}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  const options = ["--variant=minbase", `--include=${packages}`];
  await runOrFail("debootstrap", ...options, "bookworm", unfinished, "http://deb.debian.org/debian");
  for (const [file, text] of Object.entries(FASTER)) await writeFile(path.join(unfinished, file), text);
  for (const install of ["apt-get update", ...installs.map((line) => `${line} --download-only`)])
    await runOrFail("chroot", unfinished, ...install.split(" "));
  await rename(unfinished, base);
  return base;
}

/** Creates one network namespace per machine, and connects all of them to a virtual switch. @returns a function that removes them. */
export async function startNetwork(
  addresses: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const ip = (...parts: string[]): Promise<string> => runOrFail("ip", ...parts);
  const close = async (): Promise<void> => {
    for (const name of [...Object.keys(addresses).map((machine) => `tillgate-${machine}`), SWITCH])
      await runProgram("ip", ["netns", "delete", name]);
  };
  await close();
  await ip("netns", "add", SWITCH);
  await ip("-n", SWITCH, "link", "add", "switch", "type", "bridge");
  await ip("-n", SWITCH, "link", "set", "switch", "up");
  for (const [name, address] of Object.entries(addresses)) {
    const space = `tillgate-${name}`;
    await ip("netns", "add", space);
    await ip("-n", SWITCH, "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", space);
    await ip("-n", SWITCH, "link", "set", name, "master", "switch", "up");
    await ip("-n", space, "addr", "add", `${address}/24`, "dev", "eth0");
    await ip("-n", space, "link", "set", "eth0", "up");
    await ip("-n", space, "link", "set", "lo", "up");
  }
  return close;
}

export const setConnected = (machine: string, isConnected: boolean): Promise<string> =>
  runOrFail("ip", "-n", SWITCH, "link", "set", machine, isConnected ? "up" : "down");

/** Mounts a writable copy of a base system. @returns its root folder. */
export async function mountOverlay(base: string, home: string): Promise<string> {
  const { upper, work, root } = {
    upper: path.join(home, "upper"),
    work: path.join(home, "work"),
    root: path.join(home, "root"),
  };
  for (const part of [upper, work, root]) await mkdir(part, { recursive: true });
  const layers = `lowerdir=${base},upperdir=${upper},workdir=${work}`;
  await runOrFail("mount", "-t", "overlay", "overlay", "-o", layers, root);
  await cp("/etc/resolv.conf", path.join(root, "etc/resolv.conf"));
  return root;
}

/** Steps that undo what was started, in the order of the start. */
export type Closing = (() => Promise<unknown>)[];

/** Returns a function that undoes the steps, newest first. SIGINT and SIGTERM also undo them, because the machines would outlive this process. */
export function closeOnSignal(closing: Closing): () => Promise<void> {
  const run = async (): Promise<void> => {
    // The work that was interrupted may still add steps.
    for (let step = closing.pop(); step; step = closing.pop()) await step();
  };
  let closed: Promise<void> | undefined;
  // The interrupted work closes too, and must not undo a step before newer steps are undone.
  const close = (): Promise<void> => {
    closed ??= run();
    return closed;
  };
  const interrupt = (): void => {
    for (const program of running) program.kill("SIGKILL");
    void close().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  return close;
}

/**
 * Runs `work`, prints any error that it throws, then undoes its steps unless `keep` is true.
 * @param name name of the `npm run drill` option, and part of the folder's name.
 * @param programs additional programs that `work` needs, named like their Debian packages.
 * @returns whether the work succeeded; false also if the current user is not root or a program is missing.
 */
export async function runWithMachines(
  { name, programs = [], keep }: { name: string; programs?: readonly string[]; keep: boolean },
  work: (folder: string, closing: Closing) => Promise<void>,
): Promise<boolean> {
  const missing = findMissingPrograms(["debootstrap", "systemd-nspawn", "ip", ...programs]);
  if (process.getuid?.() !== 0 || missing.length > 0) {
    const packages = ["debootstrap", "systemd-container", "iproute2", ...programs];
    console.error(
      `npm run drill -- --${name} must run as root and needs the Debian packages ${packages.join(", ")}.`,
    );
    return false;
  }
  // Not /tmp, which may be a tmpfs too small for several machines.
  const folder = await mkdtemp(`/var/tmp/tillgate-${name}-`);
  const closing: Closing = [() => rm(folder, { recursive: true, force: true })];
  const close = closeOnSignal(closing);
  try {
    await work(folder, closing);
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  } finally {
    if (!keep) await close();
  }
}

/**
 * Boots a Debian machine in a container, in the network namespace that is named after the machine.
 * @param binds paths on this machine, by path in the container.
 * @param onStop receives the function that stops the machine, before it has booted.
 */
export async function bootMachine(options: {
  name: string;
  base: string;
  folder: string;
  binds: Readonly<Record<string, string>>;
  onStop: (stop: Machine["stop"]) => void;
}): Promise<Machine> {
  const { name, base, folder, binds, onStop } = options;
  const home = path.join(folder, name);
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const nspawn = child;
      const ended = new Promise<void>((resolve) => nspawn.once("exit", () => resolve()));
      nspawn.kill("SIGTERM");
      const timer = setTimeout(() => nspawn.kill("SIGKILL"), STOP_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    }
    await runProgram("umount", ["--lazy", path.join(home, "root")]);
    await rm(home, { recursive: true, force: true });
  };
  onStop(stop);
  const root = await mountOverlay(base, home);
  await writeFile(path.join(root, "etc/hostname"), `${name}\n`);
  await writeFile(path.join(root, "usr/local/bin/systemctl"), SYSTEMCTL, { mode: 0o755 });
  const log = openSync(path.join(home, "console.log"), "a");
  const nspawn = spawn(
    "systemd-nspawn",
    [
      "--quiet",
      "--boot",
      "--register=no",
      "--keep-unit",
      "--resolv-conf=off",
      "--timezone=off",
      `--directory=${root}`,
      `--machine=${name}`,
      `--hostname=${name}`,
      `--network-namespace-path=/run/netns/tillgate-${name}`,
      ...Object.entries(binds).map(([there, here]) => `--bind=${here}:${there}`),
    ],
    { stdio: ["ignore", log, log], detached: true },
  );
  child = nspawn;
  const init = await waitUntil(
    `${name} boots`,
    BOOT_LIMIT_MS,
    async () => (await initOf(nspawn)) ?? undefined,
  );
  const machine: Machine = {
    name,
    root,
    run(script, { withInternet = false } = {}) {
      const spaces = ["--mount", "--uts", "--ipc", "--pid", ...(withInternet ? [] : ["--net"])];
      const environment = [
        "-i",
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME=/root",
        "DEBIAN_FRONTEND=noninteractive",
        "LC_ALL=C.UTF-8",
        ...(withInternet ? downloadSettings(root) : []),
      ];
      return runProgram(
        "nsenter",
        [
          `--target=${init}`,
          ...spaces,
          "--root",
          "--wdns=/",
          "--",
          "env",
          ...environment,
          "bash",
          "-e",
          "-o",
          "pipefail",
        ],
        script,
      );
    },
    stop,
  };
  await waitUntil(`${name} has started`, BOOT_LIMIT_MS, async () => {
    const { text } = await machine.run("systemctl is-system-running || true");
    return /running|degraded/.test(text) || undefined;
  });
  return machine;
}

/**
 * Returns the process ID, as seen on this machine, of a container's first process; undefined until it has started.
 * @throws Error if the container has exited.
 */
async function initOf({ pid, exitCode }: ChildProcess): Promise<number | undefined> {
  if (exitCode !== null) throw new Error(`systemd-nspawn exited with code ${exitCode}`);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const [first] = children.trim().split(" ");
  if (!first) return undefined;
  const [inner] = (await readFile(`/proc/${first}/task/${first}/children`, "utf8")).trim().split(" ");
  const command = await readFile(`/proc/${first}/comm`, "utf8");
  return Number(command.trim() === "systemd" ? first : inner) || undefined;
}
