import autocannon from "autocannon";
import { isShort, sized } from "./sized.js";
import { median } from "./statistics.js";

/** Connections that ask at the same time. */
const CONNECTIONS = 32;
/** How long one round lasts, in seconds. */
const ROUND_SECONDS = 5;
/** What a round of a short run asks instead: an amount ends also on a machine that is busy. */
const SHORT_ROUND_REQUESTS = 96;
/** Rounds of each side; sides take turns, so that a drift of the machine meets all of them. */
const ROUNDS = sized(3, 1);

export type Call = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: unknown };

export type Side = {
  origin: string;
  /** Makes the next request; called for each one. */
  next(): Call;
  /** The status that every answer must have. Default: any 2xx. */
  status?: number;
};

export type Load = {
  requestsPerSecond: number;
  /** Milliseconds. */
  p99: number;
};

/**
 * Puts each side under load in turns.
 * @returns the median of each side's rounds.
 * @throws Error when an answer was not as it should be: a refusal is quick, and would make a figure too good.
 */
export async function compare<Name extends string>(sides: Record<Name, Side>): Promise<Record<Name, Load>> {
  const names = Object.keys(sides).filter((name): name is Name => name in sides);
  const rounds = new Map<Name, Load[]>(names.map((name) => [name, []]));
  for (const name of names) await round(sides[name], 1);
  for (let number = 0; number < ROUNDS; number += 1) {
    for (const name of names) rounds.get(name)?.push(await round(sides[name], ROUND_SECONDS));
  }
  const result = Object.fromEntries(
    names.map((name) => {
      const loads = rounds.get(name) ?? [];
      return [
        name,
        {
          requestsPerSecond: median(loads.map((load) => load.requestsPerSecond)),
          p99: median(loads.map((load) => load.p99)),
        },
      ];
    }),
  );
  return result as Record<Name, Load>;
}

async function round(side: Side, seconds: number): Promise<Load> {
  const result = await autocannon({
    url: side.origin,
    connections: CONNECTIONS,
    ...(isShort ? { amount: SHORT_ROUND_REQUESTS } : { duration: seconds }),
    requests: [{ setupRequest: (request) => ({ ...request, ...toRequest(side.next()) }) }],
  });
  const answered = refuseFailures(side, result);
  if (answered === 0) throw new Error(`${side.origin} answered nothing in ${result.duration} s.`);
  return { requestsPerSecond: answered / result.duration, p99: result.latency.p99 };
}

/** Asks exactly `amount` times, and says nothing about speed. */
export async function ask(side: Side, amount: number): Promise<void> {
  const result = await autocannon({
    url: side.origin,
    connections: CONNECTIONS,
    amount,
    requests: [{ setupRequest: (request) => ({ ...request, ...toRequest(side.next()) }) }],
  });
  refuseFailures(side, result);
}

/** @returns the number of answers as they should be. */
function refuseFailures({ origin, status }: Side, result: autocannon.Result): number {
  const right = status === undefined ? result["2xx"] : (result.statusCodeStats?.[`${status}`]?.count ?? 0);
  const answered = result["2xx"] + result.non2xx;
  const failed = answered - right + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${answered} requests to ${origin} failed.`);
  return right;
}

const toRequest = ({ method, path, headers, body }: Call) => ({
  method,
  path,
  headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
