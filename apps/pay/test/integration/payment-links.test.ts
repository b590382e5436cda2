import type { CheckoutLink } from "@tillgate/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { PageServer, textOf } from "../page-server";

const server = await PageServer.shared();
beforeEach(() => {
  server.api.linkRefusal = null;
  server.api.startedOrders.length = 0;
  server.api.silent = false;
});

const fixed: CheckoutLink = {
  merchant: { name: "Kiosk Nord", accent: null, logo: null },
  mode: "sandbox",
  description: "Two mugs",
  currency: "EUR",
  amount: "41.50 EUR",
  min_amount: null,
  max_amount: null,
  state: "open",
  payment_url: null,
};
const add = (token: string, change: Partial<CheckoutLink> = {}) =>
  server.api.links.set(token, { ...fixed, ...change });

describe("payment link page", () => {
  it("shows the amount and purpose without scripts, and its button redirects to an order created for this visitor", async () => {
    add("fixed");
    const visitor = server.visitor();
    const { status, body, headers } = await visitor.get("/l/fixed");
    expect(status).toBe(200);
    expect(textOf(body)).toContain("Two mugs");
    expect(body).toContain('<title data-next-head="">TEST: Pay €41.50 to Kiosk Nord</title>');
    expect(body).toContain('data-amount="41.50 EUR"');
    expect(body).not.toContain("<script");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const response = await visitor.post("/l/fixed", {});
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("http://localhost:4001/pay/of-fixed");
    await visitor.post("/l/fixed", {});
    const visitors = new Set(server.api.startedOrders.map((one) => one.visitor));
    expect([server.api.startedOrders.length, visitors.size]).toEqual([2, 1]);
  });

  it("links to the order if this visitor has already started one, and then has no form", async () => {
    add("begun", { payment_url: "http://localhost:4001/pay/mine" });
    const { body } = await server.visitor().get("/l/begun");
    expect(body).toContain('href="http://localhost:4001/pay/mine"');
    expect(body).not.toContain("<form");
  });

  it("asks for an open amount, shows its limits, and redisplays rejected input", async () => {
    add("open", { amount: null, min_amount: "2.00 EUR", max_amount: "5.00 EUR" });
    const visitor = server.visitor();
    const { body } = await visitor.get("/l/open");
    expect(body).toContain('<title data-next-head="">TEST: Pay Kiosk Nord</title>');
    expect(textOf(body)).toContain("€2.00 to €5.00.");
    await visitor.post("/l/open", { amount: "3,50" });
    expect(server.api.startedOrders.at(-1)?.amount).toBe("3.50");
    server.api.linkRefusal = 400;
    const refused = await visitor.post("/l/open", { amount: "<9>" });
    expect(refused.status).toBe(422);
    expect(refused.body).toContain('value="&lt;9&gt;"');
    expect(refused.body).toContain('data-testid="pay-link-wrong"');
  });

  it.each([
    ["en", "1,000", "“1,000” could mean €1.00 or €1,000.00. Enter 1.00 or 1000."],
    ["de", "1.000", "„1.000“ kann 1,00 € oder 1.000,00 € bedeuten. Geben Sie 1,00 oder 1000 ein."],
  ])("in %s, rejects the ambiguous amount %s and creates no order", async (language, amount, sentence) => {
    add("open", { amount: null });
    const { status, body } = await server.visitor().post(`/l/open?lang=${language}`, { amount });
    expect([status, server.api.startedOrders]).toEqual([422, []]);
    expect(
      textOf(body)
        .replace(/\u00a0/g, " ")
        .replace(" .", "."),
    ).toContain(sentence);
  });

  it("accepts a thousands separator of the page’s language", async () => {
    add("open", { amount: null });
    await server.visitor().post("/l/open?lang=de", { amount: "1.000,50" });
    expect(server.api.startedOrders.at(-1)?.amount).toBe("1000.50");
  });

  it.each([
    ["used", "This link has already been used"],
    ["expired", "This link has expired"],
    ["closed", "This link is closed"],
  ] as const)("explains that the link is %s, and has no form", async (state, title) => {
    add(state, { state });
    const { body, status } = await server.visitor().get(`/l/${state}`);
    expect([status, body.includes("<form")]).toEqual([200, false]);
    expect(textOf(body)).toContain(title);
    expect(body).not.toContain("pay-link-go-on");
  });

  it.each(["used", "expired", "closed"] as const)(
    "if an open-amount link is %s, still links to the order that the visitor started",
    async (state) => {
      const ownOrder = "http://localhost:4001/pay/mine";
      add(`${state}-begun`, { state, amount: null, payment_url: ownOrder });
      const { body } = await server.visitor().get(`/l/${state}-begun`);
      expect(textOf(body)).toContain("Kiosk Nord");
      expect([body.includes("<form"), body.includes(`href="${ownOrder}"`)]).toEqual([false, true]);
    },
  );

  it("redirects a submitted form back to the link's page if the link was closed in the meantime", async () => {
    add("late");
    server.api.linkRefusal = 409;
    const response = await server.visitor().post("/l/late", {});
    expect([response.status, response.headers.get("location")]).toEqual([303, "/l/late"]);
  });

  it("returns 404 for an unknown link, 429 over the rate limit, and 503 while the API is unreachable", async () => {
    expect((await server.visitor().get("/l/nothing")).status).toBe(404);
    expect((await server.visitor().get("/l/not%20a%20token")).status).toBe(404);
    add("away");
    server.api.linkRefusal = 429;
    expect((await server.visitor().post("/l/away", {})).status).toBe(429);
    server.api.silent = true;
    const away = await server.visitor().get("/l/away");
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it("rejects a form from another site", async () => {
    add("own");
    const response = await server.visitor().post("/l/own", {}, { Origin: "https://evil.example" });
    expect(response.status).toBe(403);
    expect(server.api.startedOrders).toEqual([]);
  });

  it("is in the visitor's language", async () => {
    add("french");
    const { body } = await server.visitor().get("/l/french", { "Accept-Language": "fr" });
    expect(textOf(body)).toContain("Passer au paiement");
  });
});
