import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  cleanUpAfterwards,
  createOrder,
  createProduct,
  eventually,
  realShop,
  request,
  storeUrl,
  updateOrder,
} from "./store.js";

cleanUpAfterwards();

type Received = {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

/**
 * The store must reach this address: `WOO_WEBHOOK_HOST` names this machine if the store runs elsewhere. WordPress rejects
 * private addresses unless its filter `http_request_host_is_external` allows them.
 */
const host = process.env.WOO_WEBHOOK_HOST || "127.0.0.1";

const received: Received[] = [];
/** Paths that reject deliveries. */
const refusing = new Set<string>();
let server: Server;
let receiver: string;
const webhooks: number[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body });
      response.statusCode = refusing.has(path) ? 500 : 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host === "127.0.0.1" ? host : "0.0.0.0", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The receiver has no port.");
  receiver = `http://${host}:${address.port}`;
});

afterAll(async () => {
  for (const id of webhooks) await request("delete", `webhooks/${id}`, { force: true });
  await new Promise((resolve) => server.close(resolve));
});

const webhook = z.looseObject({ id: z.number(), status: z.string() });

async function createWebhook(path: string, fields: Record<string, unknown> = {}) {
  const response = await request("post", "webhooks", {
    topic: "order.updated",
    delivery_url: `${receiver}${path}`,
    secret: "a secret of the two",
    ...fields,
  });
  const created = webhook.parse(response.data);
  webhooks.push(created.id);
  return { response, ...created };
}

const statusOf = async (id: number): Promise<string> =>
  webhook.parse((await request("get", `webhooks/${id}`)).data).status;

/** Returns the deliveries to a path, without the ping. */
const deliveriesTo = (path: string): Received[] =>
  received.filter((one) => one.path === path && !one.body.startsWith("webhook_id="));

/** Triggers WordPress's background work, which depends on visits. A store without it responds with 404. */
const pushBackgroundWork = async (): Promise<void> => {
  await fetch(`${storeUrl}/wp-cron.php?doing_wp_cron`).then((response) => response.body?.cancel());
};

/** WordPress runs background work at most once a minute, and only when it is visited. */
const backgroundMs = 150_000;

const waitForDelivery = <Result>(
  what: string,
  check: () => Promise<Result | undefined> | Result | undefined,
) =>
  eventually(
    what,
    async () => {
      const found = await check();
      if (found === undefined) await pushBackgroundWork();
      return found;
    },
    backgroundMs,
  );

const toldProduct = z.looseObject({ id: z.number(), stock_quantity: z.number().nullable() });
const deliveredOrder = z.looseObject({ id: z.number(), status: z.string().optional() });

describe("webhooks", () => {
  it("send an unsigned form as a ping before the create request returns", async () => {
    const { id, response } = await createWebhook("/ping");
    expect(response).toMatchObject({
      status: 201,
      data: { status: "active", topic: "order.updated", resource: "order", event: "updated" },
    });
    const ping = received.find(({ path }) => path === "/ping");
    expect(ping?.body).toBe(`webhook_id=${id}`);
    expect(ping?.headers["content-type"]).toContain("application/x-www-form-urlencoded");
    expect(ping?.headers["x-wc-webhook-signature"]).toBeUndefined();
  });

  it("are created even if the delivery URL rejects the ping", async () => {
    refusing.add("/deaf");
    const { response } = await createWebhook("/deaf");
    expect(response).toMatchObject({ status: 201, data: { status: "active" } });
  });

  it("deliver a changed order, signed with base64 HMAC-SHA256", async () => {
    const { id } = await createWebhook("/signed");
    const cup = await createProduct({ name: "Cup", regular_price: "12.50" });
    const order = await createOrder({ line_items: [{ product_id: cup.id, quantity: 1 }] });
    await updateOrder(order.id, { set_paid: true, transaction_id: "TRX-W" });
    const delivery = await waitForDelivery("Delivery of the paid order", () =>
      deliveriesTo("/signed").find(({ body }) => {
        const { id: orderId, status } = deliveredOrder.parse(JSON.parse(body));
        return orderId === order.id && status === "processing";
      }),
    );
    expect(delivery.headers).toMatchObject({
      "content-type": "application/json",
      "x-wc-webhook-topic": "order.updated",
      "x-wc-webhook-resource": "order",
      "x-wc-webhook-event": "updated",
      "x-wc-webhook-id": String(id),
      "x-wc-webhook-source": expect.stringMatching(/^https?:\/\/.+\/$/),
      "x-wc-webhook-signature": createHmac("sha256", "a secret of the two")
        .update(delivery.body)
        .digest("base64"),
      "user-agent": expect.stringContaining("WooCommerce/"),
    });
    expect(delivery.headers["x-wc-webhook-delivery-id"]).toBeTruthy();
    expect(JSON.parse(delivery.body)).toMatchObject({
      id: order.id,
      total: "12.50",
      transaction_id: "TRX-W",
    });
  }, 200_000);

  it("are disabled after seven consecutive failed deliveries, none of which is retried", async () => {
    const { id } = await createWebhook("/failing");
    refusing.add("/failing");
    for (let created = 0; created < 6; created += 1) await createOrder({});
    await waitForDelivery("The sixth delivery", () =>
      deliveriesTo("/failing").length >= 6 ? true : undefined,
    );
    expect(await statusOf(id)).toBe("active");
    await createOrder({});
    await waitForDelivery("Disabling the webhook", async () =>
      (await statusOf(id)) === "disabled" ? true : undefined,
    );
    const orderIds = deliveriesTo("/failing").map(({ body }) => deliveredOrder.parse(JSON.parse(body)).id);
    expect(new Set(orderIds).size).toBe(7);
    expect(orderIds).toHaveLength(7);
  }, 400_000);

  it.runIf(realShop)(
    "are sent for a product when an order reduces its stock",
    async () => {
      const cup = await createProduct({ name: "Cup", manage_stock: true, stock_quantity: 5 });
      await createWebhook("/products", { topic: "product.updated" });
      await createOrder({ status: "on-hold", line_items: [{ product_id: cup.id, quantity: 1 }] });
      await waitForDelivery("Delivery of the reduced stock", () =>
        deliveriesTo("/products").find(({ body }) => {
          const { id, stock_quantity } = toldProduct.parse(JSON.parse(body));
          return id === cup.id && stock_quantity === 4;
        }),
      );
    },
    200_000,
  );

  it("are rejected with an unknown topic or an invalid delivery URL", async () => {
    expect(await request("post", "webhooks", { topic: "no.topic", delivery_url: receiver })).toMatchObject({
      status: 400,
      data: { code: "woocommerce_rest_shop_webhook_invalid_topic" },
    });
    expect(
      await request("post", "webhooks", { topic: "order.updated", delivery_url: "ftp://x" }),
    ).toMatchObject({
      status: 400,
      data: { code: "woocommerce_rest_shop_webhook_invalid_delivery_url" },
    });
  });

  it("are not found by an unknown ID", async () => {
    expect(await request("get", "webhooks/999999")).toMatchObject({
      status: 404,
      data: { code: "woocommerce_rest_shop_webhook_invalid_id" },
    });
  });
});
