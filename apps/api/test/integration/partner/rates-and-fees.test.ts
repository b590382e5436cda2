import { beforeAll, describe, expect, it } from "vitest";
import {
  addApiToken,
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  openWallet,
  type Partner,
  type PartnerApi,
  partnerApi,
  partnerError,
  readPayout,
  readQuote,
  setRates,
} from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

const CURRENCIES = { EUR: 0n, USD: 0n, XAF: 0n, JPY: 0n, KWD: 0n };

let partner: Partner;
let api: PartnerApi;
let lookup_token: string;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  partner = await addPartner(sandbox, {
    wallets: { EUR: 10_000_000n, USD: 10_000_000n, XAF: 1_000_000_000n, KWD: 10_000_000n },
  });
  api = partnerApi(server, partner.token);
  lookup_token = await lookUpRecipient(api, await addRecipient(sandbox, CURRENCIES));
});

const requestQuote = (
  sender_currency: string,
  receiver_currency: string,
  amount: unknown,
  by = api,
  token = lookup_token,
) => by.post("/quote", { lookup_token: token, amount, sender_currency, receiver_currency });
const quote = async (...terms: Parameters<typeof requestQuote>) => readQuote(await requestQuote(...terms));

let references = 0;
async function payOut(sender_currency: string, receiver_currency: string, amount: unknown) {
  references += 1;
  const response = await api.post("/payout", {
    lookup_token,
    amount,
    sender_currency,
    receiver_currency,
    reference: `r${references}`,
    idempotency_key: `k${references}`,
  });
  return readPayout(response, COMPLETED);
}

describe("conversion", () => {
  it.each([
    ["EUR", "XAF", 10, 649.39743, 6_493],
    ["XAF", "EUR", 1_000, 0.0015092451, 1.5],
    ["EUR", "USD", 10, 1.073358, 10.73],
    ["USD", "EUR", 10, 0.9131166, 9.13],
    ["USD", "XAF", 10, 598.96485, 5_989],
    ["XAF", "USD", 1_000, 0.0016363215, 1.63],
    ["EUR", "XAF", 0.01, 649.39743, 6],
    ["XAF", "EUR", 7, 0.0015092451, 0.01],
  ])(
    "converts %s to %s: %d at the rate %d net of the spread, rounded down to %d, in quote and payout",
    async (from, to, amount, rate, received) => {
      const terms = { amount, exchange_rate: rate, receiver_amount: received, receiver_currency: to };
      expect(await quote(from, to, amount)).toMatchObject(terms);
      expect(await payOut(from, to, amount)).toMatchObject(terms);
    },
  );

  it("does not gain value in a round trip", async () => {
    for (const start of [0.07, 1, 9.99, 123.45]) {
      const there = (await quote("EUR", "XAF", start)).receiver_amount;
      const back = (await quote("XAF", "EUR", there)).receiver_amount;
      expect(back).toBeLessThan(start);
    }
  });
});

describe("exchange rate", () => {
  const addRate = (base: string, to: string, rate: string, offset: string, spread = "0", mode = "sandbox") =>
    sandbox.database.pool.query(
      setRates(
        "SELECT $1::mode, $2::text, $3::text, $4::numeric, $5::numeric, clock_timestamp() + $6::interval",
      ),
      [mode, base, to, rate, spread, offset],
    );
  const rateOf = async (from: string, to: string, amount: unknown) =>
    (await quote(from, to, amount)).exchange_rate;

  it("is the newest rate in effect by database time, ignoring future rates and rates of the other mode", async () => {
    const none = partnerError("Invalid receiver currency.");
    expect(errorOf(await requestQuote("EUR", "JPY", 10))).toEqual(none);
    await addRate("EUR", "JPY", "150", "1 hour");
    await addRate("EUR", "JPY", "151", "-1 hour", "0", "live");
    await addRate("JPY", "EUR", "0.006", "-1 hour");
    expect(errorOf(await requestQuote("EUR", "JPY", 10))).toEqual(none);
    await addRate("EUR", "JPY", "160", "-1 hour");
    expect(await rateOf("EUR", "JPY", 10)).toBe(160);
    await addRate("EUR", "JPY", "140", "-2 hours");
    expect(await rateOf("EUR", "JPY", 10)).toBe(160);
    await addRate("EUR", "JPY", "161.5", "-1 minute");
    expect(await rateOf("EUR", "JPY", 10)).toBe(161.5);
    await addRate("EUR", "JPY", "162", "0 seconds", "2.5");
    expect(await rateOf("EUR", "JPY", 10)).toBe(157.95);
  });

  it.each([
    ["1.23456789012", "0", 1.23456789],
    ["1.23456789049", "0", 1.23456789],
    ["1.2345678905", "0", 1.234567891],
    ["99999.999995", "0", 100_000],
    ["3", "33.3333", 2.000001],
    ["0.33", "0.000001", 0.3299999967],
    ["2.5", "99.999999", 0.000000025],
  ])("is %s less %s percent, rounded half up to ten significant digits: %d", async (rate, spread, shown) => {
    await addRate("EUR", "KWD", rate, "0 seconds", spread);
    const quoted = await quote("EUR", "KWD", 1_000_00);
    expect(quoted.exchange_rate).toBe(shown);
    expect(quoted.receiver_amount).toBe(Math.floor(1_000_00 * shown * 1_000 + 1e-6) / 1_000);
  });

  it("keeps ten significant digits even far below one, where they affect the amount", async () => {
    await addRate("XAF", "KWD", "0.00051234567891234", "0 seconds");
    const quoted = await quote("XAF", "KWD", 900_000_000);
    expect(quoted.exchange_rate).toBe(0.0005123456789);
    expect(quoted.receiver_amount).toBe(461_111.111);
    const payout = await payOut("XAF", "KWD", 900_000_000);
    expect(payout).toMatchObject({ exchange_rate: 0.0005123456789, receiver_amount: 461_111.111 });
    const { rows } = await sandbox.database.pool.query(
      "SELECT trim_scale(rate)::text AS rate FROM payouts WHERE id = $1",
      [payout.payout_id],
    );
    expect(rows).toEqual([{ rate: "0.0005123456789" }]);
  });

  it("stays the same in a quote, as does the fee, when a new rate and fee are set", async () => {
    const quoted = await quote("USD", "EUR", 100);
    await addRate("USD", "EUR", "0.5", "0 seconds");
    const { id } = await sandbox.database.prisma.feeSchedule.create({
      data: { merchantId: partner.merchantId, mode: "sandbox", currency: "USD", fixed: 5_000n, percent: "0" },
    });
    const response = await api.post("/payout", {
      quote_id: quoted.quote_id,
      reference: "kept",
      idempotency_key: "kept",
    });
    expect(readPayout(response, COMPLETED)).toMatchObject({
      exchange_rate: quoted.exchange_rate,
      fee: quoted.fee,
      total_deducted: quoted.total_deducted,
      receiver_amount: quoted.receiver_amount,
    });
    expect(await quote("USD", "EUR", 100)).toMatchObject({ exchange_rate: 0.5, fee: 50 });
    await sandbox.database.prisma.feeSchedule.delete({ where: { id } });
  });
});

describe("payout fee", () => {
  it.each([
    ["EUR", 0.99, 0.25],
    ["EUR", 1, 0.26],
    ["EUR", 2.99, 0.26],
    ["EUR", 3, 0.27],
    ["XAF", 99, 150],
    ["XAF", 100, 151],
  ])("is a fixed amount plus 0.5 percent of %s %d, rounded half up: %d", async (currency, amount, fee) => {
    expect((await quote(currency, currency, amount)).fee).toBe(fee);
  });

  it("is the merchant's custom fee, if one is set, in its currency and mode only", async () => {
    const other = await addPartner(sandbox, { wallets: { EUR: 1_000n, XAF: 1_000n } });
    const otherApi = partnerApi(server, other.token);
    const token = await lookUpRecipient(otherApi, await addRecipient(sandbox, { EUR: 0n, XAF: 0n }));
    const feeOf = async (currency: string) => (await quote(currency, currency, 200, otherApi, token)).fee;
    const own = (mode: "sandbox" | "live", fixed: bigint, percent: string) =>
      sandbox.database.prisma.feeSchedule.create({
        data: { merchantId: other.merchantId, mode, currency: "EUR", fixed, percent },
      });
    await own("live", 9_999n, "9");
    expect(await feeOf("EUR")).toBe(1.25);
    await own("sandbox", 0n, "1.255");
    expect(await feeOf("EUR")).toBe(2.51);
    expect(await feeOf("XAF")).toBe(151);
    expect((await quote("EUR", "EUR", 200)).fee).toBe(1.25);
  });

  it("is zero and creates no fee entry without a fee schedule, such as in a newly enabled live mode", async () => {
    const live = partnerApi(server, await addApiToken(sandbox, partner.merchantId, "live"));
    await openWallet(sandbox, { merchantId: partner.merchantId, kind: "merchant" }, "live", "EUR", 1_000n);
    await sandbox.database.prisma.payoutTerms.create({
      data: { merchantId: partner.merchantId, mode: "live", currency: "EUR", authorized: true },
    });
    const token = await lookUpRecipient(live, await addRecipient(sandbox, { EUR: 0n }, "live"));
    const direct = { lookup_token: token, amount: 10, sender_currency: "EUR", receiver_currency: "EUR" };
    const response = await live.post("/payout", { ...direct, reference: "free", idempotency_key: "free" });
    const payout = readPayout(response, COMPLETED);
    expect(payout).toMatchObject({ fee: 0, total_deducted: 10 });
    const { rows } = await sandbox.database.pool.query(
      "SELECT a.kind, e.amount FROM entries e JOIN accounts a ON a.id = e.account_id JOIN payouts p ON p.transfer_id = e.transfer_id WHERE p.id = $1 ORDER BY e.amount",
      [payout.payout_id],
    );
    expect(rows).toEqual([
      { kind: "merchant", amount: -1_000n },
      { kind: "shopper", amount: 1_000n },
    ]);
  });

  it("is booked in the sender's currency for a converted payout, whose amount is booked through the conversion position", async () => {
    const payout = await payOut("EUR", "XAF", 10);
    const { rows } = await sandbox.database.pool.query(
      "SELECT a.kind, e.currency, e.amount FROM entries e JOIN accounts a ON a.id = e.account_id JOIN payouts p ON p.transfer_id = e.transfer_id WHERE p.id = $1 ORDER BY e.currency, e.amount",
      [payout.payout_id],
    );
    expect(rows).toEqual([
      { kind: "merchant", currency: "EUR", amount: -1_030n },
      { kind: "fees", currency: "EUR", amount: 30n },
      { kind: "fx", currency: "EUR", amount: 1_000n },
      { kind: "fx", currency: "XAF", amount: -6_493n },
      { kind: "shopper", currency: "XAF", amount: 6_493n },
    ]);
  });
});
