import { payoutSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import {
  accountBalance,
  addApiToken,
  addPartner,
  addRecipient,
  lookUpRecipient,
  type PartnerApi,
  partnerApi,
  partnerError,
  partnerFieldError,
  REPEATED,
  readPayout,
} from "../../support/partner.js";
import { setUpPayouts } from "../../support/payout-fixture.js";
import { expectNoWrites } from "../../support/rows.js";

const {
  direct,
  paid: pay,
  expectRejectedPayout,
  run,
  scene,
} = setUpPayouts({ wallets: { EUR: 100_000n, XAF: 1_000_000n, USD: 0n } });

const expectRejected = (changed: Record<string, unknown>, by?: PartnerApi) =>
  expectRejectedPayout(direct(changed), by);
const paid = (changed: Record<string, unknown> = {}, by?: PartnerApi) => pay(direct(changed), by);

describe("POST /payout without a quote", () => {
  it("returns the fourteen keys of the wire format and metadata, moves the money and creates one event", async () => {
    const payout = await paid({ description: "Octobre, merci é𝕏" });
    expect(Object.keys(payout)).toEqual(Object.keys(payoutSchema.shape));
    expect(Object.keys(payout)).toHaveLength(15);
    expect(payout).toEqual({
      payout_id: expect.stringMatching(/^PO[A-Z0-9]{8}$/),
      reference: "salary 7",
      amount: 10,
      currency: "EUR",
      fee: 0.3,
      total_deducted: 10.3,
      exchange_rate: 1,
      receiver_amount: 10,
      receiver_currency: "EUR",
      status: "completed",
      description: "Octobre, merci é𝕏",
      metadata: null,
      trx_id: expect.stringMatching(/^PP\d{10}$/),
      created_at: expect.any(String),
      processed_at: payout.created_at,
    });
    expect(await accountBalance(scene().sandbox, scene().partner.wallets.EUR)).toBe(98_970n);
    expect(await accountBalance(scene().sandbox, scene().recipient.wallets.EUR)).toBe(1_000n);
    const { rows } = await run(
      "SELECT name, order_id, body::json AS body FROM events WHERE merchant_id = $1",
      scene().partner.merchantId,
    );
    const { created_at: _created, description: _description, trx_id: _number, ...eventFields } = payout;
    expect(rows).toEqual([
      {
        name: "payout.completed",
        order_id: null,
        body: {
          ...eventFields,
          id: expect.stringMatching(/^evt_/),
          event: "payout.completed",
          timestamp: expect.any(String),
        },
      },
    ]);
    expect(Object.keys(rows[0].body)).toEqual([
      "id",
      "event",
      "payout_id",
      "reference",
      "amount",
      "currency",
      "fee",
      "total_deducted",
      "exchange_rate",
      "receiver_amount",
      "receiver_currency",
      "status",
      "processed_at",
      "metadata",
      "timestamp",
    ]);
  });

  it("accepts a lookup token repeatedly, a decimal string as amount, and extra fields", async () => {
    for (const [i, amount] of [1, "1.00", "1"].entries())
      expect(
        await paid({
          amount,
          reference: `r${i}`,
          idempotency_key: `k${i}`,
          fee: 0,
          status: "failed",
          quote_id: "",
        }),
      ).toMatchObject({ amount: 1, fee: 0.26, description: null });
  });

  it("converts into a receiver currency other than the sender currency", async () => {
    expect(await paid({ receiver_currency: "XAF" })).toMatchObject({
      exchange_rate: 649.39743,
      receiver_amount: 6_493,
      receiver_currency: "XAF",
    });
    expect(await accountBalance(scene().sandbox, scene().recipient.wallets.XAF)).toBe(6_493n);
  });
});

describe("a retry of POST /payout", () => {
  it("returns the original payout even if other fields differ, and moves no money", async () => {
    const first = await paid();
    for (const changed of [
      {},
      { amount: 11 },
      { amount: -1, reference: 7, description: [] },
      { lookup_token: "x" },
      { reference: "other" },
      { quote_id: "00000000-0000-4000-8000-000000000000" },
    ])
      expect(
        readPayout(
          await expectNoWrites(scene().sandbox, () => scene().api.post("/payout", direct(changed))),
          REPEATED,
        ),
      ).toEqual(first);
    const bare = await scene().api.post("/payout", { idempotency_key: "key 7" });
    expect(readPayout(bare, REPEATED)).toEqual(first);
  });

  it("returns the payout even if recipient, token, currency or balance no longer allow it", async () => {
    const first = await paid({ amount: 994, idempotency_key: "all", reference: "all" });
    await run("UPDATE wallet_users SET active = false WHERE id = $1", scene().recipient.id);
    await run("UPDATE lookup_tokens SET expires_at = clock_timestamp() WHERE id = $1", scene().lookup_token);
    await run("DELETE FROM payout_terms WHERE merchant_id = $1", scene().partner.merchantId);
    expect(
      readPayout(
        await scene().api.post("/payout", direct({ amount: 994, idempotency_key: "all", reference: "all" })),
        REPEATED,
      ),
    ).toEqual(first);
  });

  it("is recognized by its idempotency key, which is compared exactly and is separate for each merchant", async () => {
    const first = await paid();
    const other = await addPartner(scene().sandbox);
    const otherApi = partnerApi(scene().server, other.token);
    const token = await lookUpRecipient(otherApi, scene().recipient);
    const ids = [first.payout_id, (await paid({ lookup_token: token }, otherApi)).payout_id];
    for (const idempotency_key of ["KEY 7", " key 7", "key 7 "])
      ids.push((await paid({ idempotency_key, reference: `r${idempotency_key}` })).payout_id);
    expect(new Set(ids).size).toBe(5);
  });

  it("can reuse the key and reference of a rejected request", async () => {
    await expectRejected({ amount: 100_000 });
    await expectRejected({ amount: 0 });
    await expectRejected({ lookup_token: "x" });
    await expectRejected({ reference: null });
    await paid();
  });
});

describe("POST /payout", () => {
  const expiredToken = partnerError("Invalid or expired lookup token.");

  it("rejects an expired or unknown lookup token, and a lookup token of another merchant or mode", async () => {
    const other = partnerApi(scene().server, (await addPartner(scene().sandbox)).token);
    const live = partnerApi(
      scene().server,
      await addApiToken(scene().sandbox, scene().partner.merchantId, "live"),
    );
    const liveRecipient = await addRecipient(scene().sandbox, { EUR: 0n }, "live");
    for (const token of [
      "x",
      "é𝕏",
      scene().recipient.id,
      await lookUpRecipient(other, scene().recipient),
      await lookUpRecipient(live, liveRecipient),
    ])
      expect(await expectRejected({ lookup_token: token })).toEqual(expiredToken);
    expect(await expectRejected({}, other)).toEqual(expiredToken);
    expect(await expectRejected({}, live)).toEqual(expiredToken);
    await run("UPDATE lookup_tokens SET expires_at = clock_timestamp() WHERE id = $1", scene().lookup_token);
    expect(await expectRejected({})).toEqual(expiredToken);
  });

  it("rejects a balance one cent below amount plus fee", async () => {
    const poor = await addPartner(scene().sandbox, { wallets: { EUR: 1_030n } });
    const poorApi = partnerApi(scene().server, poor.token);
    const token = await lookUpRecipient(poorApi, scene().recipient);
    expect(await expectRejected({ lookup_token: token, amount: 10.01 }, poorApi)).toEqual(
      partnerError("Insufficient balance."),
    );
    await paid({ lookup_token: token }, poorApi);
    expect(await accountBalance(scene().sandbox, poor.wallets.EUR)).toBe(0n);
    expect(
      await expectRejected(
        { lookup_token: token, amount: 0.01, reference: "r", idempotency_key: "k" },
        poorApi,
      ),
    ).toEqual(partnerError("Insufficient balance."));
    expect(await expectRejected({ sender_currency: "USD", receiver_currency: "EUR" })).toEqual(
      partnerError("Insufficient balance."),
    );
  });

  it("rejects a sender currency that is not authorized for payouts, and reports its code", async () => {
    await run(
      "UPDATE payout_terms SET authorized = false WHERE merchant_id = $1 AND currency = 'EUR'",
      scene().partner.merchantId,
    );
    for (const receiver_currency of ["EUR", "XAF"])
      expect(await expectRejected({ receiver_currency })).toEqual(
        partnerError("Currency EUR is not authorized for payouts."),
      );
    await paid({ sender_currency: "XAF", amount: 1_000 });
  });

  it("rejects a duplicate reference with another key, even with other terms, but not for another merchant", async () => {
    await paid();
    for (const changed of [{}, { amount: 11 }, { lookup_token: "x" }, { receiver_currency: "ZZZ" }])
      expect(await expectRejected({ idempotency_key: "new", ...changed })).toEqual(
        partnerError("Duplicate reference."),
      );
    const other = await addPartner(scene().sandbox);
    const otherApi = partnerApi(scene().server, other.token);
    await paid({ lookup_token: await lookUpRecipient(otherApi, scene().recipient) }, otherApi);
    for (const [i, reference] of ["Salary 7", " salary 7", "salary 7 "].entries())
      await paid({ reference, idempotency_key: `similar ${i}` });
  });

  it("rejects a recipient who was deactivated after the lookup", async () => {
    await run("UPDATE wallet_users SET active = false WHERE id = $1", scene().recipient.id);
    expect(await expectRejected({})).toEqual(partnerError("Recipient not found or inactive."));
  });

  it("rejects a receiver currency without an open recipient wallet, and reports its code", async () => {
    expect(await expectRejected({ receiver_currency: "USD" })).toEqual(
      partnerError("Recipient wallet not found for currency: USD"),
    );
    await run(
      "UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1",
      scene().recipient.wallets.EUR,
    );
    expect(await expectRejected({})).toEqual(partnerError("Recipient wallet not found for currency: EUR"));
  });

  it("rejects a sender currency without a wallet, a receiver currency without a rate, and an amount that would credit nothing", async () => {
    expect(await expectRejected({ sender_currency: "KWD" })).toEqual(
      partnerError("Merchant wallet not found for currency: KWD"),
    );
    expect(await expectRejected({ receiver_currency: "ZZZ" })).toEqual(
      partnerError("Invalid receiver currency."),
    );
    expect(await expectRejected({ receiver_currency: "KWD" })).toEqual(
      partnerError("Invalid receiver currency."),
    );
    expect(await expectRejected({ amount: 6, sender_currency: "XAF" })).toEqual(
      partnerFieldError(
        "amount",
        "must credit at least one unit and at most 10^13 units of the receiver currency",
      ),
    );
  });

  it("returns only the first error in the contract's order", async () => {
    await paid({ reference: "taken", idempotency_key: "taken" });
    await run(
      "UPDATE payout_terms SET authorized = false, per_transaction = 5000, daily = 4000, monthly = 3000 WHERE merchant_id = $1",
      scene().partner.merchantId,
    );
    await run("UPDATE wallet_users SET active = false WHERE id = $1", scene().recipient.id);
    const text = async (changed: Record<string, unknown>) =>
      (await expectRejected({ idempotency_key: "new", ...changed })).texts[0];
    const wrong: Record<string, unknown> = {
      lookup_token: "x",
      amount: 0,
      sender_currency: "KWD",
      receiver_currency: "ZZZ",
      reference: "taken",
    };
    const keyless = await expectRejected({ ...wrong, idempotency_key: undefined });
    // Without a valid key no replay is possible, so other errors are reported too.
    expect(Object.keys(keyless.fields ?? {}).sort()).toEqual(["amount", "idempotency_key"]);
    const steps: [Record<string, unknown>, string, string?][] = [
      [{}, "Validation error"],
      [{ amount: 5_000 }, "Duplicate reference."],
      [{ reference: "new" }, "Invalid or expired lookup token."],
      [
        { lookup_token: scene().lookup_token },
        "Recipient not found or inactive.",
        "UPDATE wallet_users SET active = true",
      ],
      [{}, "Merchant wallet not found for currency: KWD"],
      [{ sender_currency: "XAF", amount: 2_000_000 }, "Invalid receiver currency."],
      [{ receiver_currency: "USD" }, "Recipient wallet not found for currency: USD"],
      [
        { receiver_currency: "EUR" },
        "Currency XAF is not authorized for payouts.",
        "UPDATE payout_terms SET authorized = true",
      ],
      [{}, "Amount exceeds per-transaction limit", "UPDATE payout_terms SET per_transaction = NULL"],
      [{}, "Daily payout limit exceeded", "UPDATE payout_terms SET daily = NULL"],
      [{}, "Monthly payout limit exceeded", "UPDATE payout_terms SET monthly = NULL"],
      [{}, "Insufficient balance."],
    ];
    for (const [changed, expected, then] of steps) {
      Object.assign(wrong, changed);
      expect(await text(wrong)).toBe(expected);
      if (then) await run(then);
    }
  });
});
