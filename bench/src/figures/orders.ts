import { call, createOrder, originOf, readOrder, textOf, turns } from "../calls.js";
import type { Figure } from "../figure.js";
import { type Call, compare } from "../load.js";
import { startReference } from "../reference.js";
import { rounded } from "../statistics.js";

/** Orders that are read in turns: more than any cache of one row would favour. */
const READ_ORDERS = 200;

/** Making and reading orders, against an Express route with one statement. */
export const orders: Figure = {
  name: "orders",
  async measure(system) {
    const reference = await startReference(system.ownerUrl);
    try {
      const merchant = turns(system.merchants);
      const origin = originOf(system);
      const made = await compare({
        ours: { origin, next: () => createOrder(merchant()) },
        reference: {
          origin: reference.origin,
          next: () => ({ method: "POST", path: "/orders", body: { reference: "bench", currency: "EUR" } }),
        },
      });

      const ourReads: Call[] = [];
      const referenceIds: string[] = [];
      for (let number = 0; number < READ_ORDERS; number += 1) {
        const owner = merchant();
        ourReads.push(readOrder(owner, textOf(await call(origin, createOrder(owner)), "order_id")));
        const row = await call(reference.origin, {
          method: "POST",
          path: "/orders",
          body: { reference: "bench", currency: "EUR" },
        });
        referenceIds.push(textOf(row, "id"));
      }
      const ourRead = turns(ourReads);
      const referenceId = turns(referenceIds);
      const read = await compare({
        ours: { origin, next: ourRead },
        reference: {
          origin: reference.origin,
          next: () => ({ method: "GET", path: `/orders/${referenceId()}` }),
        },
      });
      return [
        {
          what: "POST /orders, durable, 32 connections",
          measured: `${Math.round(made.ours.requestsPerSecond)}/s`,
          reference: `${Math.round(made.reference.requestsPerSecond)}/s Express + one INSERT`,
          value: rounded(made.ours.requestsPerSecond / made.reference.requestsPerSecond),
          target: { atLeast: 0.6 },
        },
        {
          what: "POST /orders, p99 in ms",
          measured: `${made.ours.p99} ms`,
          reference: `${made.reference.p99} ms`,
          value: made.ours.p99,
          target: { below: 100 },
        },
        {
          what: "GET /orders/{id}",
          measured: `${Math.round(read.ours.requestsPerSecond)}/s`,
          reference: `${Math.round(read.reference.requestsPerSecond)}/s Express + one read by key`,
          value: rounded(read.ours.requestsPerSecond / read.reference.requestsPerSecond),
          target: { atLeast: 0.7 },
        },
      ];
    } finally {
      await reference.stop();
    }
  },
};
