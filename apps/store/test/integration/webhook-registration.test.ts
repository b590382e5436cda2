import { afterAll, beforeAll, expect, it } from "vitest";
import { registerConnectorWebhooks } from "../../src/webhooks/webhook.js";
import { type ShopUnderTest, startShop } from "../support/shop-under-test.js";

let shop: ShopUnderTest;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

const deliveryUrl = "http://connector.example/v1/stores/demo/store-webhook";

it("registering the connector's webhooks again reactivates them and updates their secret, without duplicates", async () => {
  await registerConnectorWebhooks(shop.database, { deliveryUrl, secret: "the secret of the first day" });
  await shop.database.query("UPDATE webhook SET status = 'disabled', failure_count = 6");
  await registerConnectorWebhooks(shop.database, { deliveryUrl, secret: "the secret of the second day" });
  const { rows } = await shop.database.query(
    "SELECT topic, delivery_url, status, secret, failure_count FROM webhook ORDER BY topic",
  );
  const stored = {
    delivery_url: deliveryUrl,
    status: "active",
    secret: "the secret of the second day",
    failure_count: 0,
  };
  expect(rows).toEqual([
    { topic: "order.deleted", ...stored },
    { topic: "order.updated", ...stored },
  ]);
});
