import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { isAlive } from "@tillgate/service";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiProgram, freePort, spawnApi } from "../support/api-program.js";
import { createOrder } from "../support/orders.js";
import { addPartner, addRecipient, lookUp, partnerApi } from "../support/partner.js";
import { basic, payApi, send } from "../support/requests.js";
import { sandboxOfFile } from "../support/scene.js";
import { until } from "../support/until.js";

const METRICS_KEY = "test-metrics-key-of-forty-characters-000";
const CALLERS = 8;
/** Payouts after which the load counts as running. */
const ENOUGH = 50;
const FUNDS = 100_000_000n;
const DRAIN_MS = "500";
const START_LIMIT_MS = 25_000;
/** A request that has no answer by then was on its way to a killed process. */
const ANSWER_LIMIT_MS = 4_000;

const sandbox = await sandboxOfFile();

type Line = { pid: number; msg: string; port?: number; httpProcesses?: number; res?: unknown };

/** The lines of the log so far, of all processes. */
const linesOf = (program: ApiProgram): Line[] =>
  program
    .said()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The processes that said that they serve, in the order of it. */
const serving = (program: ApiProgram): number[] =>
  linesOf(program)
    .filter(({ msg }) => msg === "an HTTP process is up")
    .map(({ pid }) => pid);

/** The processes that a process has started and that run. */
const childrenOf = (parent = 0): number[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));

/** The api with two processes that serve HTTP. Nothing has called it yet. */
async function startTwo(environment: Record<string, string> = {}): Promise<ApiProgram> {
  const program = await spawnApi(sandbox, {
    TILLGATE_HTTP_PROCESSES: "2",
    TILLGATE_PARTNER_REQUESTS_A_MINUTE: "1000000",
    ...environment,
  });
  await until("all is up", () => linesOf(program).some(({ msg }) => msg === "the api is up"), START_LIMIT_MS);
  return program;
}

/** Ends it by a signal. All of it ends once, and well. */
async function endBy({ child, ...program }: ApiProgram, signal: (pid: number) => void): Promise<void> {
  const ended = once(child, "exit");
  signal(child.pid ?? 0);
  expect((await ended)[0]).toBe(0);
  expect(linesOf({ child, ...program }).filter(({ msg }) => msg === "the api stops")).toHaveLength(3);
}

/** Callers that pay out one euro after the other, each over connections of its own, at the address that is asked for each time. */
async function payOutUnderLoad(urlNow: () => string) {
  const partner = await addPartner(sandbox, { wallets: { EUR: FUNDS } });
  const recipient = await addRecipient(sandbox);
  const lookup_token = await lookUp(partnerApi({ url: urlNow() }, partner.token), recipient);
  const acknowledged = new Set<string>();
  let over = false;
  let failed = 0;
  /** Repeats a call until it is answered, or until there is nobody to answer. */
  const payOut = async (key: string): Promise<void> => {
    while (!over) {
      const answer = await send(`${urlNow()}/api/partner/sandbox/v1/payout`, {
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
      }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.add(key);
      if (answer?.status === 200) return;
      failed += 1;
    }
  };
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!over) await payOut(randomUUID());
  });
  return {
    /** Calls that were not answered with 200. */
    failed: () => failed,
    /** Waits until it has gone on for a while. */
    async runs() {
      const before = acknowledged.size;
      await until("the load runs", () => acknowledged.size > before + ENOUGH);
    },
    /** Ends. Every acknowledged payout was made, once; none that was made at a signal has no answer. */
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

/** Of programs, each on a port of its own, the next that was ready when it was asked last, as a balancer chooses. */
function balance(programs: Set<ApiProgram>) {
  let ready: ApiProgram[] = [];
  let turn = 0;
  const isReady = ({ url }: ApiProgram) =>
    send(`${url}/readyz`, { headers: { connection: "close" } }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const asking = setInterval(async () => {
    const asked = [...programs];
    const answers = await Promise.all(asked.map(isReady));
    ready = asked.filter((program, index) => answers[index] && programs.has(program));
  }, 50);
  onTestFinished(() => clearInterval(asking));
  return {
    hasReady: (count: number) => () => ready.length === count,
    next(): string {
      turn += 1;
      const chosen = ready[turn % ready.length];
      if (!chosen) throw new Error("No process is ready.");
      return chosen.url;
    },
  };
}

describe("two HTTP processes", () => {
  it("share one port and one metrics port, restart a killed one, and lose no acknowledged payout then or at SIGTERM", async () => {
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
    expect(answered).toEqual(new Set(serving(program)));
    expect(answered.size).toBe(2);
    expect(lines.filter(({ msg }) => msg === "the api is up")).toEqual([
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

    const load = await payOutUnderLoad(() => program.url);
    await load.runs();
    const [killed] = serving(program);
    process.kill(killed ?? 0, "SIGKILL");
    await until("it is back", () => serving(program).length === 3, START_LIMIT_MS);
    await load.runs();
    await endBy(program, (pid) => process.kill(pid, "SIGTERM"));
    await load.endAndCompare();
  }, 90_000);

  it("restart one that is killed during startup, and answer all accepted requests when SIGINT reaches every process, as with Ctrl-C", async () => {
    const program = await spawnApi(sandbox, {
      TILLGATE_HTTP_PROCESSES: "2",
      TILLGATE_DRAIN_MS: DRAIN_MS,
      TILLGATE_PARTNER_REQUESTS_A_MINUTE: "1000000",
    });
    await until("the first serves", () => serving(program).length === 1, START_LIMIT_MS);
    const [first] = serving(program);
    const starting = () => childrenOf(program.child.pid).filter((pid) => pid !== first);
    await until("the second starts", () => starting().length > 0);
    for (const pid of starting()) process.kill(pid, "SIGKILL");
    await until(
      "all is up",
      () => linesOf(program).some(({ msg }) => msg === "the api is up"),
      START_LIMIT_MS,
    );
    // On a slow machine the killed one may have served already.
    const servingNow = () => {
      const alive = childrenOf(program.child.pid);
      return serving(program).filter((pid) => alive.includes(pid));
    };
    await until("two processes serve", () => servingNow().length === 2, START_LIMIT_MS);
    const started = serving(program).length;
    const load = await payOutUnderLoad(() => program.url);
    await load.runs();
    await endBy(program, (pid) => process.kill(-pid, "SIGINT"));
    await load.endAndCompare();
    expect(serving(program)).toHaveLength(started);
  }, 90_000);

  it("answer accepted requests and exit when their parent is killed", async () => {
    const program = await startTwo();
    const api = payApi(program, sandbox.access.merchant);
    const order = await createOrder(api);
    const { pool } = sandbox.database;
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM orders WHERE id = $1 FOR UPDATE", [order.order_id]);
    const cancelling = api.post(`/orders/${order.order_id}/cancel`);
    await until("the cancelling waits for the lock", async () => {
      const { rows } = await pool.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return rows.length > 0;
    });

    program.child.kill("SIGKILL");
    await until("nobody takes new calls", () =>
      send(`${program.url}/healthz`, { headers: { connection: "close" } }).then(
        () => false,
        () => true,
      ),
    );
    await holder.query("COMMIT");
    holder.release();
    expect((await cancelling).status).toBe(200);
    await until("both have ended", () => !serving(program).some(isAlive));
  });

  it("close connections above the limit immediately", async () => {
    const program = await startTwo({ TILLGATE_CONNECTIONS: "1" });
    let closed = 0;
    const sockets = Array.from({ length: 4 }, () => connect(program.port, "127.0.0.1"));
    for (const socket of sockets)
      socket
        .on("error", () => undefined)
        .once("close", () => {
          closed += 1;
        });
    await until("two are closed", () => closed === 2);
    for (const socket of sockets) socket.destroy();
  });
});

describe("two instances behind a load balancer", () => {
  it("are replaced one after the other under load without a failed request, unlike a killed instance", async () => {
    const programs = new Set<ApiProgram>();
    const balancer = balance(programs);
    const start = async (): Promise<ApiProgram> => {
      const program = await spawnApi(sandbox, {
        TILLGATE_ROLE: "http",
        TILLGATE_DRAIN_MS: DRAIN_MS,
        TILLGATE_PARTNER_REQUESTS_A_MINUTE: "1000000",
      });
      programs.add(program);
      return program;
    };
    const old = await Promise.all([start(), start()]);
    await until("both are ready", balancer.hasReady(2), START_LIMIT_MS);
    const load = await payOutUnderLoad(balancer.next);
    for (const program of old) {
      await load.runs();
      await start();
      await until("its successor is ready", balancer.hasReady(3), START_LIMIT_MS);
      const ended = once(program.child, "exit");
      program.child.kill("SIGTERM");
      expect((await ended)[0]).toBe(0);
      programs.delete(program);
    }
    await load.runs();
    expect(load.failed()).toBe(0);
    const [killed] = programs;
    killed?.child.kill("SIGKILL");
    await until("a call fails", () => load.failed() > 0);
    await load.runs();
    await load.endAndCompare();
  }, 90_000);
});

describe("startup failure of several processes is logged once and exits with 1", () => {
  const said = async (environment: Record<string, string>): Promise<string> => {
    const program = await spawnApi(sandbox, {
      TILLGATE_HTTP_PROCESSES: "2",
      LOG_LEVEL: "fatal",
      ...environment,
    });
    // All processes write to one pipe: it is closed when the last has ended.
    const [code] = await once(program.child, "close");
    expect(code).toBe(1);
    return program.said();
  };

  it("for an invalid setting", async () => {
    expect(await said({ TILLGATE_CONNECTIONS: "none" })).toBe(
      "The api cannot start: TILLGATE_CONNECTIONS: must be a whole number from 1 to 1000000\n",
    );
  });

  it("for a port in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const bound = other.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    expect(await said({ PORT: String(port) })).toBe(
      `The api cannot start: bind EADDRINUSE 127.0.0.1:${port}\n`,
    );
    other.close();
  });
});
