import { randomUUID } from "node:crypto";
import { call, inBatches, lookUp, originOf, payOut, textOf, turns, unique } from "../calls.js";
import type { Figure } from "../figure.js";
import { compare } from "../load.js";
import type { BenchMerchant, BenchShopper } from "../parties.js";
import { sized } from "../sized.js";
import { median, rounded } from "../statistics.js";
import type { System } from "../system.js";

/** As many as the HTTP load has connections. */
const CALLERS = 32;
const ROUND_MS = sized(5_000, 500);
const ROUNDS = sized(3, 1);

/** Payouts over HTTP against the same SQL function called without HTTP, and one busy merchant against many. */
export const payouts: Figure = {
  name: "payouts",
  async measure(system) {
    const origin = originOf(system);
    const pairs = system.merchants.map((merchant, number) => ({
      merchant,
      recipient: system.shoppers[number % system.shoppers.length],
    }));
    const spread = turns(
      await inBatches(pairs, async ({ merchant, recipient }) => lookedUp(origin, merchant, recipient)),
    );
    const [hotMerchant] = system.merchants;
    const hot = turns(
      await inBatches(system.shoppers, async (recipient) => lookedUp(origin, hotMerchant, recipient)),
    );
    const next = (pair: () => Awaited<ReturnType<typeof lookedUp>>) => () => {
      const { merchant, token } = pair();
      return payOut(merchant, token);
    };
    const load = await compare({
      spread: { origin, next: next(spread) },
      hot: { origin, next: next(hot) },
    });
    const direct: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) direct.push(await callDirectly(system));
    const inSql = median(direct);
    return [
      {
        what: "POST /payout, many merchants",
        measured: `${Math.round(load.spread.requestsPerSecond)}/s`,
        reference: `${Math.round(inSql)}/s execute_payout called with pg`,
        value: rounded(load.spread.requestsPerSecond / inSql),
        target: { atLeast: 0.4 },
      },
      {
        what: "POST /payout, one hot merchant",
        measured: `${Math.round(load.hot.requestsPerSecond)}/s`,
        reference: `${Math.round(load.spread.requestsPerSecond)}/s spread`,
        value: rounded(load.hot.requestsPerSecond / load.spread.requestsPerSecond),
        target: { atLeast: 0.6 },
      },
    ];
  },
};

async function lookedUp(origin: string, merchant?: BenchMerchant, recipient?: BenchShopper) {
  if (!merchant || !recipient) throw new Error("The bench has no parties.");
  return { merchant, token: textOf(await call(origin, lookUp(merchant, recipient)), "lookup_token") };
}

/** @returns calls of the ledger's function a second, as many at a time as the HTTP load makes. */
async function callDirectly({ pool, merchants, shoppers }: System): Promise<number> {
  const merchant = turns(merchants);
  const shopper = turns(shoppers);
  const until = performance.now() + ROUND_MS;
  let calls = 0;
  const caller = async () => {
    while (performance.now() < until) {
      const recipient = shopper();
      await pool.query({
        name: "bench execute payout",
        text: `SELECT replayed FROM execute_payout($1, $2, 'sandbox', $3, $4, NULL, $5, $6, 100, 'EUR', 0, 1, 100, 'EUR', NULL, $7, $8, false)`,
        values: [
          `PO${randomCode()}`,
          merchant().id,
          unique(),
          unique(),
          recipient.id,
          recipient.walletId,
          `PP${String(Math.floor(Math.random() * 1e10)).padStart(10, "0")}`,
          randomUUID(),
        ],
      });
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (calls * 1_000) / ROUND_MS;
}

const randomCode = (): string => randomUUID().replaceAll("-", "").slice(0, 8).toUpperCase();
