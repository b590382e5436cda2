import { createServer, type Server } from "node:http";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireOrders } from "../../src/orders/change-status.js";
import { idOf, type ShopUnderTest, startShop } from "../support/shop-under-test.js";

let shop: ShopUnderTest;
let receiver: Server;
let receiverUrl: string;
const received: { path: string; body: string }[] = [];
/** Called when a webhook arrives; may return the response status. */
const onReceive = new Map<string, () => Promise<number>>();
let log = "";

beforeAll(async () => {
  shop = await startShop(
    {},
    pino(
      { level: "warn" },
      {
        write: (line) => {
          log += line;
        },
      },
    ),
  );
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", async () => {
      const path = request.url ?? "";
      response.statusCode = body.startsWith("{") ? ((await onReceive.get(path)?.()) ?? 200) : 200;
      received.push({ path, body });
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

/** IDs of the orders delivered to a path, in order of delivery. */
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

  it("are not sent while paused, even if they are already queued", async () => {
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

  it("are disabled and logged at the seventh consecutive failure, but not logged if disabled by hand", async () => {
    const topic = "order.deleted";
    const failing = await createWebhook("/failing", { topic });
    const byHand = await createWebhook("/by-hand", { topic });
    onReceive.set("/failing", async () => 500);
    onReceive.set("/by-hand", async () => {
      await shop.rest("PUT", `webhooks/${byHand}`, { status: "disabled" });
      return 500;
    });
    const queue = (id: number, count: number) =>
      shop.database.query(
        "INSERT INTO webhook_delivery (webhook_id, resource_id, created_at) SELECT $1, n, now() FROM generate_series(1, $2::int) n",
        [id, count],
      );
    const statusOf = async (id: number) => (await shop.rest("GET", `webhooks/${id}`)).data;
    const disabled = () =>
      [...log.matchAll(/"webhook":"(\d+)","msg":"a webhook was disabled/g)].map(([, id]) => Number(id));
    await queue(byHand, 1);
    await expect.poll(() => statusOf(byHand), { timeout: 10_000 }).toMatchObject({ status: "disabled" });
    await queue(failing, 6);
    await expect.poll(() => reported("/failing").length, { timeout: 10_000 }).toBe(6);
    expect(await statusOf(failing)).toMatchObject({ status: "active" });
    await queue(failing, 1);
    await expect.poll(disabled, { timeout: 10_000 }).toContain(failing);
    expect(await statusOf(failing)).toMatchObject({ status: "disabled" });
    expect(disabled()).toEqual([failing]);
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

  it("is cancelled after the hold time only if it is pending and from the classic checkout, and never with a hold time of 0", async () => {
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
