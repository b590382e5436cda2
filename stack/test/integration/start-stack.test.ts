import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedServer } from "@tillgate/database/embedded";
import { findFreeBasePort, type Stack, startStack } from "@tillgate/stack";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// Mostly without services: these tests cover the stack itself. The e2e suite runs all services.
let folder: string;
/** Shared by most tests: creating and seeding a database is the slowest part of a start. */
let dataDirectory: string;
let basePort: number;
let running: Stack | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-stack-"));
  dataDirectory = path.join(folder, "data");
  basePort = await findFreeBasePort();
}, 30_000);
afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (more: object = {}) =>
  startStack({ dataDirectory, basePort, services: [], fsync: false, ...more });

/** Starts the stack on the shared data folder unless it is running. */
async function runningStack(): Promise<Stack> {
  running ??= await start();
  return running;
}

/** Stops the stack on the shared data folder. @returns the stopped stack. */
async function stopRunningStack(): Promise<Stack> {
  const before = await runningStack();
  running = undefined;
  await before.stop();
  return before;
}

/** Returns an unused data folder and base port. */
const newLocation = async () => ({
  dataDirectory: path.join(await mkdtemp(path.join(folder, "new-")), "data"),
  basePort: await findFreeBasePort(),
});

async function count(databaseUrl: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int FROM ${pg.escapeIdentifier(table)}`,
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

describe("startStack", () => {
  it("writes addresses and credentials to sandbox.json, readable by its owner only", async () => {
    const stack = await runningStack();
    const file = path.join(dataDirectory, "sandbox.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const sandbox: unknown = JSON.parse(await readFile(file, "utf8"));
    expect(sandbox).toEqual(stack.sandbox);
    const merchant = {
      name: expect.any(String),
      client_id: expect.any(String),
      client_secret: expect.any(String),
      api_token: expect.any(String),
    };
    expect(sandbox).toMatchObject({
      api: `http://localhost:${basePort}`,
      pay: `http://localhost:${basePort + 1}`,
      dashboard: `http://localhost:${basePort + 2}`,
      store: `http://localhost:${basePort + 3}`,
      connector: `http://localhost:${basePort + 4}`,
      database_url: expect.stringContaining(`@127.0.0.1:${basePort + 5}/tillgate`),
      merchant,
      other_merchant: merchant,
      administrator: { email: expect.any(String), password: expect.any(String) },
      merchant_user: { email: expect.any(String), password: expect.any(String) },
    });
    const { shoppers } = stack.sandbox;
    expect(shoppers.filter(({ active }) => active).length).toBeGreaterThanOrEqual(3);
    expect(shoppers.filter(({ active }) => !active)).toHaveLength(1);
    for (const { pin } of shoppers) expect(pin).toMatch(/^\d{6}$/);
  });

  it("keeps data and credentials when it runs again, even on other ports", async () => {
    const merchants = await count((await runningStack()).sandbox.database_url, "merchants");
    const first = await stopRunningStack();
    const second = await start({ basePort: await findFreeBasePort() });
    try {
      expect(await count(second.sandbox.database_url, "merchants")).toBe(merchants);
      const signIns = ({ sandbox }: typeof first) => [sandbox.merchant, sandbox.shoppers, sandbox.store_keys];
      expect(signIns(second)).toEqual(signIns(first));
    } finally {
      await second.stop();
    }
  });

  it("rejects a second start on the same data, and leaves the first stack running", async () => {
    const stack = await runningStack();
    await expect(start({ basePort: await findFreeBasePort() })).rejects.toThrow(
      /Tillgate is already running in/,
    );
    expect(await count(stack.sandbox.database_url, "merchants")).toBeGreaterThan(0);
  });

  it("fails on a port in use before it creates a database or secrets", async () => {
    const location = await newLocation();
    const port = location.basePort + 5;
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    try {
      await expect(start(location)).rejects.toThrow(`Port ${port} (postgresql) is already in use`);
      expect(existsSync(path.join(location.dataDirectory, "postgres"))).toBe(false);
      expect(existsSync(path.join(location.dataDirectory, "secrets.json"))).toBe(false);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("stores the API's settings, so that npm run admin accepts the same webhook URLs as the running API", async () => {
    const stack = await runningStack();
    expect((await stat(path.join(dataDirectory, "api-settings.json"))).mode & 0o777).toBe(0o600);
    const { merchant, administrator } = stack.sandbox;
    const add = (address: string) =>
      spawnSync(
        process.execPath,
        [
          path.resolve(import.meta.dirname, "../../../scripts/admin.mjs"),
          ...[
            "webhooks",
            "add",
            merchant.name,
            "--mode",
            "sandbox",
            "--url",
            address,
            "--events",
            "pos.order.paid",
          ],
          ...["--by", administrator.email],
        ],
        { env: { PATH: process.env.PATH, TILLGATE_DATA_DIR: dataDirectory }, encoding: "utf8" },
      );
    expect(add("http://localhost:3000/hook")).toMatchObject({ status: 0, stderr: "" });
    const rejected = add("http://169.254.169.254/latest/meta-data");
    expect(rejected).toMatchObject({ status: 1 });
    expect(rejected.stderr).toMatch(/not on the public internet/);
  });

  it("fails when the secrets of existing data are lost, and does not replace them", async () => {
    await stopRunningStack();
    const secrets = path.join(dataDirectory, "secrets.json");
    await rename(secrets, `${secrets}.lost`);
    try {
      await expect(start()).rejects.toThrow(/contains a database but no secrets\.json/);
      expect(existsSync(secrets)).toBe(false);
    } finally {
      await rename(`${secrets}.lost`, secrets);
    }
  });

  it("fails with the encryption keys of another system", async () => {
    await stopRunningStack();
    const file = path.join(dataDirectory, "secrets.json");
    const stored = await readFile(file, "utf8");
    const encryption_keys = `k1:${Buffer.alloc(32, "another key").toString("base64")}`;
    await writeFile(file, JSON.stringify({ ...JSON.parse(stored), encryption_keys }));
    try {
      await expect(start()).rejects.toThrow(
        /^The encryption keys do not match this database: key k1 has another value\. .*$/,
      );
    } finally {
      await writeFile(file, stored);
    }
  });

  it("can be cancelled, and then started again", async () => {
    const location = await newLocation();
    const cancelled = new AbortController();
    const report = (line: string) => {
      if (line.startsWith("Migrating")) cancelled.abort();
    };
    await expect(start({ ...location, signal: cancelled.signal, report })).rejects.toThrow();
    await (await start(location)).stop();
  });

  describe("after PostgreSQL exits", { timeout: 90_000 }, () => {
    const killDatabase = async (): Promise<void> => {
      const [pid] = (await readFile(path.join(dataDirectory, "postgres/postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGQUIT");
    };

    it("restarts PostgreSQL while the services keep running", async () => {
      const reported: string[] = [];
      const services = ["api", "store", "connector"];
      await stopRunningStack();
      // fsync: a crash would otherwise lose the last commits, such as the services' migrations.
      const stack = await start({ services, fsync: true, report: (line: string) => reported.push(line) });
      const ready = () =>
        Promise.all(
          [`${stack.sandbox.api}/readyz`, `${stack.sandbox.connector}/readyz`, stack.sandbox.store].map(
            async (url) => (await fetch(url)).status,
          ),
        );
      try {
        await killDatabase();
        await expect.poll(() => reported, { timeout: 30_000 }).toContain("PostgreSQL is running again.");
        await expect.poll(ready, { timeout: 30_000 }).toEqual([200, 200, 200]);
        expect(reported.filter((line) => line.includes("Restarting"))).toHaveLength(1);
      } finally {
        await stack.stop();
      }
    });

    it("retries while PostgreSQL cannot start, reports the reason once, and can be stopped meanwhile", async () => {
      const reported: string[] = [];
      await stopRunningStack();
      const settings = path.join(dataDirectory, "postgres/postgresql.conf");
      const sound = await readFile(settings);
      const stack = await start({ report: (line: string) => reported.push(line) });
      try {
        await appendFile(settings, "wal_level = nonsense\n");
        await killDatabase();
        const log = path.join(dataDirectory, "postgres.log");
        const attempts = async () => (await readFile(log, "utf8")).split("nonsense").length - 1;
        await expect.poll(attempts, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
        const startFailures = () => reported.filter((line) => line.startsWith("PostgreSQL did not start"));
        await expect.poll(startFailures, { timeout: 30_000 }).toHaveLength(1);
        expect(startFailures()[0]).toContain("wal_level");
      } finally {
        await stack.stop();
        await writeFile(settings, sound);
      }
      expect(reported.filter((line) => line.startsWith("PostgreSQL did not start"))).toHaveLength(1);
      expect(reported.at(-1)).not.toBe("PostgreSQL is running again.");
    });
  });

  it("uses an external PostgreSQL and leaves it running", async () => {
    const location = await newLocation();
    const server = await startEmbeddedServer({ dataDirectory: path.join(folder, "own"), fsync: false });
    try {
      const databaseUrls = {
        api: server.url,
        apiDirect: undefined,
        apiOwner: undefined,
        store: undefined,
        connector: undefined,
      };
      const first = await start({ ...location, databaseUrls });
      expect(new URL(first.sandbox.database_url)).toMatchObject({
        username: "postgres_api",
        pathname: new URL(server.url).pathname,
      });
      expect(existsSync(path.join(location.dataDirectory, "postgres"))).toBe(false);
      await first.stop();
      const second = await start({ ...location, databaseUrls });
      expect(second.sandbox.merchant).toEqual(first.sandbox.merchant);
      await second.stop();
      expect(await count(server.url, "merchants")).toBeGreaterThan(0);
      await expect(start({ ...(await newLocation()), databaseUrls })).rejects.toThrow(
        /is already seeded, but .*accounts\.json does not contain its credentials/,
      );
    } finally {
      await server.stop();
    }
  });
});
