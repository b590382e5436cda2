import { call, cycle, getOrigin, lookUp, mapInBatches, payOut, readText } from "../calls.js";
import { payOutDirectly } from "../direct-calls.js";
import type { Figure } from "../figure.js";
import { type Call, compare, directly, overHttp, sendAtRate, sendRequests } from "../load.js";
import type { BenchMerchant, BenchShopper } from "../parties.js";
import { groupCommitRows, oneCallerRow, speedRow } from "../rows.js";
import { startSecondApi, startWithAndWithoutGroups } from "../second-api.js";
import { pickSize } from "../sized.js";
import { roundToCents } from "../statistics.js";
import type { System } from "../system.js";

export const MANY_CONNECTIONS = 256;
/** Number of warm-up calls to a newly started API. */
const WARMING_CALLS = 256;
/** Share of the highest throughput at which the latency is measured. */
const STEADY_SHARE = 0.7;
const STEADY_SECONDS = pickSize(30, 1);
const IN_SQL = "execute_payouts called with pg, one at a time";

/** Measures payouts of many merchants and of one busy merchant, compared with the SQL function, and two HTTP processes compared with one. */
export const payouts: Figure = {
  name: "payouts",
  async measure(system) {
    const { pool, merchants, shoppers } = system;
    const origin = getOrigin(system);
    const spread = await createPayoutCalls(system, merchants);
    const hot = await createPayoutCalls(system, merchants.slice(0, 1));
    const createDirectSide = (some: readonly BenchMerchant[], callers?: number) => {
      const merchant = cycle(some);
      const recipient = cycle(shoppers);
      return directly(() => payOutDirectly(pool, merchant(), recipient()), callers);
    };
    const two = await startSecondApi(system, { TILLGATE_HTTP_PROCESSES: "2" });
    const both = await startWithAndWithoutGroups(system);
    const warmUp = (api: string) => sendRequests({ origin: api, next: spread }, { amount: WARMING_CALLS });
    // The system's process is already warm from looking up the recipients; the other processes are not.
    const load = await Promise.all([two.origin, both.grouped, both.ungrouped].map(warmUp))
      .then(() =>
        compare({
          spread: overHttp({ origin, next: spread }),
          spreadInSql: createDirectSide(merchants),
          grouped: overHttp({ origin: both.grouped, next: spread }),
          ungrouped: overHttp({ origin: both.ungrouped, next: spread }),
          hot: overHttp({ origin, next: hot }),
          hotInSql: createDirectSide(merchants.slice(0, 1)),
          many: overHttp({ origin, next: spread, connections: MANY_CONNECTIONS }),
          alone: overHttp({ origin, next: spread, connections: 1 }),
          aloneGrouped: overHttp({ origin: both.grouped, next: spread, connections: 1 }),
          aloneUngrouped: overHttp({ origin: both.ungrouped, next: spread, connections: 1 }),
          aloneInSql: createDirectSide(merchants, 1),
          two: overHttp({ origin: two.origin, next: spread }),
          hotOfTwo: overHttp({ origin: two.origin, next: hot }),
        }),
      )
      .finally(() => Promise.all([two.stop(), both.stop()]));
    const steadyRate = STEADY_SHARE * load.many.perSecond;
    const steady = await sendAtRate(
      { origin, next: spread },
      { perSecond: steadyRate, seconds: STEADY_SECONDS },
    );
    return [
      speedRow("POST /payout, many merchants", load.spread, load.spreadInSql, IN_SQL, { atLeast: 1.3 }),
      speedRow("POST /payout, one hot merchant", load.hot, load.hotInSql, `${IN_SQL}, hot`, { atLeast: 1.3 }),
      speedRow("POST /payout, one hot merchant compared with many", load.hot, load.spread, "of many", {
        atLeast: 1,
      }),
      {
        what: `POST /payout at ${STEADY_SHARE * 100}% of the highest throughput, p99 in ms`,
        measured: `${steady.p99.toFixed(1)} ms at ${Math.round(steadyRate)}/s`,
        reference: "50 ms",
        value: roundToCents(steady.p99),
        target: { atMost: 50 },
      },
      speedRow(`POST /payout, ${MANY_CONNECTIONS} connections`, load.many, load.spread, "with 32", {
        atLeast: 0.95,
      }),
      speedRow("POST /payout, two processes serve HTTP", load.two, load.spread, "with one", {
        atLeast: 1.15,
      }),
      speedRow("POST /payout, one hot merchant, two processes", load.hotOfTwo, load.hot, "with one"),
      ...groupCommitRows("POST /payout", load),
      oneCallerRow("POST /payout", load.alone, load.aloneInSql, IN_SQL),
    ];
  },
};

/** Returns a function that creates the next payout request, to a recipient that the merchant has looked up. */
export async function createPayoutCalls(
  system: System,
  merchants: readonly BenchMerchant[],
): Promise<() => Call> {
  const merchant = cycle(merchants);
  const origin = getOrigin(system);
  const pairs = system.shoppers.map((recipient) => ({ merchant: merchant(), recipient }));
  const pair = cycle(await mapInBatches(pairs, (entry) => lookUpRecipient(origin, entry)));
  return () => {
    const { merchant: payer, token } = pair();
    return payOut(payer, token);
  };
}

async function lookUpRecipient(
  origin: string,
  { merchant, recipient }: { merchant: BenchMerchant; recipient: BenchShopper },
) {
  return { merchant, token: readText(await call(origin, lookUp(merchant, recipient)), "lookup_token") };
}
