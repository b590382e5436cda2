import { type WebhookEvent, webhookEventSchema } from "@tillgate/contract";
import { formatAmount, toWireNumber } from "@tillgate/money";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cancelOrder,
  createOrder,
  deposit,
  expireOrder,
  type NewOrder,
  type OrderRow,
  paidOrder,
  readOrder,
  refundPayment,
} from "../ledger-calls.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

const CURRENCIES = [
  { code: "EUR", digits: 2, amount: 4_150n, part: 5n },
  { code: "EUR", digits: 2, amount: 10_000_000_000_000n, part: 9_999_999_999_999n },
  { code: "XAF", digits: 0, amount: 5_000n, part: 1n },
  { code: "KWD", digits: 3, amount: 1_001n, part: 10n },
  { code: "KWD", digits: 3, amount: 9_999_999_999_999n, part: 7n },
];

const TEXTS: Record<string, Pick<NewOrder, "reference" | "terminalId" | "orderNumber" | "custom">> = {
  "only the required fields": {},
  "every text field": {
    reference: "cart 17 / €",
    terminalId: "till-3",
    orderNumber: "#1042",
    custom: '{"a": "b"}',
  },
  "texts that must be escaped": {
    reference: `quote " backslash \\ slash / tab \t newline \n`,
    terminalId: "\u0001\u001f\u007f\u2028\u2029",
    orderNumber: "日本語 العربية हिन्दी",
    custom: "👩‍👩‍👧 𝒳 é e\u0301 </script> %s {x}",
  },
};

describe("event bodies", () => {
  let database: SandboxDatabase;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    for (const owner of [
      ["merchant_id", database.merchant.id, "merchant"],
      ["wallet_user_id", null, "shopper"],
    ] as const) {
      const { rows } = await database.pool.query<{ id: string }>(
        `INSERT INTO accounts (id, mode, currency, kind, ${owner[0]}, balance)
         SELECT gen_random_uuid(), 'sandbox', 'KWD', $1, coalesce($2::uuid, u.id), 0 FROM wallet_users u
         WHERE u.test_of_merchant_id = $3 RETURNING id`,
        [owner[2], owner[1], database.merchant.id],
      );
      if (owner[2] === "shopper") database.testShopper.KWD = String(rows[0]?.id);
    }
  });
  afterAll(() => database.drop());

  /** Returns the events of an order, oldest first, both parsed by the contract and as text. */
  async function eventsOf(order: OrderRow): Promise<{ event: WebhookEvent; body: string }[]> {
    const { rows } = await database.pool.query<{ id: string; name: string; body: string }>(
      "SELECT id, name, body FROM events WHERE order_id = $1 ORDER BY created_at",
      [order.id],
    );
    return rows.map(({ id, name, body }) => {
      const json: unknown = JSON.parse(body);
      const event = webhookEventSchema.parse(json);
      // No fields other than the contract's.
      expect(event).toEqual(json);
      expect(event).toMatchObject({ id, event: name });
      return { event, body };
    });
  }

  const cases = CURRENCIES.flatMap((currency) =>
    Object.entries(TEXTS).map(([texts, fields]) => ({ ...currency, texts, fields })),
  );

  describe.each(cases)(
    "of an order of $amount minor units of $code with $texts",
    ({ code, digits, amount, part, fields }) => {
      const make = (more: NewOrder = {}): NewOrder => ({ ...fields, ...more, amount, currency: code });
      const number = (minor: bigint) => toWireNumber(minor, digits);
      const data = (order: OrderRow) => ({
        order_id: order.id,
        amount: number(amount),
        currency: code,
        reference: fields.reference ?? null,
        terminal_id: fields.terminalId ?? null,
        order_number: fields.orderNumber ?? null,
        custom: fields.custom ?? null,
      });
      const unpaid = { trx_id: null, paid_at: null, refunded_amount: 0, version: 2 };

      it("match the order when it is paid, partly refunded and refunded", async () => {
        const order = await paidOrder(database, make());
        const refund = await refundPayment(database, order, {
          amount: part,
          ...(fields.custom === undefined ? {} : { reason: fields.custom }),
        });
        const last = await refundPayment(database, order, { reference: "last" });
        const now = await readOrder(database, order.id);
        const [paid, partial, whole, refunded, ...more] = await eventsOf(order);
        expect(more).toEqual([]);
        const seconds = expect.stringMatching(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
        expect(paid?.event).toMatchObject({
          event: "pos.order.paid",
          timestamp: seconds,
          data: {
            ...data(order),
            status: "PAID",
            trx_id: now.trx_id,
            paid_at: seconds,
            refunded_amount: 0,
            version: 2,
          },
        });
        const input = (id: string, minor: bigint, reason: string, reference: string) => ({
          event: "refund.completed",
          data: {
            refund_id: id,
            transaction_id: now.trx_id,
            amount: formatAmount(minor, { code, digits }),
            raw_amount: number(minor),
            currency: code,
            status: "completed",
            reason,
            reference,
            created_at: seconds,
            order_id: order.id,
          },
        });
        expect(partial?.event).toMatchObject(input(refund.id, part, fields.custom ?? "", ""));
        expect(whole?.event).toMatchObject(input(last.id, amount - part, "", "last"));
        expect(refunded?.event).toMatchObject({
          event: "pos.order.refunded",
          data: {
            ...data(order),
            status: "REFUNDED",
            trx_id: now.trx_id,
            refunded_amount: number(amount),
            version: 4,
          },
        });
        // Compares the digits in the text, not only the parsed number.
        const decimal = formatAmount(amount, { code, digits }).split(" ")[0];
        expect(paid?.body).toContain(`"amount" : ${decimal},`);
        expect(refunded?.body).toContain(`"refunded_amount" : ${decimal},`);
      });

      it("match the order when it is cancelled", async () => {
        const order = await cancelOrder(database, await createOrder(database, make()));
        const [cancelled, ...more] = await eventsOf(order);
        expect(more).toEqual([]);
        expect(cancelled?.event).toMatchObject({
          event: "pos.order.cancelled",
          data: { ...data(order), status: "CANCELLED", ...unpaid },
        });
      });

      it("match the order when it expires", async () => {
        const order = await createOrder(database, make({ expiresInSeconds: 0 }));
        await expireOrder(database, order);
        const [expired, ...more] = await eventsOf(order);
        expect(more).toEqual([]);
        expect(expired?.event).toMatchObject({
          event: "pos.order.expired",
          data: { ...data(order), status: "EXPIRED", ...unpaid },
        });
      });
    },
  );

  it("have a timestamp in UTC even if the session has another time zone", async () => {
    const order = await createOrder(database);
    const client = await database.pool.connect();
    try {
      await client.query("SET timezone = 'Asia/Kathmandu'");
      await client.query("SELECT cancel_order($1, 'sandbox')", [order.id]);
    } finally {
      client.release(true);
    }
    const [cancelled] = await eventsOf(order);
    const seconds = Date.parse(cancelled?.event.timestamp ?? "");
    expect(Math.abs(seconds - Date.now())).toBeLessThan(60_000);
  });

  it("are of refunds that returned every KWD payment in full, even the largest", async () => {
    await expect(deposit(database, String(database.testShopper.KWD), "KWD", 1n)).resolves.toBeUndefined();
    const { rows } = await database.pool.query<{ balance: bigint; sum: bigint }>(
      "SELECT balance, (SELECT sum(amount)::bigint FROM entries WHERE account_id = a.id) AS sum FROM accounts a WHERE id = $1",
      [database.testShopper.KWD],
    );
    expect(rows[0]?.balance).toBe(rows[0]?.sum);
    expect(rows[0]?.balance).toBe(3n * (9_999_999_999_999n + 1_001n) + 1n);
  });
});
