import { expect, test } from "./fixtures.js";

test.describe("the plugin in a real shop:", () => {
  test.beforeAll(async ({ owner, rest }) => {
    await owner.useCheckout("block", await rest.checkoutPage());
  });
  test.beforeEach(({ gate }) => gate.open());

  test("the client secret is exposed neither on the settings page nor by the REST API", async ({
    owner,
    environment,
    sandbox,
  }) => {
    await owner.openSettings();
    await expect(owner.page.locator("#woocommerce_tillgate_client_secret")).toHaveValue("");
    expect(await owner.page.content()).not.toContain(sandbox.merchant.client_secret);
    const response = await owner.page.request.get(
      `${environment.url}/wp-json/wc/v3/payment_gateways/tillgate`,
      {
        headers: { "X-WP-Nonce": await owner.restNonce() },
      },
    );
    expect(response.status()).toBe(200);
    expect(await response.text()).not.toContain(sandbox.merchant.client_secret);
  });

  test("the connection test confirms the API key, the currency and webhook delivery", async ({ owner }) => {
    await owner.openSettings();
    const findings = await owner.testConnection();
    expect(findings[0]).toBe("✓ The client ID and secret are valid for this mode.");
    expect(findings).toContain("✓ Your account accepts payments in EUR.");
    expect(findings.at(-1)).toMatch(/^✓ Tillgate can reach this shop: a signed webhook arrived/);
  });

  test("a forged webhook is rejected and reported, and after a wrong secret is saved, the previous one still verifies webhooks", async ({
    owner,
    gate,
    sandbox,
    rest,
    paidElsewhere,
  }) => {
    gate.shut();
    const orderId = await paidElsewhere();
    const report = await gate.report("pos.order.paid");

    expect(await gate.deliver(report, { body: report.body.replace("12.5", "1.5") })).toBe(401);
    expect(
      await gate.deliver(report, {
        headers: { "x-tillgate-signature": report.headers["x-tillgate-signature"] ?? "" },
      }),
    ).toBe(401);
    expect((await rest.order(orderId)).status).toBe("pending");
    await owner.openHealth();
    await expect(owner.health("refused")).toHaveAttribute("data-state", "bad");

    await owner.saveSettings({ client_secret: "not the secret" });
    const findings = await owner.testConnection();
    expect(findings[0]).toMatch(/^✗ Tillgate rejected the client ID or secret/);
    // The secret has just been changed: webhooks signed with the old secret are still accepted, so that no payment is lost.
    expect(await gate.deliver(report)).toBe(200);
    await rest.waitForStatus(orderId, "processing");
    await owner.saveSettings({ client_secret: sandbox.merchant.client_secret });
    expect((await owner.testConnection())[0]).toMatch(/^✓/);
  });

  test("a revoked old secret no longer verifies webhooks", async ({
    owner,
    gate,
    sandbox,
    rest,
    paidElsewhere,
  }) => {
    gate.shut();
    const orderId = await paidElsewhere();
    const report = await gate.report("pos.order.paid");
    const right = { client_secret: sandbox.merchant.client_secret };
    await owner.withSettings({ client_secret: "another secret" }, right, async () => {
      expect(await owner.endOldSecrets()).toBeGreaterThan(0);
      expect(await gate.deliver(report)).toBe(401);
      expect((await rest.order(orderId)).status).toBe("pending");
    });
    expect(await gate.deliver(report)).toBe(200);
    await rest.waitForStatus(orderId, "processing");
  });

  test("a secret pasted as the client ID is rejected and not stored", async ({ owner, sandbox }) => {
    const { client_id, client_secret } = sandbox.merchant;
    await owner.submitSettings({ client_id: client_secret });
    await expect(owner.page.getByText("This is a client secret, not a client ID")).toBeVisible();
    await owner.openSettings();
    await expect(owner.page.locator("#woocommerce_tillgate_client_id")).toHaveValue(client_id);
    expect(await owner.page.content()).not.toContain(client_secret);
    expect((await owner.testConnection())[0]).toMatch(/^✓/);
  });

  test("an invalid URL is rejected with a message", async ({ owner, sandbox }) => {
    await owner.submitSettings({ report_address: "http://user@nowhere" });
    await expect(owner.page.getByText("Enter a URL such as https://api.example.com.")).toBeVisible();
    await owner.openSettings();
    await expect(owner.page.locator("#woocommerce_tillgate_address")).toHaveValue(sandbox.api);
  });

  test("payments stop when the shop's address changes, until the owner confirms the change", async ({
    owner,
    gate,
    environment,
    shopper,
    productId,
    rest,
    paidElsewhere,
  }) => {
    gate.shut();
    const orderId = await paidElsewhere();
    const report = await gate.report("pos.order.paid");
    await shopper.fillCart(productId);
    expect(await shopper.offeredMethods()).toContain("tillgate");
    await owner.setSiteAddress(`${environment.url}/moved`);
    try {
      expect(await gate.deliver(report)).toBe(503);
      expect(await shopper.offeredMethods()).not.toContain("tillgate");
      await owner.openSettings();
      await expect(owner.page.locator("[data-tillgate-notice=site]")).toContainText("Did this shop move?");
      await expect(owner.page.locator(".tillgate-connect")).toHaveCount(0);
      await owner.confirmMove();
      expect(await shopper.offeredMethods()).toContain("tillgate");
      expect(await gate.deliver(report)).toBe(200);
    } finally {
      await owner.setSiteAddress(environment.url);
      await owner.confirmMove();
    }
    await rest.waitForStatus(orderId, "processing");
  });

  test("a connected shop stays connected to its server when its owner opens a crafted or malformed connect link", async ({
    owner,
    sandbox,
  }) => {
    const box = owner.page.locator(".tillgate-connect");
    const host = new URL(sandbox.api).host;
    await owner.openSettings("tillgate_connect=https://evil.example");
    await expect(box).toContainText(`The shop remains connected to ${host}.`);
    await expect(box.getByRole("link", { name: /^Reconnect/ })).toHaveText(`Reconnect to ${host}`);
    await owner.openSettings("tillgate_connect[]=https://evil.example");
    await expect(box.getByRole("link", { name: /^Reconnect/ })).toHaveText(`Reconnect to ${host}`);
    await expect(box).not.toContainText("evil.example");
  });

  test("the owner gets a warning with advice if the shop has more refunds than Tillgate", async ({
    owner,
    rest,
    paidElsewhere,
  }) => {
    test.setTimeout(420_000);
    const orderId = await paidElsewhere();
    await rest.waitForStatus(orderId, "processing");
    expect((await rest.refund(orderId, "3.00")).status).toBe(201);
    await rest.recordRefund(orderId, "1.00");
    await expect(async () => {
      await owner.runBackgroundWork();
      await owner.openHealth();
      await expect(owner.health("refunds")).toContainText(
        `order ${orderId}: 4.00 EUR in the shop, 3.00 EUR in Tillgate`,
        { timeout: 1_000 },
      );
    }).toPass({ timeout: 300_000, intervals: [10_000] });
    await expect(owner.health("refunds")).toHaveAttribute("data-state", "bad");
    await expect(owner.health("refunds")).toContainText("delete the duplicate");
    expect((await rest.notes(orderId)).join("\n")).toContain(
      "4.00 EUR in the shop, but 3.00 EUR was refunded",
    );
    await owner.openOrder(orderId);
    await owner.page.locator("#tillgate-payment").getByRole("link", { name: "Mark as correct" }).click();
    await expect(owner.page.locator("#tillgate-payment")).not.toContainText("4.00 EUR in the shop");
    const refunds = owner.page.locator("[data-tillgate-refunds] li");
    await expect(refunds.filter({ hasText: "3.00 EUR: RF-" })).toContainText("refunded");
    await expect(refunds.filter({ hasText: "1.00 EUR" })).toContainText("not in Tillgate");
    await owner.openHealth();
    await expect(owner.health("refunds")).not.toContainText(`order ${orderId}:`);
  });

  test("while Tillgate is unreachable, the shopper gets a message and keeps the cart", async ({
    owner,
    sandbox,
    shopper,
    productId,
  }) => {
    // The secret is stored per Tillgate address and must be entered again for another address.
    const { client_secret } = sandbox.merchant;
    const away = { address: "http://127.0.0.1:9", client_secret, title: "Pay by phone" };
    const back = { address: sandbox.api, client_secret, title: "Wallet (QR code)" };
    await owner.withSettings(away, back, async () => {
      await shopper.fillCart(productId);
      await shopper.expectCheckoutRejected(
        "block",
        /We can.t start a payment with Pay by phone right now. If you.ve already paid this order, don.t pay again./,
      );
      await shopper.cartIsKept();
    });
  });

  test("in payment page mode, the shopper goes straight to the payment page and returns to the order", async ({
    owner,
    shopper,
    productId,
    sandbox,
    rest,
  }) => {
    await owner.withSettings({ show_as: "page" }, { show_as: "qr" }, async () => {
      await shopper.fillCart(productId);
      const payment = await shopper.placeOrderOnPaymentPage("block", sandbox.pay);
      await shopper.cartIsKept();
      await payment.approve.click();
      await payment.expectStatus("PAID");
      await shopper.waitForOrderReceived();
      const orderId = Number(/order-received\/(\d+)/.exec(shopper.page.url())?.[1]);
      await rest.waitForStatus(orderId, "processing");
      await shopper.cartIsEmpty();
    });
  });

  test("Tillgate is not offered for a total with more decimals than its currency allows", async ({
    rest,
    shopper,
    productId,
  }) => {
    const before = await rest.generalSettings();
    await rest.setGeneral("woocommerce_currency", "XAF");
    try {
      await shopper.fillCart(productId);
      expect(await shopper.offeredMethods()).not.toContain("tillgate");
    } finally {
      await rest.setGeneral("woocommerce_currency", before.currency);
    }
  });

  test("the order screen and the order list show the payment status", async ({
    owner,
    shopper,
    productId,
  }) => {
    const { orderId } = await shopper.order(productId, "block");
    await owner.openOrder(orderId);
    await expect(owner.page.locator("#tillgate-payment")).toContainText("waiting for payment");
    await owner.page.locator("#tillgate-payment").getByRole("link", { name: "Check now" }).click();
    await expect(owner.page.getByText("the payment is still in progress")).toBeVisible();
    await owner.openOrders();
    await expect(owner.page.locator(".tillgate-state").first()).toHaveText("waiting for payment");
    await expect(owner.page.locator(".tillgate-test").first()).toHaveText("test");
  });

  test("the owner can create a new payment link, which cancels the first payment, and can then cancel the new payment", async ({
    owner,
    shopper,
    productId,
    rest,
    tillgate,
    orderOf,
  }) => {
    const { orderId } = await shopper.order(productId, "block");
    const first = await orderOf(String(orderId));
    const box = owner.page.locator("#tillgate-payment");
    await owner.openOrder(orderId);
    await box.getByRole("link", { name: "New link" }).click();
    await expect(owner.page.getByText("New payment link created.")).toBeVisible();
    expect((await tillgate.orders.get(first)).status).toBe("CANCELLED");
    expect((await rest.order(orderId)).status).toBe("pending");
    const second = await orderOf(String(orderId));
    expect(second).not.toBe(first);
    await expect(box).toContainText(second);
    // WooCommerce's own action list offers the same action.
    await owner.page.locator("select[name=wc_order_action]").selectOption("tillgate_cancel");
    await owner.page.locator("button.wc-reload").click();
    await expect(owner.page.getByText("Payment cancelled. The order is unchanged")).toBeVisible();
    expect((await tillgate.orders.get(second)).status).toBe("CANCELLED");
    expect((await rest.notes(orderId)).join("\n")).toContain("it was cancelled in the shop");
  });

  test("a paid order has a receipt with its transaction ID, and one click repairs a difference", async ({
    owner,
    shopper,
    productId,
    rest,
    pay,
  }) => {
    const { orderId, paymentUrl } = await shopper.order(productId, "block");
    await pay(paymentUrl);
    await shopper.waitForOrderReceived();
    const { transaction_id } = await rest.waitForStatus(orderId, "processing");
    const receipt = shopper.page.locator(".tillgate-order-payment");
    await expect(receipt).toContainText(transaction_id);
    await expect(receipt).toContainText("Test mode: no real money is involved.");
    await rest.updateOrder(orderId, { status: "pending" });
    await owner.openHealth();
    await owner.page.locator("[data-tillgate-compare]").click();
    const difference = owner.page.locator("tr[data-tillgate-difference=paid_shop_unpaid]", {
      hasText: transaction_id,
    });
    await difference.getByRole("link", { name: "Update from Tillgate" }).click();
    await expect(owner.page.getByText("The difference is resolved.")).toBeVisible();
    expect((await rest.order(orderId)).status).toBe("processing");
  });

  test("an action with a wrong or missing nonce is rejected with 403", async ({ owner, environment }) => {
    const response = await owner.page.request.post(`${environment.url}/wp-admin/admin-ajax.php`, {
      form: { action: "tillgate_test_connection", nonce: "0123456789" },
    });
    expect(response.status()).toBe(403);
    const check = await owner.page.request.get(
      `${environment.url}/wp-admin/admin-post.php?action=tillgate_payment_action&what=cancel&order_id=1`,
    );
    expect(check.status()).toBe(403);
  });

  test("a visitor without the order's key gets 404", async ({ page, environment, shopper, productId }) => {
    const { orderId } = await shopper.order(productId, "block");
    for (const key of ["", "wc_order_wrong"]) {
      const status = await page.request.get(
        `${environment.url}/wp-json/tillgate/v1/orders/${orderId}/payment?key=${key}`,
      );
      expect(status.status()).toBe(404);
      const back = await page.request.get(
        `${environment.url}/wc-api/tillgate_return/?order_id=${orderId}&key=${key}`,
      );
      expect(back.status()).toBe(404);
    }
  });
});
