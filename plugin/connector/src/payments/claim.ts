import { setTimeout as wait } from "node:timers/promises";
import { ConnectorError } from "../connector-error.js";
import type { ConnectorContext } from "./context.js";
import { requireSite } from "./site.js";

const RETRY_MS = 100;

export type Claim = {
  /** Must be called before every write to the store or Tillgate. @throws ConnectorError `busy` if another process acquired the claim */
  extend(): Promise<void>;
};

/**
 * Runs `work` with exclusive access to a store order. After a crash, the claim expires, and the next holder checks the store.
 * @throws ConnectorError `busy` if the claim is not released within `claimWaitMs`; `site_moved`
 */
export async function withOrderClaim<T>(
  context: ConnectorContext,
  storeOrderId: number,
  work: (held: Claim) => Promise<T>,
): Promise<T> {
  const { claimWaitMs, storeId } = context.settings;
  await requireSite(context);
  const outcome = await withClaim(context, `order:${storeId}:${storeOrderId}`, claimWaitMs, work);
  if (outcome === "taken") {
    throw new ConnectorError(
      "busy",
      `Order ${storeOrderId} is being processed. Please try again in a moment.`,
    );
  }
  return outcome.result;
}

/** Runs `work` with a claim of any name, without checking the site. @returns `taken` if the claim is not released within `waitMs` */
export async function withClaim<T>(
  { claims, settings }: ConnectorContext,
  name: string,
  waitMs: number,
  work: (held: Claim) => Promise<T>,
): Promise<{ result: T } | "taken"> {
  const until = performance.now() + waitMs;
  let token = await claims.acquire(name, settings.claimMs);
  while (token === null) {
    if (performance.now() >= until) return "taken";
    await wait(RETRY_MS);
    token = await claims.acquire(name, settings.claimMs);
  }
  const ownToken = token;
  try {
    const result = await work({
      async extend() {
        if (await claims.extend(name, ownToken, settings.claimMs)) return;
        throw new ConnectorError("busy", `The claim ${name} expired before the operation finished.`);
      },
    });
    return { result };
  } finally {
    await claims.release(name, ownToken);
  }
}
