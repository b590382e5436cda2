import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { migrate } from "@tillgate/migrate";
import { expect, it } from "vitest";
import { Database } from "../../src/database/database.js";
import { findOrder } from "../../src/orders/order.js";
import { listRefunds } from "../../src/orders/refunds.js";
import { makeTestDatabase } from "../support/test-database.js";

const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));

/** Everything that the first version kept and the present one does not. */
const ofTheFirstVersion = `
  INSERT INTO product (id, slug, name, status, regular_price, created_at, modified_at) VALUES
    (1, 'cup', 'Cup', 'publish', 1250, now(), now()), (2, 'draft', 'Draft', 'draft', 100, now(), now()),
    (3, 'gift', 'Gift', 'publish', NULL, now(), now());
  INSERT INTO shop_order (id, order_key, status, currency, created_via, billing, shipping, total, shipping_total,
      meta_data, created_at, modified_at)
    VALUES (10, 'wc_order_x', 'processing', 'EUR', 'rest-api', '{"first_name": "Noor"}', '{}', 1650, 400,
      '[{"id": 1, "key": "k", "value": "v"}]', now(), now());
  INSERT INTO order_item (order_id, type, name, product_id, method_id, quantity, subtotal, total) VALUES
    (10, 'line_item', 'Cup', 1, '', 1, 1250, 1250), (10, 'shipping', 'Parcel', 0, 'flat_rate', 1, 400, 400);
  INSERT INTO order_refund (id, order_id, amount, meta_data, created_at)
    VALUES (11, 10, 500, '[{"id": 2, "key": "_tillgate_refund_id", "value": "RF-1"}]', now());
  INSERT INTO refund_item (refund_id, item_id, type, name, product_id, quantity, total)
    VALUES (11, 1, 'line_item', 'Cup', 1, 0, -500);
  INSERT INTO webhook (name, status, topic, delivery_url, secret, created_at) VALUES
    ('kept', 'active', 'order.updated', 'http://127.0.0.1/', 's', now()),
    ('gone', 'active', 'product.updated', 'http://127.0.0.1/', 's', now());`;

it("a shop of the first version keeps its orders, what they cost and their refunds", async () => {
  const first = await mkdtemp(path.join(tmpdir(), "shop-migrations-"));
  const { url, drop } = await makeTestDatabase();
  const database = new Database(url, 2, () => undefined);
  try {
    await cp(path.join(migrations, "0001_shop"), path.join(first, "0001_shop"), { recursive: true });
    await migrate(url, first);
    await database.query(ofTheFirstVersion);
    await migrate(url, migrations);
    const order = await findOrder(database, 10n);
    expect(order).toMatchObject({ status: "processing", total: 1650n, billing: { first_name: "Noor" } });
    expect(order?.items).toMatchObject([
      { type: "line_item", product_id: 1n, total: 1250n },
      { type: "fee", name: "Parcel", total: 400n },
    ]);
    const meta = [{ id: 2, key: "_tillgate_refund_id", value: "RF-1" }];
    expect(await listRefunds(database, [10n])).toMatchObject([{ amount: 500n, meta_data: meta }]);
    expect((await database.query("SELECT slug FROM product")).rows).toEqual([{ slug: "cup" }]);
    expect((await database.query("SELECT name FROM webhook")).rows).toEqual([{ name: "kept" }]);
  } finally {
    await database.close();
    await drop();
    await rm(first, { recursive: true });
  }
});
