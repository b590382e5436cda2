import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { parseKeyring } from "@tillgate/database";
import { seedSandbox } from "@tillgate/database/seed";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { freePorts } from "../../../../scripts/testing/free-port.js";
import { ensureEmbeddedApiDatabase, migrateApiDatabase } from "../../../src/databases.js";
import { loadSecrets } from "../../../src/secrets.js";
import { open, pay } from "../../support/archiving-system.js";

const root = path.resolve(import.meta.dirname, "../../../..");
const POSTGRES = "/usr/lib/postgresql/15/bin";
const isUsable =
  process.env.TILLGATE_TEST_COUNTS === "full" &&
  process.getuid?.() === 0 &&
  spawnSync("pgbackrest", ["version"]).status === 0 &&
  spawnSync(`${POSTGRES}/postgres`, ["--version"]).status === 0;
const IN_LONG_RUN_AS_ROOT = "(npm run test:long, as root, with Debian's pgbackrest and postgresql-15)";

const account = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
const run = (program: string, ...args: string[]) =>
  promisify(execFile)(program, args, { uid: account("-u"), gid: account("-g"), cwd: "/" });

let folder: string;
let database: ReturnType<typeof open>;
let server: string;
const config = () => path.join(folder, "pgbackrest.conf");
const pgbackrest = (...args: string[]) =>
  run("pgbackrest", `--config=${config()}`, "--stanza=tillgate", ...args);

beforeAll(async () => {
  if (!isUsable) return;
  process.env.TILLGATE_ENCRYPTION_KEYS ??= "a secret of the process that starts it";
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-pgbackrest-"));
  await chmod(folder, 0o755);
  const secrets = await loadSecrets(folder);
  const [port = 0] = await freePorts(1);
  const values: Record<string, string> = {
    SCOPE: "tillgate",
    BACKUP_PATH: path.join(folder, "repository"),
    BACKUP_PASSPHRASE: "of the test",
    BACKUP_LOG: path.join(folder, "log"),
    BACKUP_LOCK: path.join(folder, "lock"),
    POSTGRES_DATA: path.join(folder, "data"),
    POSTGRES_SOCKETS: path.join(folder, "sockets"),
    POSTGRES_PORT: String(port),
  };
  for (const name of ["repository", "log", "lock", "data", "sockets", "drill"]) {
    await mkdir(path.join(folder, name), { mode: 0o700 });
    await chown(path.join(folder, name), account("-u"), account("-g"));
  }
  const template = await readFile(path.join(root, "deploy/high-availability/pgbackrest.conf"), "utf8");
  await writeFile(
    config(),
    template.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => values[name] ?? `no ${name}`),
  );
  const { POSTGRES_DATA: data = "", POSTGRES_SOCKETS: sockets = "" } = values;
  await run(
    `${POSTGRES}/initdb`,
    ...["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
  );
  const archive = `pgbackrest --config=${config()} --stanza=tillgate archive-push %p`;
  const flags = `-c port=${port} -c unix_socket_directories=${sockets} -c archive_mode=on -c archive_command='${archive}'`;
  await run(
    `${POSTGRES}/pg_ctl`,
    "-D",
    data,
    "-w",
    "-l",
    path.join(folder, "log/postgresql"),
    "-o",
    flags,
    "start",
  );
  server = `postgresql://postgres@127.0.0.1:${port}/tillgate`;
  const urls = await ensureEmbeddedApiDatabase(`postgresql://postgres@127.0.0.1:${port}/postgres`, secrets);
  await migrateApiDatabase(urls);
  await seedSandbox({ databaseUrl: urls.api, keyring: parseKeyring(secrets.encryption_keys) });
  database = open(urls.api);
  await pgbackrest("stanza-create");
}, 120_000);
afterAll(async () => {
  if (!isUsable) return;
  await database.close();
  await run(`${POSTGRES}/pg_ctl`, "-D", path.join(folder, "data"), "-m", "immediate", "stop");
  await rm(folder, { recursive: true });
});

const options = () => [
  ...["--running", server, "--config", config(), "--postgres", POSTGRES],
  ...["--folder", path.join(folder, "drill")],
];
const drill = () =>
  run(process.execPath, path.join(root, "scripts/restore-drill.mjs"), ...options()).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => `FAILED ${error.stderr}`,
  );
const newestReport = async () =>
  (await database.pool.query("SELECT error FROM backup_reports ORDER BY finished_at DESC LIMIT 1")).rows[0];

describe.skipIf(!isUsable)(`npm run restore-drill ${IN_LONG_RUN_AS_ROOT}`, () => {
  beforeEach(async () => {
    await pgbackrest("backup", "--type=full");
    await pay({ database });
  }, 60_000);

  it("restores the newest backup with all WAL, proves its ledger and records the success", async () => {
    expect(await drill()).toContain("its ledger is sound, and its books match the running books");
    expect(await newestReport()).toEqual({ error: null });
    expect(await readdir(path.join(folder, "drill"))).toEqual([]);
  }, 120_000);

  it.each([
    ["restores files", "data/PG_VERSION"],
    ["starts the server", "postgresql.conf"],
    ["replays WAL", "data/postmaster.pid"],
  ])(
    "leaves neither a copy nor a server when it is terminated while it %s",
    async (_step, newest) => {
      const reportBefore = await newestReport();
      const child = spawn(process.execPath, [path.join(root, "scripts/restore-drill.mjs"), ...options()], {
        uid: account("-u"),
        gid: account("-g"),
        cwd: "/",
        stdio: "ignore",
      });
      const ended = once(child, "exit");
      await vi.waitUntil(
        async () =>
          (await readdir(path.join(folder, "drill"), { recursive: true })).some((file) =>
            file.replace(/^[^/]+\//, "").startsWith(newest),
          ),
        { timeout: 60_000, interval: 5 },
      );
      child.kill("SIGTERM");
      expect(await ended).toEqual([1, null]);
      expect(await readdir(path.join(folder, "drill"))).toEqual([]);
      // pgBackRest's workers end when they notice that their parent has exited.
      const processes = async () => (await promisify(execFile)("ps", ["-eo", "args"])).stdout;
      await expect.poll(processes, { timeout: 30_000 }).not.toContain(path.join(folder, "drill"));
      expect(await newestReport()).toEqual(reportBefore);
    },
    120_000,
  );

  it("waits for an interrupted pgBackRest to end before it removes the copy", async () => {
    const programs = path.join(folder, "programs");
    await mkdir(programs);
    await chown(programs, account("-u"), account("-g"));
    const program = path.join(programs, "pgbackrest");
    await writeFile(
      program,
      `#!/bin/sh
case "$*" in *check) exit 0;; esac
trap 'sleep 1; ls -A ${path.join(folder, "drill")} > ${programs}/ended; exit 63' TERM
touch ${programs}/started
while :; do sleep 0.1; done
`,
      { mode: 0o755 },
    );
    const child = spawn(process.execPath, [path.join(root, "scripts/restore-drill.mjs"), ...options()], {
      uid: account("-u"),
      gid: account("-g"),
      cwd: "/",
      env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    await vi.waitUntil(async () => (await readdir(programs)).includes("started"), { timeout: 60_000 });
    child.kill("SIGTERM");
    expect(await ended).toEqual([1, null]);
    expect(await readFile(path.join(programs, "ended"), "utf8")).toContain("tillgate-restore-drill-");
    expect(await readdir(path.join(folder, "drill"))).toEqual([]);
  }, 120_000);

  it("fails if a missing WAL file ends the recovery early", async () => {
    const admin = open(server);
    const { rows } = await admin.pool.query("SELECT pg_walfile_name(pg_switch_wal()) AS name");
    await admin.close();
    await pgbackrest("check");
    const archive = path.join(folder, "repository/archive/tillgate");
    const files = await readdir(archive, { recursive: true });
    const missing = files.find((file) => file.includes(rows[0].name)) ?? "";
    await rm(path.join(archive, missing));
    expect(await drill()).toMatch(/^FAILED[\s\S]*The running database has \d+ /);
    expect(await newestReport()).toEqual({ error: expect.stringContaining("The running database has") });
  }, 120_000);

  it("fails if the backup is damaged", async () => {
    const backups = path.join(folder, "repository/backup/tillgate");
    const bundles = (await readdir(backups, { recursive: true })).filter((file) => /bundle\/\d+$/.test(file));
    for (const file of bundles) await writeFile(path.join(backups, file), "damaged");
    expect(await drill()).toMatch(/^FAILED/);
    expect(await newestReport()).toEqual({ error: expect.stringContaining("pgbackrest") });
  }, 120_000);
});
