import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  runAsSuperuser,
} from "../../../../scripts/testing/databases.js";
import { freePort } from "../../../../scripts/testing/free-port.js";

const name = await createDatabase("connector");
const folder = mkdtempSync(path.join(tmpdir(), "connector-service-"));
const connectorDatabaseUrl = () => databaseUrl(name).href;

const store = {
  id: "demo",
  url: "http://127.0.0.1:1",
  consumer_key: "ck_1",
  consumer_secret: "cs_1",
  client_id: "ci_1",
  client_secret: "secret_1",
  mode: "sandbox",
  return_url: "http://127.0.0.1:1/return?order={order_id}&key={order_key}",
};

afterAll(async () => {
  await dropDatabase(name);
  rmSync(folder, { recursive: true });
});

const START_MS = 20_000;

type Service = {
  child: ChildProcess;
  output: () => string;
  /** The exit code. */
  ended: Promise<unknown>;
};

function start(environment: Record<string, string>, words: readonly string[] = []): Service {
  const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
  const child = spawn(process.execPath, [main, ...words], {
    env: {
      ...process.env,
      CONNECTOR_DATABASE_URL: connectorDatabaseUrl(),
      CONNECTOR_URL: "http://127.0.0.1:4004",
      TILLGATE_API_URL: "http://127.0.0.1:1",
      CONNECTOR_STORES: JSON.stringify([store]),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  return { child, output: () => text, ended: once(child, "exit").then(([code]) => code) };
}

describe("the service", () => {
  it.each([
    ["PostgreSQL", {}],
    ["a SQLite file", { CONNECTOR_DATABASE_URL: `file:${path.join(folder, "connector.db")}` }],
  ])(
    "starts with %s, is healthy and ready, and exits cleanly within 5 s of SIGTERM",
    async (_what, database) => {
      const port = String(await freePort());
      const service = start({ PORT: port, ...database });
      const health = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
        return response?.status ?? service.output();
      };
      await expect.poll(() => health("/healthz"), { timeout: START_MS, interval: 100 }).toBe(200);
      expect(await health("/readyz")).toBe(200);
      const startedMs = performance.now();
      service.child.kill("SIGTERM");
      expect(await service.ended, service.output()).toBe(0);
      expect(performance.now() - startedMs).toBeLessThan(5_000);
      expect(service.output()).not.toContain("secret_1");
    },
  );

  it("prints its usage without any settings", async () => {
    const service = start({ CONNECTOR_STORES: "", CONNECTOR_DATABASE_URL: "" }, ["--help"]);
    expect(await service.ended, service.output()).toBe(0);
    expect(service.output()).toMatch(/^Usage: tillgate-connector/);
    expect(service.output()).toContain("CONNECTOR_STORES");
  });

  it("closes connections without a complete request, and connections above the limit", async () => {
    const port = String(await freePort());
    const service = start({ PORT: port, CONNECTOR_CONNECTIONS: "10" });
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status;
    await expect.poll(isReady, { timeout: START_MS, interval: 100 }).toBe(200);
    const sockets: Socket[] = [];
    try {
      /** Resolves when the service closes the connection. */
      const closedAfter = (text: string) =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
          sockets.push(socket);
          socket.on("error", () => undefined).on("close", () => resolve());
          socket.resume();
        });
      const startedMs = performance.now();
      await closedAfter("POST /v1/stores/demo/webhook HTTP/1.1\r\nHost: x\r\n");
      expect(performance.now() - startedMs).toBeLessThan(14_000);
      // Connections above the limit are closed immediately, long before the header timeout.
      const closed: number[] = [];
      for (let index = 0; index < 14; index += 1) void closedAfter("").then(() => closed.push(index));
      await expect.poll(() => closed.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(4);
    } finally {
      for (const socket of sockets) socket.destroy();
      service.child.kill("SIGTERM");
      await service.ended;
    }
  });

  it("responds with 503 and Retry-After while its database is unreachable", async () => {
    const port = String(await freePort());
    const databaseName = await createDatabase("connector");
    const service = start({
      PORT: port,
      CONNECTOR_DATABASE_URL: databaseUrl(databaseName).href,
      LOG_LEVEL: "silent",
    });
    const request = () =>
      fetch(`http://127.0.0.1:${port}/v1/stores/demo/payments/1?order_key=k`).catch(() => null);
    try {
      await expect.poll(async () => (await request())?.status, { timeout: START_MS }).toBe(503);
      await runAsSuperuser(`ALTER DATABASE ${databaseName} WITH ALLOW_CONNECTIONS false`);
      await runAsSuperuser(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${databaseName}'`,
      );
      const response = await request();
      expect(await response?.json()).toMatchObject({
        message: { code: 503, error: [expect.stringContaining("The connector is unavailable")] },
      });
      expect(response?.headers.get("retry-after")).toBe("5");
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
    } finally {
      service.child.kill("SIGTERM");
      await service.ended;
      await dropDatabase(databaseName);
    }
  });

  it.each([
    [{ CONNECTOR_URL: "nowhere" }, "CONNECTOR_URL: must be an absolute http or https URL"],
    [{ CONNECTOR_DATABASE_URL: "file::memory:" }, "CONNECTOR_DATABASE_URL: must be"],
    [{ CONNECTOR_DATABASE_URL: "file:/no/such/folder/connector.db" }, "The connector cannot start"],
    [{ CONNECTOR_DATABASE_URL: "postgresql://nobody:hidden@127.0.0.1:1/none" }, "ECONNREFUSED"],
  ])("exits with status 1 and a one-line error if it cannot start: %j", async (environment, text) => {
    const service = start({ PORT: String(await freePort()), ...environment });
    expect(await service.ended).toBe(1);
    expect(service.output().trim().split("\n")).toEqual([expect.stringContaining(text)]);
    expect(service.output()).not.toContain("hidden");
  });
});
