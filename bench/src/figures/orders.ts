import { call, createOrder, cycle, getOrigin, readOrder, readText } from "../calls.js";
import { createOrderDirectly } from "../direct-calls.js";
import type { Figure } from "../figure.js";
import { type Call, compare, directly, overHttp } from "../load.js";
import { startReference } from "../reference.js";
import { groupCommitRows, oneCallerRow, speedRow } from "../rows.js";
import { startWithAndWithoutGroups } from "../second-api.js";
import { roundToCents } from "../statistics.js";

/** Orders that are read in rotation, so that no single cached row is favoured. */
const READ_ORDERS = 200;
export const REFERENCE_ORDER: Call = {
  method: "POST",
  path: "/orders",
  body: { reference: "bench", currency: "EUR" },
};

export const orders: Figure = {
  name: "orders",
  async measure(system) {
    const reference = await startReference(system.ownerUrl);
    const both = await startWithAndWithoutGroups(system);
    try {
      const merchant = cycle(system.merchants);
      const origin = getOrigin(system);
      const next = () => createOrder(merchant());
      const creations = await compare({
        spread: overHttp({ origin, next }),
        reference: overHttp({ origin: reference.origin, next: () => REFERENCE_ORDER }),
        grouped: overHttp({ origin: both.grouped, next }),
        ungrouped: overHttp({ origin: both.ungrouped, next }),
        alone: overHttp({ origin, next, connections: 1 }),
        aloneGrouped: overHttp({ origin: both.grouped, next, connections: 1 }),
        aloneUngrouped: overHttp({ origin: both.ungrouped, next, connections: 1 }),
        aloneInSql: directly(() => createOrderDirectly(system.pool, merchant()), 1),
      });

      const ourReads: Call[] = [];
      const referenceIds: string[] = [];
      for (let number = 0; number < READ_ORDERS; number += 1) {
        const owner = merchant();
        ourReads.push(readOrder(owner, readText(await call(origin, createOrder(owner)), "order_id")));
        referenceIds.push(readText(await call(reference.origin, REFERENCE_ORDER), "id"));
      }
      const ourRead = cycle(ourReads);
      const referenceId = cycle(referenceIds);
      const read = await compare({
        ours: overHttp({ origin, next: ourRead }),
        reference: overHttp({
          origin: reference.origin,
          next: () => ({ method: "GET", path: `/orders/${referenceId()}` }),
        }),
      });
      return [
        speedRow(
          "POST /orders, durable, 32 connections",
          creations.spread,
          creations.reference,
          "Express + one INSERT",
          {
            atLeast: 0.85,
          },
        ),
        {
          what: "POST /orders, p99",
          measured: `${creations.spread.p99} ms`,
          reference: `${creations.reference.p99} ms Express + one INSERT`,
          value: roundToCents(creations.spread.p99 / creations.reference.p99),
          target: { atMost: 1.3 },
        },
        ...groupCommitRows("POST /orders", creations),
        oneCallerRow(
          "POST /orders",
          creations.alone,
          creations.aloneInSql,
          "create_orders called with pg, one at a time",
        ),
        speedRow("GET /orders/{id}", read.ours, read.reference, "Express + one read by key", {
          atLeast: 0.75,
        }),
      ];
    } finally {
      await Promise.all([reference.stop(), both.stop()]);
    }
  },
};
