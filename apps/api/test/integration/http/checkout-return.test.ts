import { beforeAll, describe, expect, it } from "vitest";
import { REDATE_BOOKS } from "../../../../../scripts/testing/administration.js";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, makeOverdue, paymentTokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { createTestApi } from "../../support/test-api.js";

/** At a WooCommerce shop, `return_url` shows the order with the customer's name and address to anyone who has it. */
const SHOP = {
  return_url: "https://shop.example/checkout/order-received/42/?key=wc_order_secret",
  cancel_url: "https://shop.example/cart/?order=wc_order_secret",
};

let shopper: TestShopper;

const { sandbox, server, api } = await createTestApi();
beforeAll(async () => {
  shopper = await addShopper(sandbox, "sandbox", 1_000_000n);
});

const order = async (fields: Record<string, unknown> = {}) => {
  const created = await createOrder(api, { ...SHOP, ...fields });
  const open = (options = {}) => openPage(server, paymentTokenOf(created), options);
  return { id: created.order_id, open };
};
const readReturn = async (page: CheckoutPage) => {
  const { return_to, leads_back } = await page.view();
  return { key: return_to?.includes("wc_order_secret") ?? false, leads_back };
};
const REDIRECTED = { key: true, leads_back: true };
const RECEIPT_ONLY = { key: false, leads_back: false };
/** Moves the times of payment and expiry back as superuser, because triggers reject this from the API's role. */
const ageSettlement = (id: string, interval: string) =>
  sandbox.executeAsSuperuser(`SET session_replication_role = replica;
    UPDATE orders SET paid_at = paid_at - interval '${interval}', expires_at = expires_at - interval '${interval}' WHERE id = '${id}';
    ${REDATE_BOOKS}`);

describe("the return URL of an order", () => {
  it("is shown to the payer and to visitors who saw the order while it was pending, but not to later visitors", async () => {
    const { open } = await order();
    const [payer, waiting] = [open(), open()];
    await waiting.view();
    await payer.signIn(shopper.email, shopper.pin);
    expect(await readReturn(payer)).toEqual(RECEIPT_ONLY);
    await payer.pay();
    expect(await readReturn(payer)).toEqual(REDIRECTED);
    expect(await readReturn(waiting)).toEqual(REDIRECTED);
    expect(await readReturn(open())).toEqual(RECEIPT_ONLY);
    expect((await open().viewResponse()).text).not.toContain("wc_order_secret");
    // On another device, the payer gets a link back to the shop, but no redirect.
    expect(await readReturn(open({ session: payer.session }))).toEqual({ key: true, leads_back: false });
  });

  it("is shown for a cancelled or expired order only to visitors who saw it while it was pending", async () => {
    for (const settle of ["cancel", "expire"]) {
      const { id, open } = await order();
      const waiting = open();
      await waiting.view();
      if (settle === "cancel") await waiting.act("cancel");
      else await makeOverdue(sandbox, id);
      expect(await readReturn(open())).toEqual(RECEIPT_ONLY);
      expect(await readReturn(waiting)).toEqual(REDIRECTED);
    }
  });

  it("is hidden if the visitor proof is forged, is a form token, or belongs to another visitor or order", async () => {
    const [one, two] = [await order(), await order()];
    const [watcher, elsewhere] = [one.open(), two.open()];
    const { form_token } = await watcher.view();
    await elsewhere.view();
    await watcher.act("sandbox-approve");
    const proof = watcher.witness ?? "";
    for (const { visitor, witness } of [
      { visitor: "0".repeat(32), witness: proof },
      { visitor: "", witness: proof },
      { visitor: watcher.visitor, witness: elsewhere.witness },
      { visitor: watcher.visitor, witness: form_token },
      { visitor: watcher.visitor, witness: proof.slice(0, -2) },
      { visitor: watcher.visitor, witness: "x".repeat(4_000) },
      { visitor: watcher.visitor, witness: undefined },
    ]) {
      const stranger = one.open({ visitor });
      stranger.witness = witness;
      expect(await readReturn(stranger)).toEqual(RECEIPT_ONLY);
    }
    expect(await readReturn(watcher)).toEqual(REDIRECTED);
  });

  it("is protected by a visitor proof that is not accepted as a form token", async () => {
    const { open } = await order();
    const page = open();
    const view = await page.view();
    const response = await page.act("cancel", view.witness?.token ?? "");
    expect(response.status).toBe(403);
  });

  it("is protected by a visitor proof that is issued only to a visitor with a cookie, and not for a paid order", async () => {
    const { open } = await order();
    expect((await open({ visitor: "" }).view()).witness).toBeNull();
    const page = open();
    await page.act("sandbox-approve");
    expect((await page.view()).witness).toBeNull();
    expect((await open().view()).witness).toBeNull();
  });
});

describe("an old payment link", () => {
  it("shows the receipt of a paid order without a redirect after fifteen minutes, even to the payer", async () => {
    const { id, open } = await order();
    const payer = open();
    await payer.signIn(shopper.email, shopper.pin);
    await payer.pay();
    await ageSettlement(id, "14 minutes");
    expect(await readReturn(payer)).toEqual(REDIRECTED);
    await ageSettlement(id, "1 minute");
    expect(await readReturn(payer)).toEqual({ key: true, leads_back: false });
  });

  it("shows an expired order without a redirect after fifteen minutes, and a refunded order without a redirect immediately", async () => {
    const expired = await order();
    const late = expired.open();
    await late.view();
    await makeOverdue(sandbox, expired.id);
    expect(await readReturn(late)).toEqual(REDIRECTED);
    await ageSettlement(expired.id, "15 minutes");
    expect(await readReturn(late)).toEqual({ key: true, leads_back: false });

    const { id, open } = await order();
    const page = open();
    await page.act("sandbox-approve");
    const { trx_id } = (await page.view()).order;
    await api.post("/refunds", { transaction_id: trx_id });
    expect(await readReturn(page)).toEqual({ key: true, leads_back: false });
    expect(id).toMatch(/^POS-/);
  });
});
