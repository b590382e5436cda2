import { createRequire } from "node:module";
import type woocommerceLibrary from "@woocommerce/woocommerce-rest-api";
import { z } from "zod";
import { pace } from "./pace.js";

// A CommonJS library with its class in `default`, which module loaders import differently.
const woocommerce: typeof woocommerceLibrary = createRequire(import.meta.url)(
  "@woocommerce/woocommerce-rest-api",
);

const orderSchema = z.object({
  id: z.int(),
  number: z.string(),
  order_key: z.string(),
  status: z.string(),
  total: z.string(),
  payment_method: z.string(),
  transaction_id: z.string(),
});
export type ShopOrder = z.infer<typeof orderSchema>;

const refundSchema = z.object({
  id: z.int(),
  amount: z.string(),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })),
});

export type ShopRefund = {
  id: number;
  amount: string;
  /** ID of the Tillgate refund that is recorded; null for a refund created by the shop's owner. */
  tillgateRefundId: string | null;
};

const productSchema = z.object({ id: z.int(), stock_quantity: z.int().nullable() });
const noteSchema = z.object({ id: z.int(), note: z.string() });
const webhookSchema = z.object({
  id: z.int(),
  status: z.string(),
  topic: z.string(),
  delivery_url: z.string(),
});
export type ShopWebhook = z.infer<typeof webhookSchema>;
const refusalSchema = z.object({
  status: z.int(),
  data: z.object({ code: z.string(), message: z.string() }),
});

export type ShopKeys = {
  url: string;
  consumerKey: string;
  consumerSecret: string;
};

/** The shop rejected the request with this text. */
export class ShopError extends Error {
  override readonly name = "ShopError";
}

type Api = InstanceType<typeof woocommerce.default>;

/** The shop as used by its owner and customers, through WooCommerce's REST API. */
export class Shop {
  readonly keys: ShopKeys;
  readonly #api: Api;

  constructor(keys: ShopKeys) {
    this.keys = keys;
    this.#api = new woocommerce.default({ ...keys, version: "wc/v3", timeout: pace.testCallTimeoutMs });
  }

  async product(fields: { price: string; pieces: number; virtual?: boolean }): Promise<number> {
    const { price, pieces, virtual = false } = fields;
    const created = await this.#ask((api) =>
      api.post("products", {
        name: "A thing",
        regular_price: price,
        manage_stock: true,
        stock_quantity: pieces,
        virtual,
        downloadable: virtual,
      }),
    );
    return productSchema.parse(created).id;
  }

  async stock(productId: number): Promise<number | null> {
    return productSchema.parse(await this.#ask((api) => api.get(`products/${productId}`))).stock_quantity;
  }

  async setStock(productId: number, pieces: number): Promise<void> {
    await this.#ask((api) => api.put(`products/${productId}`, { stock_quantity: pieces }));
  }

  /** Creates an order as the checkout of a headless shop does. */
  async order(productId: number, fields: object = {}): Promise<ShopOrder> {
    const created = await this.#ask((api) =>
      api.post("orders", {
        payment_method: "tillgate",
        payment_method_title: "Tillgate",
        line_items: [{ product_id: productId, quantity: 1 }],
        ...fields,
      }),
    );
    return orderSchema.parse(created);
  }

  async read(id: number): Promise<ShopOrder> {
    return orderSchema.parse(await this.#ask((api) => api.get(`orders/${id}`)));
  }

  async change(id: number, fields: object): Promise<ShopOrder> {
    return orderSchema.parse(await this.#ask((api) => api.put(`orders/${id}`, fields)));
  }

  async trash(id: number): Promise<void> {
    await this.#ask((api) => api.delete(`orders/${id}`, {}));
  }

  /**
   * Creates a refund as the shop's owner.
   * @param of ID of the Tillgate refund that the shop's refund records; default: none
   * @returns the ID of the shop's refund
   */
  async refund(id: number, amount: string, of?: string): Promise<number> {
    const fields = {
      ...{ amount, reason: "Returned", api_refund: false, api_restock: false },
      ...(of !== undefined && { meta_data: [{ key: "_tillgate_refund_id", value: of }] }),
    };
    return refundSchema.parse(await this.#ask((api) => api.post(`orders/${id}/refunds`, fields))).id;
  }

  async deleteRefund(id: number, refundId: number): Promise<void> {
    await this.#ask((api) => api.delete(`orders/${id}/refunds/${refundId}`, { force: true }));
  }

  async refunds(id: number): Promise<ShopRefund[]> {
    const response = await this.#ask((api) => api.get(`orders/${id}/refunds`, { per_page: 100 }));
    return z
      .array(refundSchema)
      .parse(response)
      .map(({ id: refundId, amount, meta_data }) => {
        const meta = meta_data.find(({ key }) => key === "_tillgate_refund_id")?.value;
        return { id: refundId, amount, tillgateRefundId: typeof meta === "string" ? meta : null };
      });
  }

  /** Lists the order's notes, oldest first. */
  async notes(id: number): Promise<string[]> {
    const notes = z.array(noteSchema).parse(await this.#ask((api) => api.get(`orders/${id}/notes`)));
    return notes.toSorted((one, other) => one.id - other.id).map(({ note }) => note.replaceAll("&amp;", "&"));
  }

  async addNote(id: number, note: string): Promise<void> {
    await this.#ask((api) => api.post(`orders/${id}/notes`, { note }));
  }

  async tillgateNotes(id: number): Promise<string[]> {
    return (await this.notes(id)).filter((note) => note.startsWith("Tillgate:"));
  }

  async webhook(fields: { topic: string; deliveryUrl: string; secret: string }): Promise<number> {
    const { topic, deliveryUrl, secret } = fields;
    const created = await this.#ask((api) =>
      api.post("webhooks", { topic, delivery_url: deliveryUrl, secret }),
    );
    return webhookSchema.parse(created).id;
  }

  async webhooks(): Promise<ShopWebhook[]> {
    return z.array(webhookSchema).parse(await this.#ask((api) => api.get("webhooks", { per_page: 100 })));
  }

  async changeWebhook(id: number, fields: object): Promise<void> {
    await this.#ask((api) => api.put(`webhooks/${id}`, fields));
  }

  async deleteWebhook(id: number): Promise<void> {
    await this.#ask((api) => api.delete(`webhooks/${id}`, { force: true }));
  }

  async #ask(call: (api: Api) => Promise<{ data: unknown }>): Promise<unknown> {
    try {
      return (await call(this.#api)).data;
    } catch (error) {
      // The library's errors contain the consumer secret, so only the shop's message is passed on.
      const refusal =
        error instanceof Error && "response" in error ? refusalSchema.safeParse(error.response) : undefined;
      if (refusal?.success) throw new ShopError(`${refusal.data.data.message} (${refusal.data.data.code})`);
      throw new Error(
        `The request to the shop failed: ${error instanceof Error ? error.message : "unknown error"}`,
      );
    }
  }
}
