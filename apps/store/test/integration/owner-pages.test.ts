import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatDecimal } from "../../src/amounts.js";
import { ownerPassword, type ShopUnderTest, startShop } from "../support/shop-under-test.js";
import { Shopper } from "../support/shopper.js";

let shop: ShopUnderTest;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

/** Signs in as the owner. @returns the owner's browser */
async function signIn(): Promise<Shopper> {
  const owner = await Shopper.enter(shop);
  expect(await owner.post("/owner/sign-in", { password: ownerPassword })).toMatchObject({
    status: 303,
    location: "/owner",
  });
  owner.formToken = /name="form_token" value="([^"]*)"/.exec((await owner.get("/owner")).html)?.[1] ?? "";
  return owner;
}

describe("owner pages", () => {
  it("require sign-in", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const stranger = await Shopper.enter(shop);
    for (const path of ["/owner", `/owner/orders/${id}`]) {
      expect(await stranger.get(path)).toMatchObject({ status: 303, location: "/owner/sign-in" });
    }
    expect(await stranger.post(`/owner/orders/${id}/cancel`, {})).toMatchObject({
      location: "/owner/sign-in",
    });
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ status: "pending" });
  });

  it("list orders, and show an order with its notes and refunds", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    await shop.rest("PUT", `orders/${id}`, { set_paid: true, transaction_id: "TRX-9" });
    await shop.rest("POST", `orders/${id}/refunds`, { amount: "5.00", reason: "Chipped", api_refund: false });
    await shop.rest("POST", `orders/${id}/notes`, { note: "<b>packed</b>" });
    const owner = await signIn();
    expect((await owner.get("/owner")).html).toContain(`data-testid="owner-order-${id}"`);
    const { html } = await owner.get(`/owner/orders/${id}`);
    expect(html).toContain("Processing");
    expect(html).toContain("TRX-9");
    expect(html).toContain("Order status changed from Pending payment to Processing.");
    expect(html).toContain("Chipped");
    expect(html).toContain("&lt;b&gt;packed&lt;/b&gt;");
    expect(html).not.toContain('data-testid="owner-cancel"');
  });

  it("cancel an unpaid order only with the session's form token", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const owner = await signIn();
    expect((await owner.post(`/owner/orders/${id}/cancel`, { form_token: "wrong" })).status).toBe(403);
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ status: "pending" });
    expect(await owner.post(`/owner/orders/${id}/cancel`, {})).toMatchObject({
      location: `/owner/orders/${id}?notice=cancelled`,
    });
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ status: "cancelled" });
  });

  it("do not cancel an order paid in the meantime", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const owner = await signIn();
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    expect(await owner.post(`/owner/orders/${id}/cancel`, {})).toMatchObject({
      location: `/owner/orders/${id}?notice=not-cancelled`,
    });
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ status: "processing" });
  });

  it("record a partial refund and then the rest, once per form, and reject invalid amounts", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const { data: before } = await shop.rest("PUT", `orders/${id}`, {
      set_paid: true,
      transaction_id: "TRX-1",
    });
    const owner = await signIn();
    const total = /name="amount"[^>]*value="([\d.]+)"/.exec(
      (await owner.get(`/owner/orders/${id}`)).html,
    )?.[1];
    expect(before).toMatchObject({ total });
    const left = /name="left" value="(\d+)"/.exec((await owner.get(`/owner/orders/${id}`)).html)?.[1] ?? "";
    const part = { left, amount: "1,50", reason: "Chipped" };
    for (const notice of ["refunded", "not-refunded"]) {
      expect(await owner.post(`/owner/orders/${id}/refund`, part)).toMatchObject({
        status: 303,
        location: `/owner/orders/${id}?notice=${notice}`,
      });
    }
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({
      status: "processing",
      refunds: [{ reason: "Chipped", total: "-1.50" }],
    });
    const remainder = String(BigInt(left) - 150n);
    for (const amount of [
      "0",
      "0.00",
      "-1",
      "1.005",
      "1,000",
      "1.000",
      "1e1",
      "",
      formatDecimal(BigInt(remainder) + 1n),
    ]) {
      expect(await owner.post(`/owner/orders/${id}/refund`, { left: remainder, amount })).toMatchObject({
        location: `/owner/orders/${id}?notice=bad-refund`,
      });
    }
    await owner.post(`/owner/orders/${id}/refund`, {
      left: remainder,
      amount: formatDecimal(BigInt(remainder)),
    });
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ status: "refunded" });
    expect((await owner.get(`/owner/orders/${id}`)).html).not.toContain('data-testid="owner-refund-send"');
  });

  it("do not refund an unpaid order", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const owner = await signIn();
    expect(await owner.post(`/owner/orders/${id}/refund`, { left: "100", amount: "1" })).toMatchObject({
      location: `/owner/orders/${id}?notice=not-refunded`,
    });
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ status: "pending", refunds: [] });
  });

  it("change the total of an unpaid order by adding a fee, once per form, and reject invalid totals and paid orders", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const owner = await signIn();
    const before =
      /name="before" value="(\d+)"/.exec((await owner.get(`/owner/orders/${id}`)).html)?.[1] ?? "";
    for (const notice of ["total-changed", "total-not-changed"]) {
      expect(await owner.post(`/owner/orders/${id}/total`, { before, total: "60.00" })).toMatchObject({
        location: `/owner/orders/${id}?notice=${notice}`,
      });
    }
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({
      total: "60.00",
      fee_lines: [{ name: "Adjustment", total: formatDecimal(6000n - BigInt(before)) }],
    });
    await owner.post(`/owner/orders/${id}/total`, { before: "6000", total: "2.50" });
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ total: "2.50" });
    for (const total of ["2.5.0", "1,000", "-5", "1000000000"])
      expect(await owner.post(`/owner/orders/${id}/total`, { before: "250", total })).toMatchObject({
        location: `/owner/orders/${id}?notice=bad-total`,
      });
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    expect(await owner.post(`/owner/orders/${id}/total`, { before: "250", total: "3" })).toMatchObject({
      location: `/owner/orders/${id}?notice=total-not-changed`,
    });
  });

  it("change the payment method of an unpaid order and change it back, but not the method of a paid order", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const owner = await signIn();
    for (const [method, notice] of [
      ["bacs", "switched"],
      ["bacs", "not-switched"],
      ["tillgate", "switched"],
      ["cash", "not-switched"],
    ]) {
      expect(await owner.post(`/owner/orders/${id}/method`, { method: method ?? "" })).toMatchObject({
        location: `/owner/orders/${id}?notice=${notice}`,
      });
    }
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ payment_method: "tillgate" });
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    await owner.post(`/owner/orders/${id}/method`, { method: "bacs" });
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ payment_method: "tillgate" });
  });

  it("return 404 for unknown actions and orders", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    const owner = await signIn();
    for (const path of [`${id}/toString`, `${id}/delete`, "999999/refund", "x/cancel"]) {
      expect((await owner.post(`/owner/orders/${path}`, {})).status).toBe(404);
    }
  });

  it("require sign-in again after signing out", async () => {
    const owner = await signIn();
    await owner.post("/owner/sign-out", {});
    expect(await owner.get("/owner")).toMatchObject({ location: "/owner/sign-in" });
  });

  it("reject even the correct password after ten consecutive wrong passwords", async () => {
    const guesser = await Shopper.enter(shop);
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await guesser.post("/owner/sign-in", { password: `guess ${guess}` })).status).toBe(401);
    }
    expect((await guesser.post("/owner/sign-in", { password: ownerPassword })).status).toBe(429);
  });
});
