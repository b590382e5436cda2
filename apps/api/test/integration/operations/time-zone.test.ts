import { expect, it } from "vitest";
import { createOrder, getOrder } from "../../support/orders.js";
import { payApi } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";

const sandbox = await createTestSandbox();

it("timestamps do not depend on the database's time zone", async () => {
  const api = payApi(await sandbox.startApi(), sandbox.access.merchant);
  const order = await createOrder(api);
  const database = new URL(sandbox.url).pathname.slice(1);
  await sandbox.executeAsSuperuser(`ALTER DATABASE ${database} SET timezone = 'Asia/Kolkata'`);
  const later = payApi(await sandbox.startApi(), sandbox.access.merchant);
  expect(await getOrder(later, order.order_id)).toEqual(order);
  const created = await createOrder(later);
  expect(Math.abs(Date.parse(created.created_at) - Date.now())).toBeLessThan(60_000);
});
