import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consumerKey, consumerSecret, type ShopUnderTest, startShop } from "../support/shop-under-test.js";
import { Shopper } from "../support/shopper.js";

/** Returns the response statuses of repeated sign-ins with a wrong password from one machine that forges a different X-Forwarded-For each time. */
async function triesOf(shop: ShopUnderTest): Promise<number[]> {
  const stranger = await Shopper.enter(shop);
  const statuses: number[] = [];
  for (let last = 1; last <= 12; last += 1) {
    const headers = { "x-forwarded-for": `203.0.113.${last}` };
    statuses.push((await stranger.post("/owner/sign-in", { password: "wrong" }, headers)).status);
  }
  return statuses;
}

describe("network settings", () => {
  let plain: ShopUnderTest;
  let behind: ShopUnderTest;
  beforeAll(async () => {
    [plain, behind] = await Promise.all([
      startShop({ STORE_BASIC_OVER_HTTP: "refuse" }),
      startShop({
        STORE_TRUSTED_PROXIES: "127.0.0.1, ::1",
        STORE_CONNECTIONS: "10",
        STORE_BASIC_OVER_HTTP: "refuse",
      }),
    ]);
  });
  afterAll(() => Promise.all([plain.stop(), behind.stop()]));

  it("ignore X-Forwarded-For by default, so that the limit on wrong passwords cannot be bypassed", async () => {
    const statuses = await triesOf(plain);
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect(statuses.slice(0, 10)).not.toContain(429);
  });

  it("trust X-Forwarded-For from a configured proxy", async () => {
    expect(await triesOf(behind)).not.toContain(429);
  });

  it("trust X-Forwarded-Proto from a configured proxy only, and otherwise reject Basic authentication over plain HTTP", async () => {
    const Authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}`;
    const request = (shop: ShopUnderTest) =>
      fetch(`${shop.url}/wp-json/wc/v3/orders`, { headers: { Authorization, "x-forwarded-proto": "https" } });
    expect((await request(plain)).status).toBe(401);
    expect((await request(behind)).status).toBe(200);
  });

  it("limit open connections and the time to send a request", { timeout: 60_000 }, async () => {
    const sockets: Socket[] = [];
    const closedAfter = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(behind.url).port), "127.0.0.1", () => socket.write(text));
        sockets.push(socket);
        socket.on("error", () => undefined).on("close", () => resolve());
        socket.resume();
      });
    const startedMs = performance.now();
    await closedAfter("GET / HTTP/1.1\r\nHost: x\r\n");
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    let closed = 0;
    for (let index = 0; index < 14; index += 1)
      void closedAfter("").then(() => {
        closed += 1;
      });
    await expect.poll(() => closed, { timeout: 5_000 }).toBeGreaterThanOrEqual(4);
    for (const socket of sockets) socket.destroy();
  });
});
