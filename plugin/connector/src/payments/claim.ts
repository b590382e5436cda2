import { setTimeout as wait } from "node:timers/promises";
import { ConnectorError } from "../connector-error.js";
import type { ConnectorContext } from "./context.js";
import { requireSite } from "./site.js";

const RETRY_MS = 100;

/** A claim that is held. */
export type HeldClaim = {
  /**
   * To be called before every write to the store or to Tillgate: starts the claim's time again.
   * @throws ConnectorError `busy` where the claim ran out and another took it
   */
  keep(): Promise<void>;
};

/**
 * Does the work while no other process works on the same store order, and only for the store that the records belong to. A killed process
 * leaves a claim that expires; reading the store shows what that process did.
 * @throws ConnectorError `busy` if another process holds the claim for longer than the wait; `site_moved`
 */
export async function withOrderClaim<T>(
  context: ConnectorContext,
  storeOrderId: number,
  work: (held: HeldClaim) => Promise<T>,
): Promise<T> {
  const { claimWaitMs, storeId } = context.settings;
  await requireSite(context);
  const answer = await withClaim(context, `order:${storeId}:${storeOrderId}`, claimWaitMs, work);
  if (answer === "taken") {
    throw new ConnectorError("busy", `Order ${storeOrderId} is being worked on; try again in a moment.`);
  }
  return answer.result;
}

/** Like {@link withOrderClaim} for any name. @returns `taken` where another holds it for longer than `waitMs` */
export async function withClaim<T>(
  { claims, settings }: ConnectorContext,
  name: string,
  waitMs: number,
  work: (held: HeldClaim) => Promise<T>,
): Promise<{ result: T } | "taken"> {
  // By a monotonic clock.
  const until = performance.now() + waitMs;
  let token = await claims.take(name, settings.claimMs);
  while (token === null) {
    if (performance.now() >= until) return "taken";
    await wait(RETRY_MS);
    token = await claims.take(name, settings.claimMs);
  }
  const own = token;
  try {
    const result = await work({
      async keep() {
        if (await claims.keep(name, own, settings.claimMs)) return;
        throw new ConnectorError("busy", `The claim ${name} ran out before the work was done.`);
      },
    });
    return { result };
  } finally {
    await claims.release(name, own);
  }
}
