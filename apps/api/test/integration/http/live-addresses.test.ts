import { beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { createOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { PAYMENT_FIELDS, paymentApi } from "../../support/payments.js";
import { errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestSandbox } from "../../support/test-api.js";

let strictApi: ApiProcess;
let live: PayApi;
let access: Awaited<ReturnType<typeof addLiveCredential>>;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  // As in production, private webhook addresses are rejected.
  strictApi = await sandbox.startApi({ environment: { TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "refuse" } });
  access = await addLiveCredential(sandbox, sandbox.access.merchant.client_id);
  live = payApi(strictApi, access, "live");
});

const valid = { amount: 41.5, currency: "EUR" };
const HTTPS = "must be an https URL in live mode";
const PUBLIC = "must be a public URL on port 443 or 80 in live mode";

describe("creation of a live order", () => {
  it.each(["callback_url", "return_url", "cancel_url"])("requires https for %s", async (field) => {
    for (const address of ["http://shop.example/x", "HTTP://shop.example", "http://127.0.0.1/x"]) {
      const response = await expectNoWrites(sandbox, () =>
        live.post("/orders", { ...valid, [field]: address }),
      );
      expect(errorOf(response)).toEqual(fieldError(field, HTTPS));
    }
    await createOrder(live, { [field]: "https://shop.example/x" });
    await createOrder(live, { [field]: "HTTPS://shop.example/x" });
    await createOrder(payApi(strictApi, sandbox.access.merchant), { [field]: "http://shop.example/x" });
  });

  it.each([
    "https://shop.example:8443/hook",
    "https://shop.example:81/hook",
    "https://127.0.0.1/hook",
    "https://10.0.0.1/hook",
    "https://192.168.1.1/hook",
    "https://169.254.169.254/hook",
    "https://[::1]/hook",
    "https://[fd00::1]/hook",
    "https://0x7f000001/hook",
    "https://2130706433/hook",
    "https://localhost/hook",
    "https://shop.localhost/hook",
  ])("rejects a callback_url to %s", async (callback_url) => {
    const response = await expectNoWrites(sandbox, () => live.post("/orders", { ...valid, callback_url }));
    expect(errorOf(response)).toEqual(fieldError("callback_url", PUBLIC));
  });

  it.each([
    "https://shop.example/hook",
    "https://shop.example:443/hook",
    "https://shop.example:80/hook",
    "https://93.184.215.14/hook",
    "https://nobody-knows-this-host.example/hook",
  ])("accepts a callback_url to %s; host names are resolved on delivery", async (callback_url) => {
    await createOrder(live, { callback_url });
  });

  it("accepts other ports and private addresses in return_url and cancel_url", async () => {
    await createOrder(live, {
      return_url: "https://shop.example:8443/x",
      cancel_url: "https://10.0.0.1:1/x",
    });
  });

  it("requires https in POST /payment/create as well", async () => {
    const payments = await paymentApi(strictApi, access, "/pay/api/v1");
    for (const field of ["return_url", "cancel_url"]) {
      const fields = { ...PAYMENT_FIELDS, [field]: "http://shop.example" };
      expect(errorOf(await payments.create(fields))).toEqual(fieldError(field, HTTPS));
    }
    await payments.createPayment();
  });
});
