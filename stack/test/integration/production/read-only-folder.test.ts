import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { findFreeBasePort } from "@tillgate/stack";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePorts } from "../../../../scripts/testing/free-port.js";

const root = path.resolve(import.meta.dirname, "../../../..");
/** Arguments of unshare(1) that mount the project's folder read-only for the command that follows. */
const READ_ONLY = [
  "--mount",
  "--",
  "sh",
  "-c",
  'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"',
  root,
];
const canMount = spawnSync("unshare", [...READ_ONLY, "sh", "-c", "! touch read-only-test 2>&-"]).status === 0;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-read-only-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.skipIf(!canMount)(
  "npm run up starts and stops with the project's folder mounted read-only (requires root)",
  async () => {
    const [https, http, unused] = await freePorts(3);
    const file = path.join(folder, "settings.env");
    await writeFile(
      file,
      `TILLGATE_DATA_DIR=${folder}/data
TILLGATE_API_PUBLIC_URL=https://localhost
TILLGATE_PAY_URL=https://127.0.0.1
TILLGATE_CONSOLE_URL=https://${hostname()}
TILLGATE_ACME_EMAIL=you@shop.test
TILLGATE_ACME_DIRECTORY=http://127.0.0.1:${unused}/directory
TILLGATE_LISTEN_HOST=127.0.0.1
TILLGATE_HTTPS_PORT=${https}
TILLGATE_HTTP_PORT=${http}
TILLGATE_PORT=${await findFreeBasePort()}
TILLGATE_DRAIN_MS=0
`,
      { mode: 0o600 },
    );
    const child = spawn("unshare", [...READ_ONLY, process.execPath, "scripts/up.mjs", file], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => {
        output += part.toString();
      });
    const exited = once(child, "exit");
    try {
      await expect
        .poll(() => output + (child.exitCode ?? ""), { timeout: 90_000, interval: 100 })
        .toMatch(/Tillgate is running|[0-9]$/);
      expect(output).toContain("Tillgate is running");
      expect(output).not.toContain("Building");
    } finally {
      child.kill("SIGTERM");
    }
    expect([(await exited)[0], output]).toEqual([0, output]);
    for (const name of ["api", "pay", "dashboard"])
      expect(await readFile(path.join(folder, `data/logs/${name}.log`), "utf8")).not.toContain("EROFS");
  },
  120_000,
);
