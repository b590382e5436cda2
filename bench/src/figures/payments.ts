import { randomBytes } from "node:crypto";
import { call, createOrder, cycle, getOrigin, mapInBatches, readText } from "../calls.js";
import { payDirectly } from "../direct-calls.js";
import type { Figure } from "../figure.js";
import { CALLERS, type Call, callWithEach, overHttp, runInTurns, type Side, sendRequests } from "../load.js";
import { type BenchMerchant, type BenchShopper, signInShopper } from "../parties.js";
import { groupCommitRows, oneCallerRow, speedRow } from "../rows.js";
import { startWithAndWithoutGroups } from "../second-api.js";
import { pickSize } from "../sized.js";
import type { System } from "../system.js";
import { createPayoutCalls, MANY_CONNECTIONS } from "./payouts.js";

const ORDERS_PER_ROUND = pickSize(1_280, 64);
const ORDERS_FOR_ONE_CALLER = pickSize(320, 16);
const IN_SQL = "pay_orders called with pg, one at a time";

/** Payments to many merchants, compared with the SQL function and with payments to one merchant. Orders and forms are prepared beforehand. */
export const payments: Figure = {
  name: "payments",
  async measure(system) {
    const shoppers = cycle(system.shoppers);
    const spread = cycle(system.merchants);
    const hot = cycle(system.merchants.slice(0, 1));
    const both = await startWithAndWithoutGroups(system);
    const throughApi = (api: string) => ({ ...system, sandbox: { ...system.sandbox, api } });
    const nextPayout = await createPayoutCalls(system, system.merchants);
    const load = await runInTurns({
      spread: paymentsOnPage(system, spread, shoppers),
      spreadInSql: paymentsInSql(system, spread, shoppers),
      grouped: paymentsOnPage(throughApi(both.grouped), spread, shoppers),
      ungrouped: paymentsOnPage(throughApi(both.ungrouped), spread, shoppers),
      hot: paymentsOnPage(system, hot, shoppers),
      many: paymentsOnPage(system, spread, shoppers, MANY_CONNECTIONS),
      manyPayouts: overHttp({ origin: getOrigin(system), next: nextPayout, connections: MANY_CONNECTIONS }),
      alone: paymentsOnPage(system, spread, shoppers, 1),
      aloneGrouped: paymentsOnPage(throughApi(both.grouped), spread, shoppers, 1),
      aloneUngrouped: paymentsOnPage(throughApi(both.ungrouped), spread, shoppers, 1),
      aloneInSql: paymentsInSql(system, spread, shoppers, 1),
    }).finally(both.stop);
    return [
      speedRow("paying an order, many merchants", load.spread, load.spreadInSql, IN_SQL, { atLeast: 1 }),
      speedRow("paying an order, one hot merchant", load.hot, load.spread, "of many", { atLeast: 0.8 }),
      speedRow(
        `paying an order, ${MANY_CONNECTIONS} connections`,
        load.many,
        load.manyPayouts,
        "POST /payout",
        {
          atLeast: 0.9,
        },
      ),
      ...groupCommitRows("paying an order", load),
      oneCallerRow("paying an order", load.alone, load.aloneInSql, IN_SQL),
    ];
  },
};

const makeOrders = <Made>(
  amount: number,
  merchant: () => BenchMerchant,
  origin: string,
  prepare: (order: unknown) => Promise<Made>,
): Promise<Made[]> =>
  mapInBatches(Array.from({ length: amount }), async () =>
    prepare(await call(origin, createOrder(merchant(), { amount: 1, expires_in: 3_600 }))),
  );

/** Creates `amount` orders. @returns the hosted page's payment request for each order. */
export const makeConfirms = (
  system: System,
  merchant: () => BenchMerchant,
  shopper: () => BenchShopper,
  amount: number,
): Promise<Call[]> =>
  makeOrders(amount, merchant, getOrigin(system), async (order) => {
    const shown = await signIn(system, shopper(), readText(order, "order_id"));
    return createConfirmation(system, readText(order, "payment_url").split("/").at(-1) ?? "", shown);
  });

export const makeIds = (system: System, merchant: () => BenchMerchant, amount: number): Promise<string[]> =>
  makeOrders(amount, merchant, getOrigin(system), async (order) => readText(order, "order_id"));

const ordersFor = (callers: number): number =>
  callers === 1 ? ORDERS_FOR_ONE_CALLER : Math.max(callers, ORDERS_PER_ROUND);

const paymentsOnPage =
  (system: System, merchant: () => BenchMerchant, shopper: () => BenchShopper, callers = CALLERS): Side =>
  async () => {
    const origin = getOrigin(system);
    const confirms = await makeConfirms(system, merchant, shopper, ordersFor(callers));
    return sendRequests({ origin, next: cycle(confirms), connections: callers }, { amount: confirms.length });
  };

const paymentsInSql =
  (system: System, merchant: () => BenchMerchant, shopper: () => BenchShopper, callers = CALLERS): Side =>
  async () => {
    const ids = await makeIds(system, merchant, ordersFor(callers));
    return callWithEach(ids, (id) => payDirectly(system.pool, id, shopper()), callers);
  };

type SignedIn = { visitor: string; session: string; walletId: string };

async function signIn({ pool }: System, shopper: BenchShopper, orderId: string): Promise<SignedIn> {
  const session = await signInShopper(pool, shopper, orderId);
  return { session, walletId: shopper.walletId, visitor: randomBytes(16).toString("hex") };
}

async function createConfirmation(
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
  const view = await call(getOrigin(system), { method: "GET", path, headers });
  const body = { form_token: readText(view, "form_token"), wallet_id: walletId };
  return { method: "POST", path: `${path}/pay`, headers, body };
}
