import { createRequire } from "node:module";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type woocommerceLibrary from "@woocommerce/woocommerce-rest-api";
import { z } from "zod";
import type { OrderStorage, ShopEnvironment } from "./environment.js";

const woocommerce: typeof woocommerceLibrary = createRequire(import.meta.url)(
  "@woocommerce/woocommerce-rest-api",
);

const orderSchema = z.object({
  id: z.int(),
  status: z.string(),
  total: z.string(),
  order_key: z.string(),
  transaction_id: z.string(),
  payment_method: z.string(),
  refunds: z.array(z.object({ id: z.int(), total: z.string() })),
});
export type ShopOrder = z.infer<typeof orderSchema>;

const refundsSchema = z.array(
  z.object({
    id: z.int(),
    amount: z.string(),
    meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })),
  }),
);

/** A refund record of the shop. */
export type ShopRefund = {
  id: number;
  amount: string;
  /** The Tillgate refund IDs in the record's metadata, including duplicates. */
  tillgateRefundIds: unknown[];
};

/** The plugin's zip. */
export const zip = path.join(
  import.meta.dirname,
  "../../plugin/woocommerce/dist/tillgate-for-woocommerce.zip",
);

/** Path of a zip file, or a zip built by a test. */
type Zip = string | { name: string; mimeType: string; buffer: Buffer };

const PER_PAGE = 100;

/** Metadata key under which a refund record stores the ID of its Tillgate refund. */
const refundMeta = "_tillgate_refund_id";

/** The shop through its REST API. */
export class ShopRest {
  readonly #api: InstanceType<(typeof woocommerce)["default"]>;

  constructor({ url, consumerKey, consumerSecret }: ShopEnvironment) {
    this.#api = new woocommerce.default({
      url,
      consumerKey,
      consumerSecret,
      version: "wc/v3",
      timeout: 30_000,
      axiosConfig: { validateStatus: () => true },
    });
  }

  async order(id: number): Promise<ShopOrder> {
    return orderSchema.parse((await this.#api.get(`orders/${id}`)).data);
  }

  async updateOrder(id: number, change: object): Promise<ShopOrder> {
    return orderSchema.parse((await this.#api.put(`orders/${id}`, change)).data);
  }

  async deleteOrder(id: number): Promise<void> {
    expect((await this.#api.delete(`orders/${id}`, { force: true })).status).toBe(200);
  }

  /** Moves the order to the trash. */
  async trashOrder(id: number): Promise<void> {
    expect((await this.#api.delete(`orders/${id}`)).status).toBe(200);
  }

  async notes(id: number): Promise<string[]> {
    const schema = z.array(z.object({ note: z.string() }));
    return schema.parse((await this.#api.get(`orders/${id}/notes`)).data).map(({ note }) => note);
  }

  /** Refunds through the gateway, like the shop's button. @returns the HTTP status and the shop's text */
  async refund(id: number, amount: string): Promise<{ status: number; text: string }> {
    const { status, data } = await this.#api.post(`orders/${id}/refunds`, { amount, api_refund: true });
    const text = z.object({ message: z.string().default("") }).parse(data).message;
    return { status, text };
  }

  /** Creates an unpaid order. @returns the order and the address of its pay page */
  async createOrder(productId: number, quantity: number): Promise<{ order: ShopOrder; payAddress: string }> {
    const { data } = await this.#api.post("orders", {
      status: "pending",
      billing: { first_name: "Ada", last_name: "Mertens", email: "ada@example.com", country: "DE" },
      line_items: [{ product_id: productId, quantity }],
    });
    const { payment_url } = z.object({ payment_url: z.string() }).parse(data);
    return { order: orderSchema.parse(data), payAddress: payment_url };
  }

  /** Lists the refund records of an order. */
  async refunds(id: number): Promise<ShopRefund[]> {
    const found: ShopRefund[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = await this.#api.get(`orders/${id}/refunds`, { per_page: PER_PAGE, page });
      const records = refundsSchema.parse(data);
      for (const { id, amount, meta_data } of records)
        found.push({
          id,
          amount,
          tillgateRefundIds: meta_data.filter(({ key }) => key === refundMeta).map(({ value }) => value),
        });
      if (records.length < PER_PAGE) return found;
    }
  }

  /** Lists the totals of the order lines in an order's refund records, without tax. */
  async refundedLines(id: number): Promise<string[]> {
    const schema = z.array(z.object({ line_items: z.array(z.object({ total: z.string() })) }));
    const records = schema.parse((await this.#api.get(`orders/${id}/refunds`)).data);
    return records.flatMap(({ line_items }) => line_items.map(({ total }) => total));
  }

  /**
   * Records a manual refund without the gateway.
   * @param of ID of the Tillgate refund in the record's metadata; default: none
   * @returns the ID of the record
   */
  async recordRefund(id: number, amount: string, of?: string): Promise<number> {
    const meta_data = of === undefined ? [] : [{ key: refundMeta, value: of }];
    const { data } = await this.#api.post(`orders/${id}/refunds`, { amount, api_refund: false, meta_data });
    return z.object({ id: z.int() }).parse(data).id;
  }

  async deleteRefund(id: number, refundId: number): Promise<void> {
    expect((await this.#api.delete(`orders/${id}/refunds/${refundId}`, { force: true })).status).toBe(200);
  }

  async product(): Promise<{ id: number; stock: number }> {
    const schema = z.array(z.object({ id: z.int(), stock_quantity: z.int().nullable() })).min(1);
    const [first] = schema.parse(
      (await this.#api.get("products", { status: "publish", stock_status: "instock" })).data,
    );
    if (first === undefined) throw new Error("The shop has no published product in stock.");
    return { id: first.id, stock: first.stock_quantity ?? 0 };
  }

  async orderStorage(): Promise<OrderStorage> {
    const schema = z.object({ settings: z.object({ HPOS_enabled: z.boolean() }) });
    const { data } = await this.#api.get("system_status", { _fields: "settings" });
    return schema.parse(data).settings.HPOS_enabled ? "hpos" : "posts";
  }

  /** Returns whether the shop has a persistent object cache. */
  async hasObjectCache(): Promise<boolean> {
    const schema = z.object({ environment: z.object({ external_object_cache: z.boolean().nullable() }) });
    const { data } = await this.#api.get("system_status", { _fields: "environment" });
    return schema.parse(data).environment.external_object_cache === true;
  }

  async checkoutPage(): Promise<number> {
    const schema = z.object({ value: z.coerce.number().int().positive() });
    return schema.parse((await this.#api.get("settings/advanced/woocommerce_checkout_page_id")).data).value;
  }

  async generalSettings(): Promise<{ currency: string }> {
    const response = await this.#api.get("settings/general/woocommerce_currency");
    return { currency: z.object({ value: z.string() }).parse(response.data).value };
  }

  async setGeneral(name: string, value: string): Promise<void> {
    expect((await this.#api.put(`settings/general/${name}`, { value })).status).toBe(200);
  }

  /** Waits until the order has this status. @returns the order */
  async waitForStatus(id: number, status: string): Promise<ShopOrder> {
    await expect
      .poll(async () => (await this.order(id)).status, { timeout: 30_000, intervals: [250, 500, 1000] })
      .toBe(status);
    return this.order(id);
  }
}

/** The shop's owner, signed in. */
export class Administrator {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async signIn({ user, password }: ShopEnvironment["administrator"]): Promise<void> {
    await this.page.goto(`${this.#url}/wp-login.php`);
    await this.page.locator("#user_login").fill(user);
    await this.page.locator("#user_pass").fill(password);
    await this.page.locator("#wp-submit").click();
    await this.page.waitForURL(/wp-admin/);
  }

  /** Uploads and activates a plugin. */
  async install(zip: Zip): Promise<void> {
    await this.page.goto(`${this.#url}/wp-admin/plugin-install.php?tab=upload`);
    // The sites of a network share their plugins: WordPress redirects to the network's page, without the tab.
    const { href, pathname } = new URL(this.page.url());
    if (pathname.includes("/network/")) await this.page.goto(new URL("?tab=upload", href).href);
    await this.upload(zip);
  }

  /** Uploads and activates a zip on the current page, which must be the page for adding plugins. */
  async upload(zip: Zip): Promise<void> {
    await this.page.locator("#pluginzip").setInputFiles(zip);
    await this.page.locator("#install-plugin-submit").click();
    const replace = this.page.locator("a.update-from-upload-overwrite");
    const activate = this.page.locator("a.button-primary", { hasText: /^(Network )?Activate( Plugin)?/ });
    const done = this.page.getByText(/Plugin (installed|updated) successfully/);
    await expect(replace.or(done)).toBeVisible();
    if (await replace.isVisible()) await replace.click();
    await expect(done).toBeVisible();
    if (await activate.isVisible()) await activate.click();
  }

  /** Deactivates another plugin. @param plugin its folder and file, without `.php` */
  async deactivate(plugin: string): Promise<void> {
    await this.page.goto(`${this.#url}/wp-admin/index.php`);
    const response = await this.page.request.put(`${this.#url}/wp-json/wp/v2/plugins/${plugin}`, {
      headers: { "X-WP-Nonce": await this.restNonce() },
      data: { status: "inactive" },
    });
    expect(response.status()).toBe(200);
  }

  /**
   * Clicks a link of the plugin in the list of plugins.
   * @param name link text, such as "Network Activate"
   */
  async clickPluginLink(name: string, list: "network/plugins.php" | "plugins.php"): Promise<void> {
    const row = this.page.locator("tr[data-slug=tillgate-for-woocommerce]");
    await this.page.goto(`${this.#url}/wp-admin/${list}`);
    await row.getByText(name, { exact: true }).click();
    await expect(this.page.getByText(/Plugin (de)?activated\./)).toBeVisible();
  }

  /** Returns whether the plugin's background tasks are scheduled on this site. */
  async hasSchedule(): Promise<boolean> {
    const query = "page=action-scheduler&status=pending&s=tillgate_sweep";
    await this.page.goto(`${this.#url}/wp-admin/tools.php?${query}`);
    return (await this.page.locator("td.column-hook", { hasText: "tillgate_sweep" }).count()) > 0;
  }

  /** Deactivates and deletes the plugin. Settings and secrets are removed, but order data stays. */
  async remove(): Promise<void> {
    const row = this.page.locator("tr[data-slug=tillgate-for-woocommerce]");
    await this.page.goto(`${this.#url}/wp-admin/plugins.php`);
    await row.getByRole("link", { name: "Deactivate" }).click();
    await expect(this.page.getByText("Plugin deactivated.")).toBeVisible();
    this.page.once("dialog", (dialog) => dialog.accept());
    await row.getByRole("link", { name: "Delete" }).click();
    // Without its script, WordPress asks for confirmation on a separate page.
    const sure = this.page.getByRole("button", { name: "Yes, delete these files and data" });
    const done = this.page.getByText(/was successfully deleted|plugin has been deleted/);
    await expect(sure.or(done)).toBeVisible();
    if (await sure.isVisible()) await sure.click();
    await expect(done).toBeVisible();
  }

  /** Opens the settings page. @param query additional query parameters */
  async openSettings(query = ""): Promise<void> {
    await this.page.goto(
      `${this.#url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=tillgate&${query}`,
    );
  }

  /** Saves fields of the settings page, without changing the other fields. */
  async saveSettings(fields: Record<string, string | boolean>): Promise<void> {
    await this.submitSettings(fields);
    await expect(this.page.getByText("Your settings have been saved.")).toBeVisible();
  }

  /** Runs `work` with the settings `fields`, then saves `before`. */
  async withSettings(
    fields: Record<string, string>,
    before: Record<string, string>,
    work: () => Promise<void>,
  ): Promise<void> {
    await this.saveSettings(fields);
    try {
      await work();
    } finally {
      await this.saveSettings(before);
    }
  }

  /** Saves fields of the settings page, without checking the result. */
  async submitSettings(fields: Record<string, string | boolean>): Promise<void> {
    await this.openSettings();
    for (const [name, value] of Object.entries(fields)) {
      const field = this.page.locator(`#woocommerce_tillgate_${name}`);
      if (typeof value === "boolean") await field.setChecked(value);
      else if ((await field.evaluate((element) => element.tagName)) === "SELECT")
        await field.selectOption(value, { force: true });
      else await field.fill(value);
    }
    await this.page.locator("button[name=save]").click();
  }

  /** Moves the shop's pages, but not the admin, to another address. */
  async setSiteAddress(address: string): Promise<void> {
    await this.page.goto(`${this.#url}/wp-admin/options-general.php`);
    await this.page.locator("#home").fill(address);
    await this.page.locator("#submit").click();
    await expect(this.page.getByText("Settings saved.")).toBeVisible();
  }

  /** Confirms that the shop moved, if the plugin asks. */
  async confirmMove(): Promise<void> {
    await this.openSettings();
    const moved = this.page.getByRole("button", { name: "The shop moved here: continue" });
    if ((await moved.count()) === 0) return;
    await moved.click();
    await expect(moved).toHaveCount(0);
  }

  /** Revokes every old secret that is still accepted. @returns their number */
  async endOldSecrets(): Promise<number> {
    await this.openSettings();
    const buttons = this.page
      .locator("[data-tillgate-old-secrets]")
      .getByRole("link", { name: "Revoke now" });
    for (let ended = 0; ; ended += 1) {
      if ((await buttons.count()) === 0) return ended;
      await buttons.first().click();
      await expect(this.page.getByText("Old secret revoked.")).toBeVisible();
    }
  }

  /** Clicks "Test connection". @returns its results */
  async testConnection(): Promise<string[]> {
    const results = this.page.locator("[data-tillgate-results] li");
    await this.page.getByRole("button", { name: "Test connection" }).click();
    await expect(results.filter({ hasText: /^[✓✗]/ }).first()).toBeVisible({ timeout: 40_000 });
    return results.allTextContents();
  }

  /** Returns a line of the status page. */
  health(name: string): Locator {
    return this.page.locator(`[data-tillgate-health=${name}]`);
  }

  async openOrders(): Promise<void> {
    // Redirects to the list of the shop's order storage.
    await this.page.goto(`${this.#url}/wp-admin/edit.php?post_type=shop_order`);
  }

  async restNonce(): Promise<string> {
    return (await this.page.request.get(`${this.#url}/wp-admin/admin-ajax.php?action=rest-nonce`)).text();
  }

  async openHealth(): Promise<void> {
    await this.page.goto(`${this.#url}/wp-admin/admin.php?page=wc-status&tab=tillgate`);
  }

  async openOrder(id: number): Promise<void> {
    await this.page.goto(`${this.#url}/wp-admin/post.php?post=${id}&action=edit`);
  }

  /** Runs the shop's background work once, as cron would. */
  async runBackgroundWork(): Promise<void> {
    await this.page.request.get(`${this.#url}/wp-cron.php?doing_wp_cron`, { timeout: 60_000 });
  }

  /** Puts the classic or the block checkout on the checkout page. */
  async useCheckout(kind: CheckoutKind, pageId: number): Promise<void> {
    const content =
      kind === "classic"
        ? "<!-- wp:shortcode -->[woocommerce_checkout]<!-- /wp:shortcode -->"
        : blockCheckout;
    await this.page.goto(`${this.#url}/wp-admin/index.php`);
    const nonce = await this.restNonce();
    const response = await this.page.request.post(`${this.#url}/wp-json/wp/v2/pages/${pageId}`, {
      headers: { "X-WP-Nonce": nonce },
      data: { content },
    });
    expect(response.status()).toBe(200);
  }
}

export type CheckoutKind = "classic" | "block";

const empty = (name: string, inside = "") =>
  `<!-- wp:woocommerce/${name} --><div class="wp-block-woocommerce-${name}">${inside}</div><!-- /wp:woocommerce/${name} -->`;

const blockCheckout = `<!-- wp:woocommerce/checkout --><div class="wp-block-woocommerce-checkout alignwide wc-block-checkout is-loading">${empty(
  "checkout-fields-block",
  [
    "checkout-express-payment-block",
    "checkout-contact-information-block",
    "checkout-shipping-method-block",
    "checkout-shipping-address-block",
    "checkout-billing-address-block",
    "checkout-shipping-methods-block",
    "checkout-payment-block",
    "checkout-terms-block",
    "checkout-actions-block",
  ]
    .map((name) => empty(name))
    .join(""),
)}${empty("checkout-totals-block", empty("checkout-order-summary-block"))}</div><!-- /wp:woocommerce/checkout -->`;
