import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../../scripts/testing/free-port.js";
import { payableView } from "../fake-api";
import { formTokenOf, noticeOf, type PageServer, PageServer as Server, textOf } from "../page-server";

let server: PageServer;
beforeAll(async () => {
  server = await Server.start({ TILLGATE_API_TIMEOUT_MS: "1000" });
});
afterAll(() => server.stop());

beforeEach(() => {
  server.api.orders.set("order", payableView("order"));
});
afterEach(() => {
  server.api.silent = false;
});

describe("payment page while the API is unreachable", () => {
  it("returns 503, does not refresh itself, and shows no error details", async () => {
    server.api.silent = true;
    const { status, headers, body } = await server.request("/pay/order");
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("5");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toContain('data-status="UNAVAILABLE"');
    expect(body).not.toContain('http-equiv="refresh"');
    // The script polls this address and reloads the page once the response is not a server error.
    expect(body).toContain('data-poll-address="/pay/order/status"');
    expect(body).toMatch(/href="\/pay\/order"[^>]*data-testid="pay-retry"/);
    expect(body).not.toMatch(/fetch|ECONN|Timeout|127\.0\.0\.1/);
    expect(server.process.output()).toContain("The API is unreachable");
  });

  it.each(["pay", "cancel", "sandbox-approve"])(
    "redirects '%s' to a view that checks the outcome before it offers the step again",
    async (step) => {
      const visitor = server.visitor();
      const { body } = await visitor.get("/pay/order");
      server.api.silent = true;
      const response = await visitor.post(`/pay/order/${step}`, { form_token: formTokenOf(body) });
      expect([response.status, response.headers.get("location")]).toEqual([303, "/pay/order?check=1"]);
      const waiting = await visitor.get("/pay/order?check=1");
      expect(waiting.status).toBe(503);
      server.api.silent = false;
      for (let check = 1; check <= 5; check += 1) {
        const checking = (await visitor.get(`/pay/order?check=${check}`)).body;
        const next = check < 5 ? `/pay/order?check=${check + 1}` : "/pay/order";
        expect(checking).toContain(`<meta http-equiv="refresh" content="2;url=${next}"`);
        expect(checking).toContain(`data-next-view="${next}"`);
        expect(textOf(checking)).toContain("Checking your payment");
        expect(checking).not.toMatch(/<form|<input|pay-countdown/);
      }
      expect(noticeOf((await visitor.get("/pay/order")).body)).toBe("unconfirmed");
      expect(noticeOf((await visitor.get("/pay/order")).body)).toBeUndefined();
    },
  );

  it("shows the receipt at the next check if the payment succeeded although its response was lost", async () => {
    const visitor = server.visitor();
    const { body } = await visitor.get("/pay/order");
    server.api.silent = true;
    await visitor.post("/pay/order/pay", { form_token: formTokenOf(body) });
    server.api.silent = false;
    server.api.pay("order");
    const receipt = (await visitor.get("/pay/order?check=2")).body;
    expect(receipt).toMatch(/data-testid="pay-status" data-status="PAID"/);
    expect(receipt).not.toContain("pay-checking");
    // The notice of the lost response would say that the shopper was not charged.
    expect(noticeOf(receipt)).toBeUndefined();
  });

  it.each(["sign-in", "sign-out", "sandbox-decline"])(
    "lets the shopper retry '%s' immediately, because it moves no money",
    async (step) => {
      const visitor = server.visitor();
      const { body } = await visitor.get("/pay/order");
      const typed = { form_token: formTokenOf(body), identifier: "anna@example.com", pin: "275183" };
      server.api.silent = true;
      const response = await visitor.post(`/pay/order/${step}`, typed);
      expect([response.status, response.headers.get("location")]).toEqual([303, "/pay/order"]);
      server.api.silent = false;
      expect(noticeOf((await visitor.get("/pay/order")).body)).toBe("unavailable");
    },
  );

  it("returns 503 with Retry-After for the status, the event stream and the QR code", async () => {
    server.api.silent = true;
    const responses = ["status", "events", "qr.svg"].map(async (path) => {
      const { status, headers } = await server.request(`/pay/order/${path}`);
      expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "5"]);
    });
    await Promise.all(responses);
  });
});

describe("an unusable API", () => {
  it("counts as unreachable: no server, wrong key, or a response that violates the contract", async () => {
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
