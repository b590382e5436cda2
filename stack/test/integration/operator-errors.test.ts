import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { findFreeBasePort } from "@tillgate/stack";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

let folder: string;
let settingsFile: string;
let basePort: number;
const taken = createServer();
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-errors-"));
  basePort = await findFreeBasePort();
  await new Promise<void>((resolve) => taken.listen(basePort, "127.0.0.1", resolve));
  settingsFile = path.join(folder, "settings.env");
  await writeFile(
    settingsFile,
    `TILLGATE_DATA_DIR=${folder}/data
TILLGATE_BACKUP_DIR=${folder}/backups
TILLGATE_API_PUBLIC_URL=https://api.shop.test
TILLGATE_PAY_URL=https://pay.shop.test
TILLGATE_CONSOLE_URL=https://console.shop.test
TILLGATE_ACME_EMAIL=you@shop.test
`,
    { mode: 0o600 },
  );
});
afterAll(async () => {
  taken.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (program: string, args: string[], environment: Record<string, string>) => {
  const script = `const { runBuilt } = await import(${JSON.stringify(pathToFileURL(path.join(root, "scripts/bootstrap/run-stack.mjs")).href)});
    await runBuilt(${JSON.stringify(program)}, ${JSON.stringify(args)});`;
  return runNode(["--input-type=module", "-e", script], environment);
};

async function runNode(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ...environment },
  });
  const exited = once(child, "exit");
  const error = await text(child.stderr);
  const [code] = await exited;
  return { code, error: error.trim() };
}

type Case = [
  name: string,
  program: string,
  args: () => string[],
  environment: () => Record<string, string>,
  error: RegExp,
];

const cases: Case[] = [
  [
    "npm start in a data folder that cannot be created",
    "main.js",
    () => [],
    () => ({ TILLGATE_DATA_DIR: "/dev/null/data", TILLGATE_PORT: String(basePort) }),
    /^ENOTDIR: not a directory, mkdir '\/dev\/null\/data'$/,
  ],
  [
    "npm start on a port in use",
    "main.js",
    () => [],
    () => ({ TILLGATE_DATA_DIR: path.join(folder, "start"), TILLGATE_PORT: String(basePort) }),
    /^Port \d+ \(api\) is already in use by another program; .*TILLGATE_PORT=\d+ npm start$/,
  ],
  [
    "npm run up with a missing settings file",
    "production/up.js",
    () => [path.join(folder, "none.env")],
    () => ({}),
    /none\.env cannot be read: ENOENT/,
  ],
  [
    "npm run restore to a future time",
    "production/restore-command.js",
    () => [settingsFile, "--into", path.join(folder, "into"), "--to", "2999-01-01T00:00:00Z"],
    () => ({}),
    /^--to is in the future: 2999-01-01T00:00:00\.000Z\. To restore everything, omit --to\.$/,
  ],
  [
    "npm run upgrade-postgresql with a missing settings file",
    "production/upgrade-postgresql.js",
    () => [path.join(folder, "none.env"), "--from", root, "--into", path.join(folder, "into")],
    () => ({}),
    /none\.env cannot be read: ENOENT/,
  ],
  [
    "npm run backup with a missing settings file",
    "production/backup.js",
    () => [path.join(folder, "none.env")],
    () => ({}),
    /none\.env cannot be read: ENOENT/,
  ],
  [
    "npm run restore to an invalid time",
    "production/restore-command.js",
    () => [settingsFile, "--into", path.join(folder, "into"), "--to", "yesterday"],
    () => ({}),
    /^--to must be a time/,
  ],
];

it.each(cases)("%s fails with a one-line error", async (_name, program, args, environment, error) => {
  const result = await run(program, args(), environment());
  expect(result).toEqual({ code: 1, error: expect.stringMatching(error) });
  expect(result.error.split("\n")).toHaveLength(1);
});

it.each([
  [
    "migrate.mjs",
    "postgresql://a:b@127.0.0.1:1/x",
    /^The database at 127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/,
  ],
  [
    "prove-ledger.mjs",
    "postgresql://a:b@127.0.0.1:1/x",
    /^The database at 127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/,
  ],
  ["prove-ledger.mjs", "nonsense", /^DATABASE_URL must be a postgresql:\/\/ URL\.$/],
])("%s without a usable database fails with a one-line error", async (script, url, error) => {
  const environment = { DATABASE_URL: url, DATABASE_OWNER_URL: "postgresql://owner:b@127.0.0.1:1/x" };
  const result = await runNode([path.join(root, "scripts", script)], environment);
  expect(result).toEqual({ code: 1, error: expect.stringMatching(error) });
  expect(result.error.split("\n")).toHaveLength(1);
});
