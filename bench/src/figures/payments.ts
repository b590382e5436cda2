import { randomBytes, randomUUID } from "node:crypto";
import { hashSecret, newSecret } from "@tillgate/database";
import { call, createOrder, inBatches, originOf, textOf, turns } from "../calls.js";
import type { Figure } from "../figure.js";
import { ask, type Call } from "../load.js";
import type { BenchMerchant, BenchShopper } from "../parties.js";
import { sized } from "../sized.js";
import { median, rounded } from "../statistics.js";
import type { System } from "../system.js";

const ORDERS_A_ROUND = sized(640, 64);
const ROUNDS = sized(3, 1);

/** Paying orders of one busy merchant, against paying orders of many; shoppers are spread in both. */
export const payments: Figure = {
  name: "payments",
  async measure(system) {
    const shoppers = turns(system.shoppers);
    const spread = turns(system.merchants);
    const hot = turns(system.merchants.slice(0, 1));
    const speeds: { hot: number[]; spread: number[] } = { hot: [], spread: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      speeds.spread.push(await paySpeed(system, spread, shoppers));
      speeds.hot.push(await paySpeed(system, hot, shoppers));
    }
    return [
      {
        what: "paying an order, one hot merchant",
        measured: `${Math.round(median(speeds.hot))}/s`,
        reference: `${Math.round(median(speeds.spread))}/s spread`,
        value: rounded(median(speeds.hot) / median(speeds.spread)),
        target: { atLeast: 0.6 },
      },
    ];
  },
};

type SignedIn = { visitor: string; session: string; walletId: string };

/** A wallet session as a sign-in on an order's page makes it, without the slow hash of a PIN. */
async function signedIn(
  { pool }: System,
  { id, walletId }: BenchShopper,
  orderId: string,
): Promise<SignedIn> {
  const session = newSecret("tgw_");
  await pool.query(
    `INSERT INTO wallet_sessions (id, mode, wallet_user_id, token_hash, expires_at, pin_order_id)
     VALUES ($1, 'sandbox', $2, $3, clock_timestamp() + interval '1 hour', $4)`,
    [randomUUID(), id, hashSecret(session), orderId],
  );
  return { session, walletId, visitor: randomBytes(16).toString("hex") };
}

/** @returns payments a second; orders and forms are made before the clock starts. */
async function paySpeed(
  system: System,
  merchant: () => BenchMerchant,
  shopper: () => BenchShopper,
): Promise<number> {
  const origin = originOf(system);
  const confirms = await inBatches(Array.from({ length: ORDERS_A_ROUND }), async () => {
    const made = await call(origin, createOrder(merchant(), { amount: 1, expires_in: 3_600 }));
    const shown = await signedIn(system, shopper(), textOf(made, "order_id"));
    return confirmation(system, textOf(made, "payment_url").split("/").at(-1) ?? "", shown);
  });
  const startedAt = performance.now();
  await ask({ origin, next: turns(confirms) }, confirms.length);
  return (confirms.length * 1_000) / (performance.now() - startedAt);
}

/** What the hosted page sends when the shopper confirms. */
async function confirmation(
  system: System,
  token: string,
  { session, visitor, walletId }: SignedIn,
): Promise<Call> {
  const path = `/checkout/v1/orders/${token}`;
  const headers = {
    "x-tillgate-internal-key": system.internalKey,
    "x-tillgate-visitor": visitor,
    "x-tillgate-wallet-session": session,
    "x-tillgate-client-address": "192.0.2.1",
  };
  const view = await call(originOf(system), { method: "GET", path, headers });
  const body = { form_token: textOf(view, "form_token"), wallet_id: walletId };
  return { method: "POST", path: `${path}/pay`, headers, body };
}
