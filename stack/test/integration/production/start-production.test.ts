import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { startEmbeddedServer } from "@tillgate/database/embedded";
import { findFreeBasePort, readUpSettings, rejectSandboxDatabase, startProduction } from "@tillgate/stack";
import pg from "pg";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { databaseUrl, requireRunValue, runAsSuperuser } from "../../../../scripts/testing/databases.js";
import { freePorts } from "../../../../scripts/testing/free-port.js";
import { childWithPort } from "../../support/child-with-port.js";

const HOSTS = ["api.shop.test", "pay.shop.test", "console.shop.test"];

let folder: string;
let httpsPort: number;
let environment: Record<string, string>;
let certificate: { cert: string };
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-production-"));
  const created = await generate([{ name: "commonName", value: HOSTS[0] }], {
    extensions: [{ name: "subjectAltName", altNames: HOSTS.map((value) => ({ type: 2, value })) }],
  });
  certificate = created;
  await writeFile(path.join(folder, "cert.pem"), created.cert);
  await writeFile(path.join(folder, "key.pem"), created.private, { mode: 0o600 });
  const [https = 0, http = 0, metrics = 0] = await freePorts(3);
  httpsPort = https;
  environment = {
    TILLGATE_DATA_DIR: path.join(folder, "data"),
    TILLGATE_API_PUBLIC_URL: `https://api.shop.test:${https}`,
    TILLGATE_PAY_URL: `https://pay.shop.test:${https}`,
    TILLGATE_CONSOLE_URL: `https://console.shop.test:${https}`,
    TILLGATE_CERTIFICATE_FILE: path.join(folder, "cert.pem"),
    TILLGATE_CERTIFICATE_KEY_FILE: path.join(folder, "key.pem"),
    TILLGATE_LISTEN_HOST: "127.0.0.1",
    TILLGATE_HTTPS_PORT: String(https),
    TILLGATE_HTTP_PORT: String(http),
    TILLGATE_DRAIN_MS: "0",
    TILLGATE_METRICS_PORT: String(metrics),
    TILLGATE_PORT: String(await findFreeBasePort()),
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (
  changes: Record<string, string> = {},
  report: (line: string) => void = () => undefined,
  signal = new AbortController().signal,
) =>
  startProduction({
    settings: readUpSettings({ ...environment, ...changes }),
    environment: { ...process.env, ...environment, ...changes },
    report,
    signal,
  });

async function get(
  host: string,
  address: string,
): Promise<{ status: number | undefined; response: IncomingMessage; body: string }> {
  const sent = request({
    host: "127.0.0.1",
    port: httpsPort,
    servername: host,
    ca: certificate.cert,
    path: address,
    headers: { host: `${host}:${httpsPort}` },
    agent: false,
  }).end();
  const response: IncomingMessage = (await once(sent, "response"))[0];
  return { status: response.statusCode, response, body: await text(response) };
}

describe("a production system", () => {
  it("serves the API, the payment page and the console over HTTPS, restarts only a service that was killed, and reports failures as metrics", async () => {
    const production = await start();
    try {
      expect(await get("api.shop.test", "/readyz")).toMatchObject({ status: 200, body: '{"status":"ok"}' });
      const orders = await get("api.shop.test", "/pay/api/v1/orders");
      expect([orders.status, orders.response.headers["strict-transport-security"]]).toEqual([
        401,
        expect.any(String),
      ]);
      // The page reaches the API on loopback: an unknown payment is 404, not 503.
      expect((await get("pay.shop.test", `/pay/${"x".repeat(43)}`)).status).toBe(404);
      const signIn = await get("console.shop.test", "/sign-in");
      expect(signIn.status).toBe(200);
      expect([signIn.response.headers["set-cookie"]].flat().join()).toMatch(/__Host-[^;]+;.*Secure/);
      // Internal APIs are not public.
      expect((await get("api.shop.test", "/checkout/v1/orders/x")).status).toBe(404);
      await expect(start({ TILLGATE_PORT: String(await findFreeBasePort()) })).rejects.toThrow(
        "is already running in",
      );
      const failures = async () => {
        const response = await fetch(`http://127.0.0.1:${environment.TILLGATE_METRICS_PORT}/metrics`);
        return Object.fromEntries(
          [
            ...(await response.text()).matchAll(
              /^tillgate_process_failures_total\{process="(\w+)"\} (\d+)$/gm,
            ),
          ].map(([, name, count]) => [name, Number(count)]),
        );
      };
      expect(await failures()).toEqual({ PostgreSQL: 0, api: 0, pay: 0, dashboard: 0, http: 0 });
      // If the console is killed, only the console is restarted.
      process.kill(await childWithPort(Number(environment.TILLGATE_PORT) + 2), "SIGKILL");
      const consoleStatus = async () => (await get("console.shop.test", "/sign-in")).status;
      await expect.poll(consoleStatus, { interval: 20 }).toBe(503);
      expect((await get("api.shop.test", "/readyz")).status).toBe(200);
      await expect.poll(consoleStatus, { timeout: 30_000 }).toBe(200);
      expect(await failures()).toMatchObject({ dashboard: 1, api: 0 });
      // A restarted api also reports the failures before its start.
      process.kill(await childWithPort(Number(environment.TILLGATE_PORT)), "SIGKILL");
      await expect
        .poll(() => failures().catch(() => undefined), { timeout: 30_000 })
        .toEqual({ PostgreSQL: 0, api: 1, pay: 0, dashboard: 1, http: 0 });
    } finally {
      await production.stop();
    }
  }, 90_000);

  it("starts after an earlier npm run up was killed, once the services of that run have ended", async () => {
    const file = path.join(folder, "settings.env");
    const lines = Object.entries({ ...environment, TILLGATE_DRAIN_MS: "3000" }).map(
      (one) => `${one.join("=")}\n`,
    );
    await writeFile(file, lines.join(""), { mode: 0o600 });
    const up = () => {
      const child = spawn(process.execPath, ["scripts/up.mjs", file], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.on("data", (data: Buffer) => {
        output += data.toString();
      });
      return { child, isRunning: () => output.includes("Tillgate is running."), output: () => output };
    };
    const first = up();
    try {
      await vi.waitUntil(first.isRunning, { timeout: 60_000 });
    } finally {
      first.child.kill("SIGKILL");
    }
    const second = up();
    try {
      await vi.waitUntil(() => second.isRunning() || second.child.exitCode !== null, { timeout: 60_000 });
      expect(second.output()).toContain("Tillgate is running.");
      expect((await get("api.shop.test", "/readyz")).status).toBe(200);
      expect(second.output()).not.toContain("Restarting");
    } finally {
      const ended = once(second.child, "exit");
      second.child.kill("SIGTERM");
      if (second.child.exitCode === null) expect(await ended).toEqual([0, null]);
    }
  }, 150_000);

  it("runs without a certificate while the certificate authority cannot be reached, and reports why", async () => {
    const reported: string[] = [];
    const [unusedPort = 0] = await freePorts(1);
    const changes = {
      TILLGATE_CERTIFICATE_FILE: "",
      TILLGATE_CERTIFICATE_KEY_FILE: "",
      TILLGATE_ACME_EMAIL: "you@shop.test",
      TILLGATE_ACME_DIRECTORY: `http://127.0.0.1:${unusedPort}/directory`,
    };
    const production = await start(changes, (line) => reported.push(line));
    try {
      expect(reported.at(-1)).toMatch(
        /^No certificate was issued: .*ECONNREFUSED.*\n.*next attempt is in an hour/,
      );
      await expect(get("api.shop.test", "/readyz")).rejects.toThrow("handshake failure");
    } finally {
      await production.stop();
    }
  }, 60_000);

  it("can be stopped while it waits for a certificate authority that does not respond", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const stopping = new AbortController();
    let abortedAt = 0;
    const changes = {
      TILLGATE_CERTIFICATE_FILE: "",
      TILLGATE_CERTIFICATE_KEY_FILE: "",
      TILLGATE_ACME_EMAIL: "you@shop.test",
      TILLGATE_ACME_DIRECTORY: `http://127.0.0.1:${port}/directory`,
    };
    const report = (line: string) => {
      if (!line.startsWith("Requesting a certificate")) return;
      abortedAt = performance.now();
      stopping.abort();
    };
    try {
      await expect(start(changes, report, stopping.signal)).rejects.toThrow();
      expect(abortedAt).toBeGreaterThan(0);
      expect(performance.now() - abortedAt).toBeLessThan(10_000);
    } finally {
      silent.close();
    }
  }, 60_000);

  it("does not start on a public port that is in use, and creates no database", async () => {
    const other = createServer().listen(Number(environment.TILLGATE_HTTP_PORT), "127.0.0.1");
    await once(other, "listening");
    const unused = path.join(folder, "unused");
    try {
      await expect(start({ TILLGATE_DATA_DIR: unused })).rejects.toThrow(
        `Cannot listen on port ${environment.TILLGATE_HTTP_PORT} (TILLGATE_HTTP_PORT)`,
      );
      expect(await readdir(unused)).not.toContain("postgres");
    } finally {
      other.close();
    }
  });

  it.each(["203.0.113.7", "no-such-host.invalid"])(
    "does not start or create a database if %s is not an address of this machine",
    async (host) => {
      const unused = path.join(folder, `unused-${host}`);
      await expect(start({ TILLGATE_DATA_DIR: unused, TILLGATE_LISTEN_HOST: host })).rejects.toThrow(
        `TILLGATE_LISTEN_HOST: ${host} is not an address of this machine`,
      );
      expect(await readdir(unused)).not.toContain("postgres");
    },
  );

  it("does not start on a database that a newer version has migrated", async () => {
    const [port = 0] = await freePorts(1);
    const dataDirectory = path.join(environment.TILLGATE_DATA_DIR ?? "", "postgres");
    const server = await startEmbeddedServer({ dataDirectory, port });
    const client = new pg.Client({ connectionString: server.urlOf("tillgate") });
    await client.connect();
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ('9999', 'x', '9999_of_tomorrow', now(), now(), 1)`,
    );
    await client.end();
    await server.stop();
    await expect(start()).rejects.toThrow("9999_of_tomorrow");
  });

  it("does not start without a readable certificate for all of its hosts", async () => {
    const other = {
      TILLGATE_DATA_DIR: path.join(folder, "other"),
      TILLGATE_PAY_URL: "https://pay.other.test",
    };
    await expect(start(other)).rejects.toThrow("cert.pem is not for pay.other.test");
    const none = { ...other, TILLGATE_CERTIFICATE_FILE: path.join(folder, "none.pem") };
    await expect(start(none)).rejects.toThrow("The certificate or its key cannot be read");
  });
});

describe("a production system's database", () => {
  const names = { empty: "tillgate_up_empty", seeded: "tillgate_up_seeded" };
  const { template } = JSON.parse(requireRunValue("TILLGATE_TEST_SEED"));
  beforeAll(async () => {
    await runAsSuperuser(`CREATE DATABASE ${names.empty}`);
    await runAsSuperuser(`CREATE DATABASE ${names.seeded} TEMPLATE ${template} STRATEGY file_copy`);
  });
  afterAll(async () => {
    for (const name of Object.values(names)) await runAsSuperuser(`DROP DATABASE ${name}`);
  });

  it("must not be a sandbox's database, whose passwords were printed, but may be empty", async () => {
    await expect(rejectSandboxDatabase(databaseUrl(names.seeded).href)).rejects.toThrow(
      "was seeded as a sandbox",
    );
    await rejectSandboxDatabase(databaseUrl(names.empty).href);
  });
});
