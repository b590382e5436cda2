import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { createPaidOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { addPartner, type PartnerApi, partnerApi } from "../../support/partner.js";
import { PAYMENT_FIELDS, paymentApi } from "../../support/payments.js";
import { type ApiResponse, errorCodeOf, errorOf, type PayApi, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

let live: PayApi;
let partner: PartnerApi;

const { sandbox, server, api } = await createTestApi();
beforeAll(async () => {
  live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
  partner = partnerApi(server, (await addPartner(sandbox, { wallets: { EUR: 1_000_000n } })).token);
});

/**
 * Returns the errors of a rejected request by field. Expects several, because `param` is set only for a
 * single invalid field.
 */
async function namedFields(work: () => Promise<ApiResponse>): Promise<Record<string, string>> {
  const response = await expectNoWrites(sandbox, work);
  const { fields = {} } = errorOf(response);
  expect(errorCodeOf(response)).toEqual({ code: "invalid_fields", param: undefined });
  return Object.fromEntries(
    Object.entries(fields).map(([name, texts]) => [name, texts.join(" ").replace(`The ${name} field `, "")]),
  );
}

describe("validation", () => {
  it("reports all invalid and missing fields of an order, including those that depend on the merchant's wallets or the currency's decimal places", async () => {
    expect(await namedFields(() => api.post("/orders", {}))).toEqual({
      amount: "is required",
      currency: "is required",
    });
    expect(
      await namedFields(() =>
        api.post("/orders", {
          amount: 1.234,
          currency: "EUR",
          payment_method: "cash",
          callback_url: "shop",
          expires_in: 5,
          idempotency_key: "",
        }),
      ),
    ).toEqual({
      amount: "must have at most 2 decimals",
      payment_method: "must be one of qr_only, payment_page, both",
      callback_url: "must be an absolute http or https URL without credentials",
      expires_in: "must be at least 60",
      idempotency_key: "must not be blank",
    });
    expect(await namedFields(() => api.post("/orders", { amount: 0, currency: "JPY" }))).toEqual({
      amount: "must be greater than zero",
      currency: "must be a currency of one of your wallets",
    });
    expect(await namedFields(() => api.post("/orders", { amount: "x", currency: "eur" }))).toEqual({
      amount: "must be a number",
      currency: "must be an uppercase ISO 4217 code",
    });
  });

  it("reports all invalid fields of a live order, including its URLs and its amount", async () => {
    expect(
      await namedFields(() =>
        live.post("/orders", {
          amount: -1,
          currency: "EUR",
          callback_url: "http://shop.example/hook",
          return_url: "http://shop.example",
          cancel_url: "http://shop.example",
        }),
      ),
    ).toEqual({
      amount: "must be greater than zero",
      callback_url: "must be an https URL in live mode",
      return_url: "must be an https URL in live mode",
      cancel_url: "must be an https URL in live mode",
    });
  });

  it("reports all invalid and missing fields of a payment", async () => {
    const payments = await paymentApi(server, sandbox.access.merchant);
    expect(await namedFields(() => payments.create({}))).toEqual({
      amount: "is required",
      currency: "is required",
      return_url: "is required",
      product_name: "is required",
      order_number: "is required",
    });
    expect(
      await namedFields(() => payments.create({ ...PAYMENT_FIELDS, amount: 0.004, order_number: "" })),
    ).toEqual({
      amount: "must be greater than zero",
      order_number: "is required",
    });
  });

  it("reports all invalid and missing fields of a refund, checking the amount in the payment's currency", async () => {
    const { trxId } = await createPaidOrder(server, api);
    expect(
      await namedFields(() =>
        api.post("/refunds", { transaction_id: trxId, amount: 1.234, reason: "r".repeat(501) }),
      ),
    ).toEqual({
      amount: "must have at most 2 decimals",
      reason: "must not be longer than 500 characters",
    });
    expect(await namedFields(() => api.post("/refunds", { amount: "1e2" }))).toEqual({
      transaction_id: "is required",
      amount: "must be a plain decimal number without an exponent",
    });
  });

  it("reports all invalid and missing fields of lookup, quote and payout", async () => {
    expect(await namedFields(() => partner.post("/quote", { amount: 0 }))).toEqual({
      lookup_token: "is required",
      amount: "must be greater than zero",
      sender_currency: "is required",
      receiver_currency: "is required",
    });
    expect(
      await namedFields(() => partner.post("/payout", { amount: 1.234, sender_currency: "EUR" })),
    ).toEqual({
      idempotency_key: "is required",
      reference: "is required",
      amount: "must have at most 2 decimals",
      lookup_token: "is required when quote_id is absent",
      receiver_currency: "is required when quote_id is absent",
    });
    expect(
      await namedFields(() =>
        partner.post("/payout", { quote_id: 5, reference: "", idempotency_key: randomUUID() }),
      ),
    ).toMatchObject({ quote_id: "must be text", reference: "is required" });
    expect(await namedFields(() => partner.post("/lookup", { phone: 5, email: 6 }))).toEqual({
      phone: "must be text",
      email: expect.stringContaining("must be text"),
    });
  });

  it("reports all invalid filters of GET /orders", async () => {
    expect(
      await namedFields(() => api.get("/orders", "status=x&from_date=x&page=0&per_page=101&reference=")),
    ).toEqual({
      status: "must be one of PENDING, PAID, EXPIRED, CANCELLED, REFUND_PENDING, REFUNDED",
      from_date: "must be a date (YYYY-MM-DD)",
      page: "must be a whole number from 1 to 1000000",
      per_page: "must be a whole number from 1 to 100",
      reference: "must not be blank",
    });
  });
});
