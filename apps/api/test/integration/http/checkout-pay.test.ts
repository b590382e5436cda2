import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Action, type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, getOrder, makeOverdue, paymentTokenOf } from "../../support/orders.js";
import { addLiveCredential, addShopper, type TestShopper } from "../../support/parties.js";
import { errorOf, type PayApi, payApi } from "../../support/requests.js";
import { balanceOf, eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

let live: PayApi;
let shopper: TestShopper;

const { sandbox, server, api } = await createTestApi();
beforeAll(async () => {
  live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
  shopper = await addShopper(sandbox, "sandbox", 1_000_000n);
});
afterAll(() => expectValidEvents(sandbox));

const reasonedError = (status: number, text: string, reason: string) => ({ status, texts: [text], reason });
const ERRORS = {
  expired: reasonedError(422, "The order has expired", "expired"),
  cancelled: reasonedError(422, "The order was cancelled", "cancelled"),
  paid: reasonedError(422, "The order is already paid", "already_paid"),
  notSignedIn: reasonedError(401, "Not signed in", "not_signed_in"),
  noWallet: reasonedError(422, "No wallet in this currency", "no_wallet"),
  walletClosed: reasonedError(422, "The wallet is closed", "wallet_closed"),
  insufficient: {
    ...reasonedError(422, "Insufficient balance.", "insufficient_balance"),
    missing: "0.01 EUR",
  },
  form: reasonedError(403, "The form is no longer valid", "form_rejected"),
  sandboxOnly: reasonedError(422, "Available only in the sandbox", "sandbox_only"),
};

/** Opens a new order's page and signs in. */
async function openSignedIn(
  fields: Record<string, unknown> = {},
  who = shopper,
): Promise<{ id: string; page: CheckoutPage }> {
  const order = await createOrder(api, fields);
  const page = openPage(server, paymentTokenOf(order));
  await page.signIn(who.email, who.pin);
  return { id: order.order_id, page };
}

describe("POST /checkout/v1/orders/{token}/pay", () => {
  it("moves exactly the amount from shopper to merchant, with one event", async () => {
    const { id, page } = await openSignedIn({ amount: 12.34 });
    const merchant = sandbox.access.merchant.client_id;
    const before = [await balanceOf(sandbox, shopper.email), await balanceOf(sandbox, merchant)];
    const view = await page.view();
    expect(view.shopper).toMatchObject({
      name: "Ruth Okafor",
      wallet: { currency: "EUR", sufficient: true },
    });
    const response = await page.act("pay");
    expect(response.body).toEqual({
      message: { success: ["Done"] },
      data: { status: "PAID", repeated: false, renewed_session: null },
    });
    const after = [await balanceOf(sandbox, shopper.email), await balanceOf(sandbox, merchant)];
    expect(after).toEqual([(before[0] ?? 0n) - 1234n, (before[1] ?? 0n) + 1234n]);
    expect(await eventNamesOf(sandbox, id)).toEqual(["pos.order.paid"]);
  });

  it("rejects a visitor who is not signed in", async () => {
    const page = openPage(server, paymentTokenOf(await createOrder(api)));
    expect(errorOf(await expectNoWrites(sandbox, () => page.act("pay")))).toEqual(ERRORS.notSignedIn);
    page.session = "tgw_invented";
    expect(errorOf(await expectNoWrites(sandbox, () => page.act("pay")))).toEqual(ERRORS.notSignedIn);
  });

  it("rejects a signed-out or expired session and a deactivated shopper", async () => {
    const { page } = await openSignedIn();
    const session = page.session;
    await page.act("sign-out");
    expect((await page.view()).shopper).toBeNull();
    expect(errorOf(await expectNoWrites(sandbox, () => page.act("pay")))).toEqual(ERRORS.notSignedIn);
    expect(page.session).toBe(session);

    const ended = await openSignedIn();
    await sandbox.database.pool.query("UPDATE wallet_sessions SET expires_at = clock_timestamp()");
    expect(errorOf(await expectNoWrites(sandbox, () => ended.page.act("pay")))).toEqual(ERRORS.notSignedIn);

    const left = await addShopper(sandbox, "sandbox", 100_000n);
    const deactivated = await openSignedIn({}, left);
    await sandbox.database.pool.query("UPDATE wallet_users SET active = false WHERE id = $1", [left.id]);
    expect(errorOf(await expectNoWrites(sandbox, () => deactivated.page.act("pay")))).toEqual(
      ERRORS.notSignedIn,
    );
  });

  it("rejects a balance one cent short, and accepts the exact amount", async () => {
    const poor = await addShopper(sandbox, "sandbox", 4149n);
    const { page } = await openSignedIn({ amount: 41.5 }, poor);
    expect((await page.view()).shopper?.wallet).toMatchObject({ balance: "41.49 EUR", sufficient: false });
    expect(errorOf(await expectNoWrites(sandbox, () => page.act("pay")))).toEqual(ERRORS.insufficient);
    const enough = await openSignedIn({ amount: 41.49 }, poor);
    expect((await enough.page.act("pay")).status).toBe(200);
    expect(await balanceOf(sandbox, poor.email)).toBe(0n);
  });

  it("rejects a shopper without an open wallet in the order's currency", async () => {
    const { page } = await openSignedIn({ amount: 1, currency: "USD" });
    expect((await page.view()).shopper?.wallet).toBeNull();
    expect(errorOf(await expectNoWrites(sandbox, () => page.act("pay")))).toEqual(ERRORS.noWallet);

    const leaver = await addShopper(sandbox, "sandbox", 0n);
    const closed = await openSignedIn({ amount: 1 }, leaver);
    await sandbox.database.pool.query("UPDATE accounts SET closed_at = now() WHERE wallet_user_id = $1", [
      leaver.id,
    ]);
    expect(errorOf(await expectNoWrites(sandbox, () => closed.page.act("pay")))).toEqual(ERRORS.walletClosed);
  });

  it("rejects a paid, cancelled or expired order, like the cancel, approve and decline routes", async () => {
    // Paid by another shopper.
    const { page: paid } = await openSignedIn();
    const elsewhere = openPage(server, paid.address.split("/").pop() ?? "");
    const other = await addShopper(sandbox, "sandbox", 100_000n);
    await elsewhere.signIn(other.email, other.pin);
    await elsewhere.act("pay");
    const { page: cancelled } = await openSignedIn();
    await cancelled.act("cancel");
    const { id, page: expired } = await openSignedIn();
    await makeOverdue(sandbox, id);
    await expired.view();
    const actions: Action[] = ["pay", "cancel", "sandbox-approve", "sandbox-decline"];
    for (const action of actions)
      for (const [page, expected] of [
        [paid, ERRORS.paid],
        [cancelled, ERRORS.cancelled],
        [expired, ERRORS.expired],
      ] as const) {
        const response = await expectNoWrites(sandbox, () => page.act(action));
        expect({ action, ...errorOf(response) }).toEqual({ action, ...expected });
      }
  });

  it("rejects an overdue order and expires it with one event even if its form was loaded in time, like the cancel and approve routes", async () => {
    for (const action of ["pay", "cancel", "sandbox-approve"] as const) {
      const { id, page } = await openSignedIn();
      const { form_token } = await page.view();
      await makeOverdue(sandbox, id);
      expect(errorOf(await page.act(action, form_token))).toEqual(ERRORS.expired);
      expect(await eventNamesOf(sandbox, id)).toEqual(["pos.order.expired"]);
    }
  });
});

describe("sandbox buttons", () => {
  it("approve an order without a sign-in, and leave the test shopper's balance unchanged", async () => {
    const order = await createOrder(api);
    const page = openPage(server, paymentTokenOf(order));
    expect((await page.act("sandbox-approve")).body).toMatchObject({ data: { status: "PAID" } });
    const { rows } = await sandbox.database.pool.query(
      "SELECT DISTINCT balance FROM accounts a JOIN wallet_users u ON u.id = a.wallet_user_id WHERE u.test_of_merchant_id IS NOT NULL",
    );
    expect(rows).toEqual([{ balance: 0n }]);
    expect(await eventNamesOf(sandbox, order.order_id)).toEqual(["pos.order.paid"]);
  });

  it("decline an order without writing anything, and the order stays payable", async () => {
    const order = await createOrder(api);
    const page = openPage(server, paymentTokenOf(order));
    const response = await expectNoWrites(sandbox, () => page.act("sandbox-decline"));
    expect(response.body).toMatchObject({ data: { status: "PENDING" } });
    expect((await page.act("sandbox-approve")).status).toBe(200);
  });

  it("do not approve an order if the merchant's wallet is closed", async () => {
    const merchant = payApi(server, sandbox.access.other_merchant);
    const order = await createOrder(merchant, { amount: 1, currency: "USD" });
    await sandbox.database.pool.query(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'USD', m.id, i.id, m.balance, 'closing it')
       FROM accounts m, accounts i WHERE m.currency = 'USD' AND m.kind = 'merchant' AND i.currency = 'USD' AND i.kind = 'issuing'
         AND m.merchant_id = (SELECT merchant_id FROM credentials WHERE client_id = $1)`,
      [sandbox.access.other_merchant.client_id],
    );
    await sandbox.database.pool.query(
      `UPDATE accounts SET closed_at = now() WHERE currency = 'USD' AND kind = 'merchant' AND balance = 0
         AND merchant_id = (SELECT merchant_id FROM credentials WHERE client_id = $1)`,
      [sandbox.access.other_merchant.client_id],
    );
    const page = openPage(server, paymentTokenOf(order));
    expect(errorOf(await expectNoWrites(sandbox, () => page.act("sandbox-approve")))).toEqual(
      ERRORS.walletClosed,
    );
  });

  it("are rejected for a live order", async () => {
    const page = openPage(server, paymentTokenOf(await createOrder(live)));
    for (const action of ["sandbox-approve", "sandbox-decline", "sandbox-sign-in"] as const)
      expect(errorOf(await expectNoWrites(sandbox, () => page.act(action)))).toEqual(ERRORS.sandboxOnly);
  });
});

describe("live and sandbox shoppers", () => {
  it("pay orders of their mode, such as a live order from a live wallet", async () => {
    const customer = await addShopper(sandbox, "live", 5000n);
    const order = await createOrder(live);
    const page = openPage(server, paymentTokenOf(order));
    await page.signIn(customer.email, customer.pin);
    expect((await page.act("pay")).status).toBe(200);
    expect((await getOrder(live, order.order_id)).status).toBe("PAID");
    expect(await balanceOf(sandbox, customer.email)).toBe(850n);
  });

  it("cannot use a session or PIN for an order of the other mode", async () => {
    const customer = await addShopper(sandbox, "live", 5000n);
    const liveOrder = paymentTokenOf(await createOrder(live));
    const livePage = openPage(server, liveOrder);
    await livePage.signIn(customer.email, customer.pin);
    const { page } = await openSignedIn();

    const crossed = openPage(server, liveOrder, page.session ? { session: page.session } : {});
    expect((await crossed.view()).shopper).toBeNull();
    expect(errorOf(await expectNoWrites(sandbox, () => crossed.act("pay")))).toEqual(ERRORS.notSignedIn);

    const back = openPage(
      server,
      paymentTokenOf(await createOrder(api)),
      livePage.session ? { session: livePage.session } : {},
    );
    expect((await back.view()).shopper).toBeNull();
    expect(errorOf(await expectNoWrites(sandbox, () => back.act("pay")))).toEqual(ERRORS.notSignedIn);
    expect(errorOf(await back.signInResponse(customer.email, customer.pin)).reason).toBe("wrong_sign_in");
    expect(errorOf(await livePage.signInResponse(shopper.email, shopper.pin)).reason).toBe("wrong_sign_in");
  });
});

describe("form token", () => {
  const actions: Action[] = [
    "pay",
    "cancel",
    "sign-out",
    "sandbox-approve",
    "sandbox-decline",
    "sandbox-sign-in",
  ];

  it("is required and limited in length", async () => {
    const { page } = await openSignedIn();
    for (const action of actions)
      for (const formToken of ["", "x".repeat(2049)]) {
        const response = await expectNoWrites(sandbox, () => page.act(action, formToken));
        expect(errorOf(response)).toMatchObject({ status: 400, reason: "invalid_field" });
        expect(Object.keys(errorOf(response).fields ?? {})).toEqual(["form_token"]);
      }
  });

  it("is rejected if it belongs to another order or visitor, was issued without the session, or was altered or forged", async () => {
    const { id, page } = await openSignedIn();
    const own = (await page.view()).form_token;
    const [head = "", payload = "", signature = ""] = own.split(".");
    const claims = JSON.stringify({ own: "x", sub: id, iat: 1, exp: 9_999_999_999 });
    const forged = Buffer.from(claims).toString("base64url");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const unknownKey = Buffer.from('{"alg":"HS256","kid":"other"}').toString("base64url");
    const otherOrder = (
      await openPage(server, paymentTokenOf(await createOrder(api)), {
        visitor: page.visitor,
        session: page.session ?? "",
      }).view()
    ).form_token;
    const otherVisitor = (
      await openPage(server, page.address.split("/").pop() ?? "", { session: page.session ?? "" }).view()
    ).form_token;
    const signedOut = (
      await openPage(server, page.address.split("/").pop() ?? "", { visitor: page.visitor }).view()
    ).form_token;
    const foreign = {
      otherOrder,
      otherVisitor,
      signedOut,
      // Not the last character, some of whose bits are padding.
      changed: `${own.slice(0, -9)}${own.at(-9) === "A" ? "B" : "A"}${own.slice(-8)}`,
      forged: `${head}.${forged}.${signature}`,
      unsigned: `${none}.${payload}.`,
      unknownKey: `${unknownKey}.${payload}.${signature}`,
      invented: "not-a-token",
    };
    for (const [name, formToken] of Object.entries(foreign))
      for (const action of actions) {
        const response = await expectNoWrites(sandbox, () => page.act(action, formToken));
        expect({ name, action, ...errorOf(response) }).toEqual({ name, action, ...ERRORS.form });
      }
    expect((await page.view()).shopper).not.toBeNull();
    expect((await page.act("pay", own)).status).toBe(200);
  });

  it("can be reused on its page: the second click returns PAID and moves no money", async () => {
    const { page } = await openSignedIn();
    const { form_token } = await page.view();
    expect((await page.act("pay", form_token)).status).toBe(200);
    const again = await expectNoWrites(sandbox, () => page.act("pay", form_token));
    expect(again.body).toMatchObject({ data: { status: "PAID", repeated: true } });
  });
});
