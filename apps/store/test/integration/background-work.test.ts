import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireOrders } from "../../src/orders/change-status.js";
import { idOf, type ShopUnderTest, startShop } from "../support/shop-under-test.js";

let shop: ShopUnderTest;
let receiver: Server;
let receiverUrl: string;
const received: { path: string; body: string }[] = [];

beforeAll(async () => {
  shop = await startShop();
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      received.push({ path: request.url ?? "", body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = receiver.address();
  receiverUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(async () => {
  await shop.stop();
  await new Promise((resolve) => receiver.close(resolve));
});

const createWebhook = async (path: string, fields: Record<string, unknown> = {}): Promise<number> =>
  idOf(
    await shop.rest("POST", "webhooks", {
      topic: "order.updated",
      delivery_url: `${receiverUrl}${path}`,
      ...fields,
    }),
  );

/** Ids of orders delivered to a path, in order of delivery. */
const reported = (path: string): number[] =>
  received
    .filter((one) => one.path === path && !one.body.startsWith("webhook_id="))
    .map(({ body }) => JSON.parse(body).id);

const queued = async (): Promise<number> => {
  const { rows } = await shop.database.query("SELECT count(*) AS rows FROM webhook_delivery");
  return Number(rows[0]?.rows);
};

describe("webhooks", () => {
  it("are sent for committed changes only", async () => {
    const unchanged = idOf(await shop.rest("POST", "orders", {}));
    await createWebhook("/kept");
    const rolledBack = await shop.rest("POST", `orders/${unchanged}/refunds`, { amount: "0" });
    expect(rolledBack.status).toBe(500);
    const id = idOf(await shop.rest("POST", "orders", {}));
    await expect.poll(() => reported("/kept"), { timeout: 10_000 }).toContain(id);
    await expect.poll(queued, { timeout: 10_000 }).toBe(0);
    expect(new Set(reported("/kept"))).toEqual(new Set([id]));
  });

  it("are not sent while paused, not even those queued before", async () => {
    const id = await createWebhook("/paused");
    await shop.rest("PUT", `webhooks/${id}`, { status: "paused" });
    const orderId = idOf(await shop.rest("POST", "orders", {}));
    await shop.database.query(
      "INSERT INTO webhook_delivery (webhook_id, resource_id, created_at) VALUES ($1, $2, now())",
      [id, orderId],
    );
    await expect.poll(queued, { timeout: 10_000 }).toBe(0);
    expect(reported("/paused")).toEqual([]);
  });

  it("contain only the order's ID if the order was deleted", async () => {
    await createWebhook("/removed", { topic: "order.deleted" });
    const id = idOf(await shop.rest("POST", "orders", {}));
    await shop.rest("DELETE", `orders/${id}?force=true`);
    await expect
      .poll(() => received.find(({ path, body }) => path === "/removed" && body.startsWith("{"))?.body, {
        timeout: 10_000,
      })
      .toBe(JSON.stringify({ id }));
  });
});

describe("an unpaid order", () => {
  const old = async (createdVia: string, status = "pending"): Promise<number> => {
    const id = idOf(await shop.rest("POST", "orders", { status }));
    await shop.database.query(
      "UPDATE shop_order SET created_via = $2, modified_at = now() - interval '2 hours' WHERE id = $1",
      [id, createdVia],
    );
    return id;
  };
  const statusOf = async (id: number) => (await shop.rest("GET", `orders/${id}`)).data;

  it("is cancelled after the hold time only if it is pending and from the classic checkout; a hold time of 0 disables this", async () => {
    const classic = await old("checkout");
    const block = await old("store-api");
    const remainder = await old("rest-api");
    const failed = await old("checkout", "failed");
    expect(await expireOrders(shop.database, 0)).toBe(0);
    expect(await expireOrders(shop.database, 180)).toBe(0);
    expect(await expireOrders(shop.database, 60)).toBe(1);
    expect(await statusOf(classic)).toMatchObject({ status: "cancelled" });
    expect(await statusOf(block)).toMatchObject({ status: "pending" });
    expect(await statusOf(remainder)).toMatchObject({ status: "pending" });
    expect(await statusOf(failed)).toMatchObject({ status: "failed" });
    expect(JSON.stringify((await shop.rest("GET", `orders/${classic}/notes`)).data)).toContain(
      "Unpaid order cancelled - time limit reached.",
    );
  });
});
