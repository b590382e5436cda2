import { isIPv6 } from "node:net";
import type { RequestHandler } from "express";
import type { Requests } from "../records/records.js";
import { sendError } from "./errors.js";

const WINDOW_MS = 60_000;
/** Maximum number of rate-limited callers kept in memory. Until their window ends, they cause no database queries. */
const MAX_TRACKED = 10_000;

export type RequestLimits = {
  perAddress: number;
  perOrder: number;
};

export type RequestSubject = {
  storeId: string;
  /** Null if the request names no valid order. */
  orderId: number | null;
};

/** Requests for an order are counted per address, so that nobody at another address can exhaust a shopper's limit. */
export class RequestLimiter {
  readonly #limitedUntil = new Map<string, number>();

  constructor(
    private readonly requests: Requests,
    private readonly limits: RequestLimits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts a request. @returns 0 if the request is allowed; otherwise, milliseconds until the next request is allowed */
  async waitMs(address: string, { storeId, orderId }: RequestSubject): Promise<number> {
    const { perAddress, perOrder } = this.limits;
    const from = toNetwork(address);
    const wait = await this.#countMs(`from ${from}`, perAddress);
    if (wait > 0 || orderId === null) return wait;
    return this.#countMs(`from ${from} for ${storeId} ${orderId}`, perOrder);
  }

  async #countMs(name: string, limit: number): Promise<number> {
    const until = this.#limitedUntil.get(name) ?? 0;
    if (until > this.nowMs()) return until - this.nowMs();
    this.#limitedUntil.delete(name);
    const { count, leftMs } = await this.requests.count(name, WINDOW_MS);
    if (count <= limit) return 0;
    if (this.#limitedUntil.size >= MAX_TRACKED) this.#limitedUntil.clear();
    this.#limitedUntil.set(name, this.nowMs() + leftMs);
    return Math.max(1, leftMs);
  }
}

/** Responds with 429 above the limits. @param of returns a request's store and order, which the route validates later */
export function limitRequests(
  limiter: RequestLimiter,
  of: (request: Parameters<RequestHandler>[0]) => RequestSubject,
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

/**
 * Returns the /64 network of an IPv6 address, because one caller may control all of it. An IPv4-mapped address becomes its IPv4
 * address; others are unchanged.
 */
function toNetwork(address: string): string {
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
