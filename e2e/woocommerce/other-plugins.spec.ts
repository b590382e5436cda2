import { zipOf } from "../../plugin/woocommerce/build/zip.mjs";
import { expect, test } from "./fixtures.js";
import type { Administrator } from "./shop.js";

/** Minimal plugins that reproduce reported conflicts. */
const plugins = {
  /** A quote plugin: orders in its custom status can be paid. */
  quotes: `add_action('init', function () { register_post_status('wc-quoted', ['label' => 'Quoted', 'public' => true, 'exclude_from_search' => false, 'show_in_admin_all_list' => true]); });
add_filter('wc_order_statuses', function ($all) { return $all + ['wc-quoted' => 'Quoted']; });
add_filter('woocommerce_valid_order_statuses_for_payment', function ($all) { return array_merge($all, ['quoted']); });`,
  /** A host that caches every GET of the REST API regardless of headers. */
  cache: `add_filter('rest_pre_dispatch', function ($result, $server, $request) {
  $key = 'cached_' . md5($request->get_route() . serialize($request->get_query_params()));
  $isOurs = $request->get_method() === 'GET' && strpos($request->get_route(), '/tillgate/') === 0;
  return $isOurs && ($kept = get_transient($key)) !== false ? new WP_REST_Response($kept) : $result;
}, 1, 3);
add_filter('rest_post_dispatch', function ($response, $server, $request) {
  $key = 'cached_' . md5($request->get_route() . serialize($request->get_query_params()));
  if ($request->get_method() === 'GET' && strpos($request->get_route(), '/tillgate/') === 0 && get_transient($key) === false) set_transient($key, $response->get_data(), 3600);
  return $response;
}, 99, 3);`,
  /** A numbering plugin: order numbers differ from order IDs, such as `K7M2-812`. */
  numbers: `add_filter('woocommerce_order_number', function ($number, $order) { return 'K7M2-' . $order->get_id(); }, 10, 2);`,
  /** A shipping plugin: adds a custom status for paid orders, which WooCommerce does not count as paid. */
  packing: `add_action('init', function () { register_post_status('wc-packed', ['label' => 'Packed', 'public' => true, 'exclude_from_search' => false, 'show_in_admin_all_list' => true]); });
add_filter('wc_order_statuses', function ($all) { return $all + ['wc-packed' => 'Packed']; });`,
};

/** Runs `work` with a plugin active. */
async function withPlugin(
  owner: Administrator,
  name: keyof typeof plugins,
  work: () => Promise<void>,
): Promise<void> {
  const folder = `other-${name}`;
  const code = `<?php\n/**\n * Plugin Name: Other: ${name}\n */\n${plugins[name]}\n`;
  const buffer = Buffer.from(zipOf(new Map([[`${folder}.php`, code]]), folder));
  await owner.install({ name: `${folder}.zip`, mimeType: "application/zip", buffer });
  try {
    await work();
  } finally {
    await owner.deactivate(`${folder}/${folder}`);
  }
}

test.describe("a shop with other plugins:", () => {
  test.beforeAll(async ({ owner, rest }) => {
    await owner.useCheckout("block", await rest.checkoutPage());
  });
  test.beforeEach(({ gate }) => gate.open());

  test("an order with a quote plugin's custom status can be paid on its pay page", async ({
    owner,
    rest,
    productId,
    shopper,
    pay,
  }) => {
    await withPlugin(owner, "quotes", async () => {
      const { order, payAddress } = await rest.createOrder(productId, 1);
      await rest.updateOrder(order.id, { status: "quoted" });
      await shopper.payByLink(payAddress);
      const { paymentUrl } = await shopper.waitForQrCode();
      await pay(paymentUrl);
      expect((await rest.waitForStatus(order.id, "processing")).transaction_id).toMatch(/^TRX-/);
    });
  });

  test("an order numbered by a plugin is paid and refunded", async ({
    owner,
    rest,
    paidElsewhere,
    tillgate,
    orderOf,
  }) => {
    await withPlugin(owner, "numbers", async () => {
      const { id, transaction_id } = await rest.waitForStatus(await paidElsewhere(), "processing");
      expect(await orderOf(`K7M2-${id}`)).toMatch(/^POS-/);
      await tillgate.refunds.create({ transaction_id, amount: "5.00" });
      await expect.poll(async () => (await rest.refunds(id)).map(({ amount }) => amount)).toEqual(["5.00"]);
    });
  });

  test("the QR code page continues after the payment although the host caches the REST API, and the connection test reports the cache", async ({
    owner,
    gate,
    shopper,
    productId,
    pay,
  }) => {
    await withPlugin(owner, "cache", async () => {
      gate.shut();
      const { paymentUrl } = await shopper.order(productId, "block");
      await pay(paymentUrl);
      await shopper.waitForOrderReceived();
      await owner.openSettings();
      expect((await owner.testConnection()).join()).toContain(
        "Your host caches pages that mustn’t be cached",
      );
    });
  });

  test("an open payment can be paid and refunded even if the shop switches to a currency without decimals", async ({
    owner,
    rest,
    shopper,
    productId,
    gate,
    pay,
    tillgate,
  }) => {
    const { orderId, paymentUrl } = await shopper.order(productId, "block");
    await shopper.closePage();
    const before = await rest.generalSettings();
    await rest.setGeneral("woocommerce_currency", "JPY");
    await rest.setGeneral("woocommerce_price_num_decimals", "0");
    try {
      // Any change makes the plugin check the order with the shop's current rounding.
      await rest.updateOrder(orderId, { customer_note: "Ring twice." });
      await owner.runBackgroundWork();
      await pay(paymentUrl);
      const { transaction_id } = await rest.waitForStatus(orderId, "processing");
      await tillgate.refunds.create({ transaction_id });
      await rest.waitForStatus(orderId, "refunded");
    } finally {
      await rest.setGeneral("woocommerce_currency", before.currency);
      await rest.setGeneral("woocommerce_price_num_decimals", "2");
    }
    expect((await rest.refunds(orderId)).map(({ amount }) => amount)).toEqual(["12.50"]);
    expect(gate.answers.every((status) => status === 200)).toBe(true);
  });

  test("a shop with more decimals than its currency still offers Tillgate for a payable total, and its owner gets a warning", async ({
    owner,
    rest,
    shopper,
    productId,
  }) => {
    await rest.setGeneral("woocommerce_price_num_decimals", "4");
    try {
      await shopper.fillCart(productId);
      expect(await shopper.offeredMethods()).toContain("tillgate");
      await owner.openSettings();
      await expect(owner.page.getByText("Number of decimals to 2").first()).toBeVisible();
      await owner.openHealth();
      await expect(owner.health("decimals")).toHaveAttribute("data-state", "bad");
    } finally {
      await rest.setGeneral("woocommerce_price_num_decimals", "2");
    }
  });

  test("a paid order gets the status chosen by the owner, and its refund is recorded with line items", async ({
    owner,
    rest,
    paidElsewhere,
    tillgate,
  }) => {
    await withPlugin(owner, "packing", async () => {
      await owner.withSettings({ paid_status: "packed" }, { paid_status: "" }, async () => {
        const { transaction_id, id } = await rest.waitForStatus(await paidElsewhere(), "packed");
        await tillgate.refunds.create({ transaction_id, amount: "5.00" });
        await expect.poll(async () => (await rest.refunds(id)).length).toBe(1);
        expect(await rest.refundedLines(id)).toEqual(["-5.00"]);
      });
    });
  });
});
