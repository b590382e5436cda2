import { type OrderList, orderPageResponseSchema } from "@tillgate/contract";
import { expect, it } from "vitest";
import { expireOrders } from "../../../src/jobs/expire-orders.js";
import { createOrder, getOrder, makeOverdue } from "../../support/orders.js";
import { eventNamesOf } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api, merchantId } = await createTestApi();

async function list(query: Record<string, string>): Promise<OrderList> {
  const { status, body, text } = await api.get("/orders", { per_page: "100", ...query });
  expect({ status, text: text.slice(0, 200) }).toMatchObject({ status: 200 });
  return orderPageResponseSchema.parse(body).data;
}

it("GET /orders shows an overdue order as EXPIRED, like GET /orders/{id}, and its event is recorded once", async () => {
  const { order_id } = await createOrder(api, { reference: "overdue" });
  await makeOverdue(sandbox, order_id);
  for (const query of [{}, { reference: "overdue" }, { status: "EXPIRED" }])
    expect((await list(query)).orders.find((order) => order.order_id === order_id)?.status).toBe("EXPIRED");
  for (const query of [{ status: "PENDING" }, { status: "PENDING", reference: "overdue" }])
    expect(await list(query)).toMatchObject({ orders: [], pagination: { total: 0 } });
  expect((await getOrder(api, order_id)).status).toBe("EXPIRED");
  expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.expired"]);
});

it("GET /orders filters and counts in one snapshot while orders expire", async () => {
  const ORDERS = 60;
  await sandbox.database.pool.query(
    `INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, expires_at)
     SELECT 'POS-20260101-E' || lpad(n::text, 5, '0'), 'expires' || n, mode, merchant_id, id, 100, 'EUR', 'both',
       clock_timestamp() + n * interval '50 milliseconds'
     FROM credentials, generate_series(1, ${ORDERS}) n WHERE client_id = $1`,
    [sandbox.access.merchant.client_id],
  );
  let expiring = true;
  const { pool } = sandbox.database;
  const worker = (async () => {
    while (expiring)
      await expireOrders({ pool, changes: { notify: () => undefined }, log: server.context.log });
  })();
  let pages = 0;
  const listRepeatedly = async (query: Record<string, string>) => {
    for (;;) {
      const { rows } = await pool.query<{ now: Date }>("SELECT clock_timestamp() AS now");
      const began = rows[0]?.now ?? new Date(0);
      const { orders, pagination } = await list(query);
      pages += 1;
      expect(pagination.total).toBe(orders.length);
      if (query.status) expect(orders.filter(({ status }) => status !== query.status)).toEqual([]);
      const overdue = orders.filter(
        ({ status, expires_at }) =>
          status === "PENDING" && new Date(expires_at).getTime() + 1_000 <= began.getTime(),
      );
      expect(overdue).toEqual([]);
      if (query.status !== "PENDING" || orders.length === 0) {
        const left = await pool.query("SELECT FROM orders WHERE merchant_id = $1 AND status = 'PENDING'", [
          merchantId,
        ]);
        if (left.rowCount === 0) return;
      }
    }
  };
  await Promise.all([
    listRepeatedly({ status: "PENDING" }),
    listRepeatedly({ status: "EXPIRED" }),
    listRepeatedly({}),
    listRepeatedly({ status: "PENDING" }),
  ]);
  expiring = false;
  await worker;
  // At least one list was read while orders expired.
  expect(pages).toBeGreaterThan(4);
}, 60_000);

it("GET /orders waits less than six seconds for a locked order", async () => {
  const { order_id } = await createOrder(api, { reference: "held" });
  await makeOverdue(sandbox, order_id);
  const holder = await sandbox.database.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM orders WHERE id = $1 FOR UPDATE", [order_id]);
  const startedAt = performance.now();
  expect((await list({ reference: "held" })).pagination.total).toBe(1);
  expect(performance.now() - startedAt).toBeLessThan(6_000);
  await holder.query("ROLLBACK");
  holder.release();
  expect((await list({ reference: "held" })).orders[0]?.status).toBe("EXPIRED");
});
