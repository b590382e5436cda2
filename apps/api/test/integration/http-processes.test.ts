import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "@tillgate/service";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../scripts/testing/free-port.js";
import { createOrder } from "../support/orders.js";
import { addPartner, addRecipient, lookUpRecipient, partnerApi } from "../support/partner.js";
import { basic, payApi, send } from "../support/requests.js";
import { type SpawnedApi, spawnApi } from "../support/spawned-api.js";
import { createTestSandbox } from "../support/test-api.js";
import { waitUntil } from "../support/wait-until.js";

const METRICS_KEY = "test-metrics-key-of-forty-characters-000";
const CALLERS = 8;
/** Pause of a caller between two payouts. Without it, the load takes the processor time that other processes need to start. */
const PAUSE_MS = 50;
/** Number of payouts of each caller after which the load counts as established. */
const MIN_PAYOUTS = 6;
const FUNDS = 100_000_000n;
const DRAIN_MS = "500";
/** Drain time behind the load balancer. */
const BALANCED_DRAIN_MS = 2_000;
/** Maximum age of a readiness check that the load balancer uses. The rest of the drain time is left for sending the request on a busy machine. */
const MAX_CHECK_AGE_MS = 500;
const START_LIMIT_MS = 25_000;
/** Time after which a request without a response counts as lost with a killed process. */
const ANSWER_LIMIT_MS = 20_000;

const sandbox = await createTestSandbox();

type Line = { pid: number; msg: string; port?: number; httpProcesses?: number; res?: unknown };

/** Parses the log lines of all processes so far. */
const linesOf = (program: SpawnedApi): Line[] =>
  program
    .output()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Returns the PIDs of the HTTP processes that have logged their start, in the order of the log. */
const servingPids = (program: SpawnedApi): number[] =>
  linesOf(program)
    .filter(({ msg }) => msg === "an HTTP process is running")
    .map(({ pid }) => pid);

/** Returns the PIDs of the running children of a process. */
const childrenOf = (parent = 0): number[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));

async function startTwo(environment: Record<string, string> = {}): Promise<SpawnedApi> {
  const program = await spawnApi(sandbox, {
    TILLGATE_HTTP_PROCESSES: "2",
    TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "1000000",
    ...environment,
  });
  await waitUntil(
    "all processes are up",
    () => linesOf(program).some(({ msg }) => msg === "the API is running"),
    START_LIMIT_MS,
  );
  return program;
}

async function stopWith({ child, ...program }: SpawnedApi, signal: (pid: number) => void): Promise<void> {
  const ended = once(child, "exit");
  signal(child.pid ?? 0);
  expect((await ended)[0]).toBe(0);
  expect(linesOf({ child, ...program }).filter(({ msg }) => msg === "the API is stopping")).toHaveLength(3);
}

/**
 * Starts clients that make payouts of one euro until the load ends. Each request goes to the URL that
 * `nextUrl` returns.
 */
async function payOutUnderLoad(nextUrl: () => Promise<string>) {
  const partner = await addPartner(sandbox, { wallets: { EUR: FUNDS } });
  const recipient = await addRecipient(sandbox);
  const lookup_token = await lookUpRecipient(partnerApi({ url: await nextUrl() }, partner.token), recipient);
  const acknowledged = new Set<string>();
  let over = false;
  const failures: string[] = [];
  /** Requests the payout until the response is 200 or the load ends. */
  const payOut = async (key: string): Promise<void> => {
    while (!over) {
      const response = await send(`${await nextUrl()}/api/partner/sandbox/v1/payout`, {
        method: "POST",
        headers: { authorization: `Bearer ${partner.token}`, "content-type": "application/json" },
        body: JSON.stringify({
          lookup_token,
          amount: 1,
          sender_currency: "EUR",
          receiver_currency: "EUR",
          reference: key,
          idempotency_key: key,
        }),
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      }).catch(({ cause }: Error) => ({ status: 0, text: String(cause) }));
      if (response.status === 200) acknowledged.add(key);
      if (response.status === 200) return;
      failures.push(`${response.status} ${response.text}`);
    }
  };
  const counts = Array.from({ length: CALLERS }, () => 0);
  const callers = counts.map(async (_, caller) => {
    while (!over) {
      await payOut(randomUUID());
      counts[caller] = (counts[caller] ?? 0) + 1;
      await delay(PAUSE_MS);
    }
  });
  return {
    /** Status and text of each failed request. Status 0: no response. */
    failures,
    /**
     * Waits until each caller has made `MIN_PAYOUTS` more payouts. A connection that a killed process was to
     * accept delays its caller until the request times out.
     */
    async runs() {
      const before = [...counts];
      const hasProgressed = (count: number, caller: number) => count >= (before[caller] ?? 0) + MIN_PAYOUTS;
      await waitUntil("every caller progresses", () => counts.every(hasProgressed), 2 * ANSWER_LIMIT_MS);
    },
    /** Stops the load, and expects that exactly the acknowledged payouts exist and are debited. */
    async endAndCompare() {
      over = true;
      await Promise.all(callers);
      const { prisma } = sandbox.database;
      const payouts = await prisma.payout.findMany({ where: { merchantId: partner.merchantId } });
      const { balance } = await prisma.account.findUniqueOrThrow({
        where: { id: partner.wallets.EUR ?? "" },
      });
      expect(payouts.map(({ reference }) => reference).sort()).toEqual([...acknowledged].sort());
      expect(FUNDS - (balance ?? 0n)).toBe(payouts.reduce((sum, { amount, fee }) => sum + amount + fee, 0n));
    },
  };
}

/** Starts a round-robin load balancer over instances that passed their last readiness check. */
function startBalancer(programs: Set<SpawnedApi>) {
  let ready: SpawnedApi[] = [];
  /** Start of the check whose result is in use. */
  let checkedAt = 0;
  let turn = 0;
  const isReady = ({ url }: SpawnedApi) =>
    send(`${url}/readyz`, { headers: { connection: "close" } }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const asking = setInterval(async () => {
    const startedAt = performance.now();
    const requested = [...programs];
    const responses = await Promise.all(requested.map(isReady));
    if (startedAt < checkedAt) return;
    checkedAt = startedAt;
    ready = requested.filter((program, index) => responses[index] && programs.has(program));
  }, 50);
  onTestFinished(() => clearInterval(asking));
  return {
    hasReady: (count: number) => () => ready.length === count,
    async next(): Promise<string> {
      await waitUntil(
        "the readiness check is recent",
        () => performance.now() - checkedAt <= MAX_CHECK_AGE_MS,
      );
      turn += 1;
      const chosen = ready[turn % ready.length];
      if (!chosen) throw new Error("no instance is ready");
      return chosen.url;
    },
  };
}

describe("two HTTP processes", () => {
  it("share one port and one metrics port, are replaced if killed, and lose no acknowledged payout, even on SIGTERM", async () => {
    const metricsPort = await freePort();
    const program = await startTwo({
      TILLGATE_METRICS_KEY: METRICS_KEY,
      TILLGATE_METRICS_PORT: String(metricsPort),
      TILLGATE_DRAIN_MS: DRAIN_MS,
    });
    const calls = 12;
    for (let call = 0; call < calls; call += 1) {
      const { status } = await send(`${program.url}/pay/sandbox/api/v1/orders`, {
        headers: { authorization: basic(sandbox.access.merchant), connection: "close" },
      });
      expect(status).toBe(200);
    }
    const lines = linesOf(program);
    const answered = new Set(lines.filter(({ res }) => res !== undefined).map(({ pid }) => pid));
    expect(answered).toEqual(new Set(servingPids(program)));
    expect(answered.size).toBe(2);
    expect(lines.filter(({ msg }) => msg === "the API is running")).toEqual([
      expect.objectContaining({ pid: program.child.pid, port: program.port, httpProcesses: 2 }),
    ]);

    const metrics = (key: string, url = `http://127.0.0.1:${metricsPort}`) =>
      send(`${url}/metrics`, { headers: { authorization: `Bearer ${key}`, connection: "close" } });
    const counted = `tillgate_request_seconds_count{route="/pay/sandbox/api/v1/orders",method="GET",status="200"} ${calls}\n`;
    for (let scrape = 0; scrape < 4; scrape += 1) {
      const { status, text } = await metrics(METRICS_KEY);
      expect(status).toBe(200);
      expect(text).toContain(counted);
      expect(text).toContain("tillgate_database_reachable 1\n");
      expect(text).toContain("tillgate_mail_configured 0\n");
      expect(text).toContain('tillgate_waiting{what="deliveries_due"} 0\n');
    }
    expect((await metrics(`${METRICS_KEY}x`)).status).toBe(404);
    expect((await metrics(METRICS_KEY, program.url)).status).toBe(404);
    expect((await metrics(METRICS_KEY)).text).toContain('event="refused_key",api="pay"} 1\n');

    const load = await payOutUnderLoad(async () => program.url);
    await load.runs();
    const [killed] = servingPids(program);
    process.kill(killed ?? 0, "SIGKILL");
    await waitUntil(
      "the killed process is replaced",
      () => servingPids(program).length === 3,
      START_LIMIT_MS,
    );
    await load.runs();
    expect((await metrics(METRICS_KEY)).text).toContain(
      'tillgate_process_failures_total{process="http"} 1\n',
    );
    await stopWith(program, (pid) => process.kill(pid, "SIGTERM"));
    await load.endAndCompare();
  }, 90_000);

  it("are replaced if killed during startup, and acknowledge every payout they made when all processes receive SIGINT, as with Ctrl-C", async () => {
    const program = await spawnApi(sandbox, {
      TILLGATE_HTTP_PROCESSES: "2",
      TILLGATE_DRAIN_MS: DRAIN_MS,
      TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "1000000",
    });
    await waitUntil("the first process serves", () => servingPids(program).length === 1, START_LIMIT_MS);
    const [first] = servingPids(program);
    const starting = () => childrenOf(program.child.pid).filter((pid) => pid !== first);
    await waitUntil("the second process starts", () => starting().length > 0);
    for (const pid of starting()) process.kill(pid, "SIGKILL");
    await waitUntil(
      "all processes are up",
      () => linesOf(program).some(({ msg }) => msg === "the API is running"),
      START_LIMIT_MS,
    );
    // On a slow machine the killed process may have started serving.
    const servingNow = () => {
      const alive = childrenOf(program.child.pid);
      return servingPids(program).filter((pid) => alive.includes(pid));
    };
    await waitUntil("two processes serve", () => servingNow().length === 2, START_LIMIT_MS);
    const started = servingPids(program).length;
    const load = await payOutUnderLoad(async () => program.url);
    await load.runs();
    await stopWith(program, (pid) => process.kill(-pid, "SIGINT"));
    await load.endAndCompare();
    expect(servingPids(program)).toHaveLength(started);
  }, 90_000);

  it("complete an accepted request and exit when their parent is killed", async () => {
    const program = await startTwo();
    const api = payApi(program, sandbox.access.merchant);
    const order = await createOrder(api);
    const { pool } = sandbox.database;
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM orders WHERE id = $1 FOR UPDATE", [order.order_id]);
    const cancelling = api.post(`/orders/${order.order_id}/cancel`);
    await waitUntil("the cancellation waits for the lock", async () => {
      const { rows } = await pool.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return rows.length > 0;
    });

    program.child.kill("SIGKILL");
    await waitUntil("no process accepts new connections", () =>
      send(`${program.url}/healthz`, { headers: { connection: "close" } }).then(
        () => false,
        () => true,
      ),
    );
    await holder.query("COMMIT");
    holder.release();
    expect((await cancelling).status).toBe(200);
    await waitUntil("both processes have ended", () => !servingPids(program).some(isAlive));
  });

  it("close connections above the limit per process", async () => {
    const program = await startTwo({ TILLGATE_CONNECTIONS: "1" });
    let closed = 0;
    const sockets = Array.from({ length: 4 }, () => connect(program.port, "127.0.0.1"));
    for (const socket of sockets)
      socket
        .on("error", () => undefined)
        .once("close", () => {
          closed += 1;
        });
    await waitUntil("two connections are closed", () => closed === 2);
    for (const socket of sockets) socket.destroy();
  });
});

describe("two instances behind a load balancer", () => {
  it("can be replaced one at a time under load without a failed request, whereas killing an instance causes failed requests", async () => {
    const programs = new Set<SpawnedApi>();
    const balancer = startBalancer(programs);
    const start = async (): Promise<SpawnedApi> => {
      const program = await spawnApi(sandbox, {
        TILLGATE_ROLE: "http",
        TILLGATE_DRAIN_MS: String(BALANCED_DRAIN_MS),
        TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "1000000",
      });
      programs.add(program);
      return program;
    };
    const old = await Promise.all([start(), start()]);
    await waitUntil("both instances are ready", balancer.hasReady(2), START_LIMIT_MS);
    const load = await payOutUnderLoad(balancer.next);
    for (const program of old) {
      await load.runs();
      await start();
      await waitUntil("the new instance is ready", balancer.hasReady(3), START_LIMIT_MS);
      const ended = once(program.child, "exit");
      program.child.kill("SIGTERM");
      expect((await ended)[0]).toBe(0);
      programs.delete(program);
    }
    await load.runs();
    expect(load.failures).toEqual([]);
    const [killed] = programs;
    killed?.child.kill("SIGKILL");
    await waitUntil("a call fails", () => load.failures.length > 0);
    await load.runs();
    await load.endAndCompare();
  }, 90_000);
});

describe("several processes that fail to start", () => {
  const errorsFor = async (environment: Record<string, string>): Promise<string> => {
    const program = await spawnApi(sandbox, {
      TILLGATE_HTTP_PROCESSES: "2",
      LOG_LEVEL: "fatal",
      ...environment,
    });
    // All processes share the pipe, which closes when the last one exits.
    const [code] = await once(program.child, "close");
    expect(code).toBe(1);
    return program.output();
  };

  it("log one line in total and exit with status 1 if a setting is invalid", async () => {
    expect(await errorsFor({ TILLGATE_CONNECTIONS: "none" })).toBe(
      "The API cannot start: TILLGATE_CONNECTIONS: must be a whole number from 1 to 1000000\n",
    );
  });

  it("log one line in total and exit with status 1 if a port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const bound = other.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    expect(await errorsFor({ PORT: String(port) })).toBe(
      `The API cannot start: bind EADDRINUSE 127.0.0.1:${port}\n`,
    );
    other.close();
  });
});
