import { openDatabase } from "@tillgate/database";
import { expect, it } from "vitest";
import { readCheckout } from "../../../src/checkout/read.js";
import type { Context } from "../../../src/context.js";
import { findPaidOrder, getOrder } from "../../../src/money/orders/read.js";
import { readPayoutFactsForGroup } from "../../../src/money/payouts/facts.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api, merchantId } = await createTestApi();

it("grouped reads are planned five times, then use a cached plan regardless of the number of rows", async () => {
  const order = await createOrder(api);
  const database = openDatabase({
    url: sandbox.url,
    maxConnections: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 10_000,
    onIdleError: (error) => expect.unreachable(error.message),
  });
  const context: Context = {
    ...server.context,
    database,
    memory: { ...server.context.memory, groupQueues: new Map() },
  };
  const client = {
    merchantId,
    credentialId: "00000000-0000-0000-0000-000000000000",
    mode: "sandbox",
  } as const;
  for (let round = 0; round < 8; round += 1) {
    await getOrder(context, client, order.order_id);
    await findPaidOrder(context, client, "TRX-000000000000");
    await readCheckout(context, paymentTokenOf(order), undefined);
    await readPayoutFactsForGroup(
      context,
      Array.from({ length: 1 + round * 8 }, () => ({ partner: client, request: { sender_currency: "EUR" } })),
    );
  }
  const { rows } = await database.pool.query<{ name: string; custom: number; generic: number }>(
    "SELECT name, custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements",
  );
  await database.close();
  // PostgreSQL makes five custom plans before it considers a generic one.
  expect(rows.filter(({ custom }) => custom > 0).sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "checkouts", custom: 5, generic: 3 },
    { name: "orders of merchants by id", custom: 5, generic: 3 },
    { name: "orders of merchants by trx_id", custom: 5, generic: 3 },
    { name: "payout facts", custom: 5, generic: 3 },
  ]);
});
