import { expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, paymentTokenOf } from "../../support/orders.js";
import { addMerchantWallet, merchantIdOf } from "../../support/parties.js";
import { payApi } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";

const sandbox = await createTestSandbox();

it("the test shopper can make concurrent payments in a currency for which the merchant opened a wallet later", async () => {
  const { merchant } = sandbox.access;
  const server = await sandbox.startApi();
  await addMerchantWallet(sandbox, await merchantIdOf(sandbox, merchant.client_id), "sandbox", "KWD");
  const api = payApi(server, merchant);
  const orders = [
    await createOrder(api, { amount: "1.250", currency: "KWD" }),
    await createOrder(api, { amount: "2.500", currency: "KWD" }),
  ];
  const responses = await Promise.all(
    orders.map((order) => openPage(server, paymentTokenOf(order)).act("sandbox-approve")),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect((await getOrder(api, orders[0]?.order_id ?? "")).status).toBe("PAID");
});
