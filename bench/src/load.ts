import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import { isShort, pickSize } from "./sized.js";
import { median, percentile } from "./statistics.js";

/** Number of concurrent callers. Over HTTP, each has a separate connection. */
export const CALLERS = 32;
/** Many short rounds are more accurate than a few long ones if the speed of the machine changes. */
const ROUND_SECONDS = 2;
/** A short run ends after a number of calls instead of a time, because a busy machine also completes them. */
const SHORT_ROUND_CALLS = 96;
/** Sides alternate, so that a change in the speed of the machine affects all of them. */
const ROUNDS = pickSize(9, 1);
const LONG_ROUNDS = pickSize(3, 1);
/** Longer than Autocannon's default of 10 s: a busy machine responds late, but the CPU time of the call still counts. */
const RESPONSE_LIMIT_SECONDS = 60;
const TIMED_TO_MS = 20;

export type Call = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: unknown };

export type Load = {
  perSecond: number;
  p99: number;
};

/** Runs load for `seconds` or, in a short run, until `calls` calls are complete. */
export type Side = (length: { seconds: number; calls: number }) => Promise<Load>;

/** Runs the sides in turn, each after a short warm-up. @returns each side's median throughput and median p99. */
export async function compare<Name extends string>(sides: Record<Name, Side>): Promise<Record<Name, Load>> {
  for (const side of Object.values<Side>(sides)) await side({ seconds: 1, calls: SHORT_ROUND_CALLS });
  return runInTurns(sides, ROUNDS);
}

/** Works like {@link compare}, but without a warm-up. */
export async function runInTurns<Name extends string>(
  sides: Record<Name, Side>,
  count = LONG_ROUNDS,
): Promise<Record<Name, Load>> {
  const names = Object.keys(sides).filter((name): name is Name => name in sides);
  const rounds = new Map<Name, Load[]>(names.map((name) => [name, []]));
  for (let number = 0; number < count; number += 1) {
    // Alternates the order, so that background work left by one side does not always slow down the same other side.
    for (const name of number % 2 === 0 ? names : names.toReversed())
      rounds.get(name)?.push(await sides[name]({ seconds: ROUND_SECONDS, calls: SHORT_ROUND_CALLS }));
  }
  const result = Object.fromEntries(
    names.map((name) => {
      const loads = rounds.get(name) ?? [];
      return [
        name,
        {
          perSecond: median(loads.map((load) => load.perSecond)),
          p99: median(loads.map((load) => load.p99)),
        },
      ];
    }),
  );
  return result as Record<Name, Load>;
}

export type Requests = {
  origin: string;
  next(): Call;
  /** The expected status of every response. Default: any 2xx. */
  status?: number;
  /** Number of connections. Default: {@link CALLERS}. */
  connections?: number;
};

export const overHttp =
  (requests: Requests): Side =>
  ({ seconds, calls }) =>
    sendRequests(
      requests,
      isShort ? { amount: Math.max(calls, requests.connections ?? CALLERS) } : { duration: seconds },
    );

/**
 * Sends requests over HTTP. @throws Error on an unexpected status, because error responses are fast and would improve the result, or if a request
 * gets no response.
 */
export async function sendRequests(
  { origin, next, status, connections = CALLERS }: Requests,
  length: { duration: number } | { amount: number },
): Promise<Load> {
  const result = await autocannon({
    url: origin,
    connections,
    sampleInt: TIMED_TO_MS,
    timeout: RESPONSE_LIMIT_SECONDS,
    ...length,
    requests: [{ setupRequest: (initial) => ({ ...initial, ...toRequest(next()) }) }],
  });
  const right = status === undefined ? result["2xx"] : (result.statusCodeStats?.[`${status}`]?.count ?? 0);
  const responses = result["2xx"] + result.non2xx;
  // Autocannon counts timeouts as errors.
  const failed = responses - right + result.errors;
  if (failed > 0) {
    const statuses = Object.entries(result.statusCodeStats ?? {}).map(
      ([code, { count }]) => `${count} × ${code}`,
    );
    const broken = `${result.errors - result.timeouts} broken connections, ${result.timeouts} timeouts`;
    throw new Error(
      `${failed} of ${responses + result.errors} requests to ${origin} failed: ${[...statuses, broken].join(", ")}.`,
    );
  }
  if (right === 0)
    throw new Error(`${origin} sent no response with the expected status within ${result.duration} s.`);
  return { perSecond: right / result.duration, p99: result.latency.p99 };
}

const toRequest = ({ method, path, headers, body }: Call) => ({
  method,
  path,
  headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

export const directly =
  (call: () => Promise<unknown>, callers = CALLERS): Side =>
  ({ seconds, calls }) => {
    const until = performance.now() + seconds * 1_000;
    return callWhile(call, callers, (completed) => (isShort ? completed < calls : performance.now() < until));
  };

export function callWithEach<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<unknown>,
  callers = CALLERS,
): Promise<Load> {
  const remaining = [...items];
  const next = async () => {
    const item = remaining.pop();
    if (item !== undefined) await call(item);
  };
  return callWhile(next, callers, (completed) => completed < items.length);
}

/**
 * Sends requests at random times, `perSecond` of them on average, without waiting for responses (an open loop).
 * @returns the throughput, and the p99 of the milliseconds from the time at which a request was due to its response.
 * @throws Error on any status but 2xx.
 */
export async function sendAtRate(
  { origin, next }: Pick<Requests, "origin" | "next">,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const requests: Promise<void>[] = [];
  const startedAt = performance.now();
  const nextPause = () => (-Math.log(1 - Math.random()) * 1_000) / perSecond;
  for (let due = startedAt; due < startedAt + seconds * 1_000; due += nextPause()) {
    const dueAt = due;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await delay(waitMs);
    const timed = sendOne(agent, origin, next()).then(() => void times.push(performance.now() - dueAt));
    // Promise.all below reports errors.
    timed.catch(() => undefined);
    requests.push(timed);
  }
  await Promise.all(requests);
  agent.destroy();
  return {
    perSecond: (times.length * 1_000) / (performance.now() - startedAt),
    p99: percentile(times, 0.99),
  };
}

/** Sends a request with less CPU time than `fetch`. @throws Error on any status but 2xx. */
const sendOne = (agent: Agent, origin: string, call: Call): Promise<void> =>
  new Promise((resolve, reject) => {
    const { path, body, ...options } = toRequest(call);
    request(origin + path, { ...options, agent }, (response) => {
      const { statusCode = 0 } = response;
      response.resume().on("end", () => {
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new Error(`${path} responded with ${statusCode}.`));
      });
    })
      .on("error", reject)
      .end(body);
  });

async function callWhile(
  call: () => Promise<unknown>,
  callers: number,
  shouldContinue: (count: number) => boolean,
): Promise<Load> {
  const times: number[] = [];
  let started = 0;
  const startedAt = performance.now();
  const runCaller = async () => {
    while (shouldContinue(started)) {
      started += 1;
      const calledAt = performance.now();
      await call();
      times.push(performance.now() - calledAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, runCaller));
  return {
    perSecond: (times.length * 1_000) / (performance.now() - startedAt),
    p99: percentile(times, 0.99),
  };
}
