import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorReason } from "@tillgate/service";
import { waitUntil } from "../until.js";
import { type Image, nspawnOptions } from "./build-image.js";
import { type Closing, type Output, runOrFail, runProgram } from "./machines.js";

const SETTINGS = "/etc/tillgate/settings.env";
const CERTIFICATE = "/etc/tls/server.crt";
const KEY = "/etc/tls/server.key";
const HOSTS = ["api.example.com", "pay.example.com", "console.example.com"];
/** ID of the image's user, as in deploy/docker/README.md. */
const IMAGE_USER = 10_001;
export const NETWORK = "image";
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 60_000;

/** Starts the command as `compose.yml` does. @throws Error unless it becomes ready and exits with status 0 on SIGTERM. */
export async function startImage(image: Image, folder: string, closing: Closing): Promise<void> {
  const home = await mkdtemp(path.join(folder, "run-"));
  await chmod(home, 0o755);
  const volumes: string[] = [];
  for (const [at, volume] of image.volumes.entries()) {
    const here = path.join(home, String(at));
    // A new volume gets the content, owner and mode of the image's folder; if the image has no such folder, the volume is empty and belongs to root.
    if (existsSync(path.join(image.root, volume)))
      await runOrFail("cp", "-a", path.join(image.root, volume), here);
    else await mkdir(here);
    await mkdir(path.join(image.root, volume), { recursive: true });
    volumes.push(`--bind=${here}:${volume}`);
  }
  const here = (name: string): string => path.join(home, name);
  await writeSettings(home);
  await writeFile(here("hosts"), `127.0.0.1 localhost ${HOSTS.join(" ")}\n`);
  const files = {
    [here("settings.env")]: SETTINGS,
    [here("hosts")]: "/etc/hosts",
    [here("server.crt")]: CERTIFICATE,
    [here("server.key")]: KEY,
  };
  // A container engine creates the mount points, even in a read-only file system.
  for (const there of Object.values(files)) {
    const point = path.join(image.root, there);
    await mkdir(path.dirname(point), { recursive: true });
    if (!existsSync(point)) await writeFile(point, "");
  }
  const inNetwork = ["netns", "exec", `tillgate-${NETWORK}`];
  await runOrFail("ip", ...inNetwork, "sysctl", "-qw", "net.ipv4.ip_unprivileged_port_start=0");
  const program = spawn(
    "systemd-nspawn",
    [
      ...nspawnOptions(
        image,
        "--read-only",
        "--tmpfs=/tmp",
        "--drop-capability=all",
        "--no-new-privileges=yes",
        `--network-namespace-path=/run/netns/tillgate-${NETWORK}`,
        ...volumes,
        ...Object.entries(files).map(([here, there]) => `--bind-ro=${here}:${there}`),
      ),
      ...image.entrypoint,
      ...image.command,
    ],
    { stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  const ended = new Promise<void>((resolve) => program.once("close", () => resolve()));
  const kill = async (): Promise<void> => {
    program.kill("SIGKILL");
    await ended;
  };
  closing.push(kill);
  let output = "";
  for (const stream of [program.stdout, program.stderr])
    stream.on("data", (data: Buffer) => {
      output += data.toString();
    });
  const request = `fetch("https://${HOSTS[0]}/readyz").then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))`;
  const isReady = (): Promise<Output> =>
    runProgram("ip", [
      ...inNetwork,
      "env",
      `NODE_EXTRA_CA_CERTS=${here("server.crt")}`,
      "unshare",
      "--mount",
      "sh",
      "-c",
      'mount --bind "$0" /etc/hosts && exec "$1" -e "$2"',
      here("hosts"),
      process.execPath,
      request,
    ]);
  try {
    await waitUntil("/readyz responds with 200", START_LIMIT_MS, async () => {
      if (program.exitCode !== null) return true;
      return (await isReady()).code === 0 || undefined;
    });
    if (program.exitCode !== null) throw new Error(`it exited with code ${program.exitCode}`);
    process.kill(await findMain(program.pid ?? 0, image.command), "SIGTERM");
    await Promise.race([ended, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
    if (program.exitCode !== 0)
      throw new Error(`it did not exit with code 0 within ${STOP_LIMIT_MS / 1_000} s of SIGTERM`);
  } catch (error) {
    throw new Error(
      `${image.entrypoint.join(" ")} ${image.command.join(" ")}: ${errorReason(error)}\n${output}`,
    );
  } finally {
    await kill();
  }
}

/** Finds the command's process, which descends from the init process that systemd-nspawn forks. */
async function findMain(nspawn: number, [command = ""]: readonly string[]): Promise<number> {
  for (let pid = nspawn; ; ) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
    pid = Number(children.split(" ")[0]);
    if (pid === 0) throw new Error(`no process is running ${command}`);
    const [, first] = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    if (first === command) return pid;
  }
}

/** Writes a certificate and the settings described in docs/production.md. The image's user owns the settings and the private key. */
async function writeSettings(home: string): Promise<void> {
  const [certificate, key, settings] = ["server.crt", "server.key", "settings.env"].map((name) =>
    path.join(home, name),
  ) as [string, string, string];
  await runOrFail(
    ...([
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
    ] as const),
    ...[
      "-subj",
      "/CN=example.com",
      "-addext",
      `subjectAltName=${HOSTS.map((host) => `DNS:${host}`).join(",")}`,
    ],
    ...["-keyout", key, "-out", certificate],
  );
  const [api, pay, dashboard] = HOSTS.map((host) => `https://${host}`);
  const values = {
    TILLGATE_DATA_DIR: "/var/lib/tillgate/data",
    TILLGATE_BACKUP_DIR: "/var/backups/tillgate",
    TILLGATE_API_PUBLIC_URL: api,
    TILLGATE_PAY_URL: pay,
    TILLGATE_CONSOLE_URL: dashboard,
    TILLGATE_CERTIFICATE_FILE: CERTIFICATE,
    TILLGATE_CERTIFICATE_KEY_FILE: KEY,
  };
  const lines = Object.entries(values).map((one) => `${one.join("=")}\n`);
  await writeFile(settings, lines.join(""), { mode: 0o600 });
  for (const file of [settings, key]) await chown(file, IMAGE_USER, IMAGE_USER);
}
