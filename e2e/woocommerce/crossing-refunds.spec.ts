import { expect, test } from "./fixtures.js";
import type { ShopRest } from "./shop.js";

/** Number of pairs of concurrent refunds. Default: 20, with full counts 1,000. */
const PAIRS = Number(
  process.env.WOO_CROSSING_PAIRS ?? (process.env.TILLGATE_TEST_COUNTS === "full" ? 1_000 : 20),
);
const PAIRS_PER_ORDER = 10;
const PIECES = 10;
/** Maximum head start of one refund of a pair. It is random, so that the refunds of each pair interleave differently. */
const MAX_HEAD_START_MS = 800;
/** Time limit for equal sums: Tillgate resends webhooks that the shop rejected because the order was locked. */
const SETTLE_MS = 180_000;
const PAIR_MS = 15_000;

const minorOf = (amount: string | number): number => Math.round(Number(amount) * 100);
const amountOf = (minor: number): string => (minor / 100).toFixed(2);
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const sumOf = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Kinds of pairs: shop and Tillgate, or twice in the shop; equal or different amounts. */
const kinds = [
  { name: "another amount at Tillgate", second: "tillgate", isEqual: false },
  { name: "the same amount at Tillgate", second: "tillgate", isEqual: true },
  { name: "another amount in the shop", second: "shop", isEqual: false },
  { name: "the same amount in the shop", second: "shop", isEqual: true },
] as const;

test("concurrent refunds move money once each, and leave equal sums in the shop and at Tillgate", async ({
  gate,
  owner: _owner,
  rest,
  shopper,
  productId,
  pay,
  tillgate,
}) => {
  test.setTimeout(120_000 + SETTLE_MS + PAIRS * PAIR_MS);
  gate.open();
  for (let started = 0; started < PAIRS; started += PAIRS_PER_ORDER) {
    const { order, payAddress } = await rest.createOrder(productId, PIECES);
    await shopper.payByLink(payAddress);
    const { paymentUrl } = await shopper.waitForQrCode();
    await shopper.closePage();
    await pay(paymentUrl);
    const { transaction_id } = await rest.waitForStatus(order.id, "processing");

    const refund = {
      /** Refunds in the shop. @returns the shop's error text; undefined if the shop reports success */
      shop: async (minor: number): Promise<string | undefined> => {
        const { status, text } = await rest.refund(order.id, amountOf(minor));
        return status === 201 ? undefined : text;
      },
      tillgate: async (minor: number): Promise<string | undefined> => {
        await tillgate.refunds.create({ transaction_id, amount: amountOf(minor) });
        return undefined;
      },
    };
    const moved = async () => {
      const amounts: { id: string; minor: number }[] = [];
      for (let page = 1; ; page += 1) {
        const { refunds } = await tillgate.refunds.list({ transaction_id, per_page: 100, page });
        for (const { refund_id, raw_amount, status } of refunds)
          if (status === "completed") amounts.push({ id: refund_id, minor: minorOf(raw_amount) });
        if (refunds.length < 100) return amounts;
      }
    };

    let answered = 0;
    const pairs = Math.min(PAIRS_PER_ORDER, PAIRS - started);
    for (let pair = 0; pair < pairs; pair += 1) {
      const kind = kinds[pair % kinds.length] ?? kinds[0];
      const first = 101 + pair;
      const second = kind.isEqual ? first : first + 50;
      await test.step(`${first} in the shop, ${kind.name}`, async () => {
        const headStartMs = (Math.random() * 2 - 1) * MAX_HEAD_START_MS;
        const refusals = await Promise.all([
          after(Math.max(0, -headStartMs)).then(() => refund.shop(first)),
          after(Math.max(0, headStartMs)).then(() => refund[kind.second](second)),
        ]);
        for (const refusal of refusals) {
          if (refusal === undefined) answered += 1;
          // An explained rejection is fine; a crash is not.
          else expect(refusal).toContain("Tillgate");
        }
      });
    }

    const theSumsAreEqual = () =>
      test.step("the sums of the refunds in the shop and at Tillgate are equal", async () => {
        await expect
          .poll(() => difference(rest, order.id, moved), { timeout: SETTLE_MS, intervals: [1_000] })
          .toEqual([]);
      });
    await theSumsAreEqual();
    // Each refund that the shop reported as successful moved money. After an unknown outcome, the money may have moved.
    expect((await moved()).length).toBeGreaterThanOrEqual(answered);

    await test.step("concurrent refunds of the remainder on both sides set the order to Refunded", async () => {
      const left = async () => minorOf(order.total) - sumOf((await moved()).map(({ minor }) => minor));
      const all = await left();
      const half = Math.trunc(all / 2);
      await Promise.all([refund.shop(half), refund.tillgate(all - half)]);
      await theSumsAreEqual();
      const rejected = await left();
      if (rejected > 0) expect(await refund.shop(rejected)).toBeUndefined();
      expect(await left()).toBe(0);
      await rest.waitForStatus(order.id, "refunded");
    });
  }
});

/** Describes the differences between the shop's records and Tillgate's refunds; empty if there are none. */
async function difference(
  rest: ShopRest,
  orderId: number,
  moved: () => Promise<{ id: string; minor: number }[]>,
): Promise<string[]> {
  const [records, refunds] = await Promise.all([rest.refunds(orderId), moved()]);
  const found: string[] = [];
  for (const { id, minor } of refunds) {
    const of = records.filter(({ tillgateRefundIds }) => tillgateRefundIds.includes(id));
    if (of.length !== 1) found.push(`${id} of ${amountOf(minor)} has ${of.length} records`);
    if (of.some(({ amount }) => minorOf(amount) !== minor))
      found.push(`${id} has another amount in the shop`);
  }
  for (const { id, amount, tillgateRefundIds } of records)
    if (tillgateRefundIds.length !== 1)
      found.push(`record ${id} of ${amount} has ${tillgateRefundIds.length} Tillgate refund IDs`);
  const inShop = sumOf(records.map(({ amount }) => minorOf(amount)));
  const atTillgate = sumOf(refunds.map(({ minor }) => minor));
  if (inShop !== atTillgate) found.push(`shop ${amountOf(inShop)}, Tillgate ${amountOf(atTillgate)}`);
  return found;
}
