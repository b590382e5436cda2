import { isIPv6 } from "node:net";
import type { RequestHandler } from "express";
import type { Requests } from "../records/records.js";
import { sendError } from "./answers.js";

const WINDOW_MS = 60_000;
/** Refused callers in memory, so that they cost the database nothing until their minute is over. */
const MAX_TRACKED = 10_000;

export type RequestLimits = {
  /** From one address, a minute. */
  perAddress: number;
  /** From one address for one order, a minute. */
  perOrder: number;
};

/** What a request to the public edge is about. */
export type Asked = {
  storeId: string;
  /** Null where it names no order. */
  orderId: number | null;
};

/**
 * Guards every route that asks the shop: a stranger may not make us ask it without limit. Counted in the records, so that
 * the limits hold over all processes, and by address, so that a stranger cannot use up an order's limit for its shopper.
 */
export class RequestLimiter {
  readonly #refusedUntil = new Map<string, number>();

  constructor(
    private readonly requests: Requests,
    private readonly limits: RequestLimits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** @returns how long to wait, in milliseconds; 0: go on */
  async waitMs(address: string, { storeId, orderId }: Asked): Promise<number> {
    const { perAddress, perOrder } = this.limits;
    const from = networkOf(address);
    const wait = await this.#countMs(`from ${from}`, perAddress);
    if (wait > 0 || orderId === null) return wait;
    return this.#countMs(`from ${from} for ${storeId} ${orderId}`, perOrder);
  }

  async #countMs(name: string, limit: number): Promise<number> {
    const until = this.#refusedUntil.get(name) ?? 0;
    if (until > this.nowMs()) return until - this.nowMs();
    this.#refusedUntil.delete(name);
    const { count, leftMs } = await this.requests.count(name, WINDOW_MS);
    if (count <= limit) return 0;
    if (this.#refusedUntil.size >= MAX_TRACKED) this.#refusedUntil.clear();
    this.#refusedUntil.set(name, this.nowMs() + leftMs);
    return Math.max(1, leftMs);
  }
}

/** @param of what the request asks for; null where it cannot be read, which the route then answers */
export function limitRequests(
  limiter: RequestLimiter,
  of: (request: Parameters<RequestHandler>[0]) => Asked,
): RequestHandler {
  return async (request, response, next) => {
    const wait = await limiter.waitMs(request.ip ?? "unknown", of(request));
    if (wait === 0) return next();
    const text = "Too many requests. Please try again in a moment.";
    sendError(response, {
      status: 429,
      code: "too_many_requests",
      text,
      retryAfterSeconds: Math.ceil(wait / 1000),
    });
  };
}

/** One caller may have all of a /64 of IPv6. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? Math.max(0, 8 - front.length - back.length) : 0;
  const groups = [...front, ...Array.from({ length: zeros }, () => "0"), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
