import {
  call,
  createOrder,
  createReference,
  cycle,
  getOrigin,
  mapInBatches,
  readText,
  refund,
} from "../calls.js";
import { payDirectly, refundDirectly } from "../direct-calls.js";
import type { Figure } from "../figure.js";
import { compare, directly, overHttp } from "../load.js";
import { speedRow } from "../rows.js";
import { pickSize } from "../sized.js";
import { createPayoutCalls, MANY_CONNECTIONS } from "./payouts.js";

/** There are more payments than callers, so that few calls wait for the same payment. */
const PAYMENTS = pickSize(1_024, 64);
/** Price in EUR, far above the sum of all refunds, which are one cent each. */
const PRICE = 10_000;

export const refunds: Figure = {
  name: "refunds",
  async measure(system) {
    const { pool, merchants, shoppers } = system;
    const merchant = cycle(merchants);
    const shopper = cycle(shoppers);
    const origin = getOrigin(system);
    const payments = await mapInBatches(Array.from({ length: PAYMENTS }), async () => {
      const owner = merchant();
      const order = await call(origin, createOrder(owner, { amount: PRICE, expires_in: 3_600 }));
      const trxId = await payDirectly(pool, readText(order, "order_id"), shopper());
      return { owner, trxId };
    });
    const payment = cycle(payments);
    const next = () => {
      const { owner, trxId } = payment();
      return refund(owner, { transaction_id: trxId, amount: 0.01, idempotency_key: createReference() });
    };
    const nextPayout = await createPayoutCalls(system, merchants);
    const load = await compare({
      overHttp: overHttp({ origin, next }),
      many: overHttp({ origin, next, connections: MANY_CONNECTIONS }),
      manyPayouts: overHttp({ origin, next: nextPayout, connections: MANY_CONNECTIONS }),
      inSql: directly(() => {
        const { owner, trxId } = payment();
        return refundDirectly(pool, owner, trxId);
      }),
    });
    return [
      speedRow(
        "POST /refunds, many merchants",
        load.overHttp,
        load.inSql,
        "refund_payments called with pg, one at a time",
      ),
      speedRow(
        `POST /refunds, ${MANY_CONNECTIONS} connections`,
        load.many,
        load.manyPayouts,
        "POST /payout",
        {
          atLeast: 0.8,
        },
      ),
    ];
  },
};
