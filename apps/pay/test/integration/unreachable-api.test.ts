import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { payableView } from "../fake-api";
import { formTokenOf, freePort, type PageServer, PageServer as Server, textOf } from "../page-server";

let server: PageServer;
beforeEach(async () => {
  server = await Server.start({ TILLGATE_API_TIMEOUT_MS: "400" });
  server.api.orders.set("order", payableView("order"));
});
afterEach(async () => {
  server.api.silent = false;
  await server.stop();
});

describe("while the api does not answer", () => {
  it("the page is 503, says so, and looks again by itself; nothing of the fault is shown", async () => {
    server.api.silent = true;
    const { status, headers, body } = await server.request("/pay/order");
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("5");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toContain('data-status="UNAVAILABLE"');
    expect(body).toContain('<meta http-equiv="refresh" content="5"');
    expect(body).toMatch(/href="\/pay\/order"[^>]*data-testid="pay-retry"/);
    expect(body).not.toMatch(/fetch|ECONN|Timeout|127\.0\.0\.1/);
    expect(server.process.output()).toContain("The api cannot be reached");
  });

  it("a step leads back to the page with a warning, because nobody knows what became of it", async () => {
    const visitor = server.visitor();
    const { body } = await visitor.get("/pay/order");
    server.api.silent = true;
    const answer = await visitor.post("/pay/order/pay", { form_token: formTokenOf(body) });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/pay/order"]);
    server.api.silent = false;
    expect(textOf((await visitor.get("/pay/order")).body)).toContain("The payment service did not answer.");
  });

  it("status, stream and picture are 503, so that their readers come back", async () => {
    server.api.silent = true;
    for (const path of ["status", "events", "qr.svg"]) {
      const { status, headers } = await server.request(`/pay/order/${path}`);
      expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "5"]);
    }
  });
});

describe("an api that is not there, or not ours", () => {
  it("is an unreachable one: no server, a wrong key, an answer that breaks the contract", async () => {
    const nobody = await Server.start({ TILLGATE_API_URL: `http://127.0.0.1:${await freePort()}` });
    expect((await nobody.request("/pay/order")).status).toBe(503);
    await nobody.stop();

    const stranger = await Server.start({ TILLGATE_INTERNAL_KEY: "another-key-of-thirty-two-characters" });
    stranger.api.orders.set("order", payableView("order"));
    expect((await stranger.request("/pay/order")).status).toBe(503);
    expect(stranger.process.output()).not.toContain("another-key");
    await stranger.stop();

    const broken = payableView("broken");
    Object.assign(broken.order, { amount: 4150 });
    server.api.orders.set("broken", broken);
    expect((await server.request("/pay/broken")).status).toBe(503);
  });
});
