import { randomUUID } from "node:crypto";
import { addDays, orderResponseSchema, startOfDay } from "@tillgate/contract";
import fc from "fast-check";
import { countOf } from "../../support/counts.js";
import { reverseFunds } from "../../support/funds.js";
import { createOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import {
  addApiToken,
  addRecipient,
  COMPLETED,
  decidePayout,
  decideRefund,
  lookUpRecipient,
  PENDING,
  partnerApi,
  readPayout,
  readQuote,
} from "../../support/partner.js";
import type { TestApi } from "../../support/test-api.js";

export const FIRST_DAY = "2025-03-01";
export const DAYS = Array.from({ length: 365 }, (_, day) => addDays(FIRST_DAY, day));
export const ZONES = ["UTC", "Europe/Paris"] as const;
/** In Paris, these days have 23 and 25 hours. */
export const CLOCK_CHANGES = { short: "2025-03-30", long: "2025-10-26" };

/** Fixed in `npm test`; random at full counts, where a failure reports the seed. */
export const SEED =
  process.env.TILLGATE_TEST_COUNTS === "full" ? Math.floor(Math.random() * 2 ** 31) : 20_261_127;

const DIGITS = { EUR: 2, USD: 2, XAF: 0 };
type Currency = keyof typeof DIGITS;
const toMajor = (minor: number, currency: Currency): number => minor / 10 ** DIGITS[currency];

/** Minutes over which the concurrent operations of one burst are spread. */
const BURST_MINUTES = 8;
const BURSTS = countOf({ full: 500, reduced: 60 });

/** Midnights that a burst should span: at clock changes and at the starts of months. */
const MIDNIGHTS = DAYS.filter(
  (day) =>
    day.endsWith("-01") || Object.values(CLOCK_CHANGES).some((of) => day === of || day === addDays(of)),
).flatMap((day) => ZONES.map((zone) => startOfDay(day, zone).getTime()));
const BURST_MS = BURST_MINUTES * 60_000;

const currency = fc.constantFrom<Currency>("EUR", "EUR", "EUR", "USD", "XAF");
const minor = fc.integer({ min: 101, max: 9_999 });
const share = fc.integer({ min: 1, max: 100 });
const operation = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("payment"), currency, minor }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("converted payment"), currency, minor }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("refund"), payment: fc.nat(), share }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("payout"),
      currency,
      to: currency,
      minor,
      quoted: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("decision"), approve: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("deposit"), currency, minor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("withdrawal"), currency, minor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("correction") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("conversion"), minor }) },
);
/** In a burst with review, payouts and refunds are held until a later decision. */
const burst = fc.record({
  // Ends two hours early, because the last hour of the year in UTC is the next day in Paris.
  minute: fc.nat({ max: DAYS.length * 24 * 60 - 120 }),
  review: fc.integer({ min: 0, max: 9 }).map((of) => of === 0),
  operations: fc.array(operation, { minLength: 4, maxLength: 12 }),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

type Burst = { review: boolean; operations: Operation[] };

const CURRENCIES: Currency[] = ["EUR", "USD", "XAF"];
const payouts = CURRENCIES.map(
  (of): Operation => ({ kind: "payout", currency: of, to: "XAF", minor: 1_001, quoted: of === "USD" }),
);
const refunds = CURRENCIES.map((_, payment): Operation => ({ kind: "refund", payment, share: 50 }));
const every = (...kinds: ("payment" | "converted payment" | "deposit" | "withdrawal")[]): Operation[] =>
  kinds.flatMap((kind) => CURRENCIES.map((of) => ({ kind, currency: of, minor: 9_001 })));
/** The first bursts contain every kind of operation. The last burst leaves payouts and refunds pending. */
const FIRST_BURSTS: Burst[] = [
  {
    review: false,
    operations: [...every("payment", "converted payment", "deposit"), { kind: "conversion", minor: 999 }],
  },
  { review: false, operations: [...payouts, ...refunds, ...every("withdrawal"), { kind: "correction" }] },
  { review: true, operations: [...payouts, ...refunds] },
  {
    review: false,
    operations: [...payouts, ...refunds].map((_, index) => ({ kind: "decision", approve: index % 2 === 0 })),
  },
];
const LAST_BURST: Burst = { review: true, operations: [...payouts, ...refunds] };

/**
 * Returns the start times of the bursts in milliseconds since 1970, in ascending order and at least one burst
 * length apart.
 */
function timesOf(minutes: number[]): number[] {
  const start = startOfDay(FIRST_DAY, "UTC").getTime();
  const wanted = [
    ...MIDNIGHTS.filter((at) => at > start).map((at) => at - BURST_MS / 2),
    ...minutes.map((of) => start + of * 60_000),
  ];
  const times: number[] = [];
  for (const at of [...new Set(wanted)].sort((a, b) => a - b))
    if (at >= (times.at(-1) ?? start) + BURST_MS) times.push(at);
  return times;
}

/**
 * Books a year of payments, conversions, refunds, payouts, holds, deposits, withdrawals and corrections in
 * three currencies, then moves it into the past. The result passes the ledger proof.
 */
export async function generateYear({ sandbox, server, api, merchantId }: TestApi): Promise<void> {
  const { pool, prisma } = sandbox.database;
  const partner = partnerApi(server, await addApiToken(sandbox, merchantId, "sandbox"));
  const recipients = [
    await addRecipient(sandbox, { EUR: 0n, USD: 0n, XAF: 0n }),
    await addRecipient(sandbox, { EUR: 0n, USD: 0n, XAF: 0n }),
  ];
  const setReview = async (review: boolean) => {
    await prisma.payoutTerms.updateMany({
      where: { merchantId },
      data: { daily: null, monthly: null, reviewAbove: review ? 1n : null },
    });
    await prisma.merchant.update({ where: { id: merchantId }, data: { refundsNeedApproval: review } });
  };

  /** Of earlier bursts: payments to refund, deposits to correct, and pending items to decide. */
  const payments: { trxId: string; currency: Currency; left: number }[] = [];
  const deposits: string[] = [];
  let carts = 0;
  const held: ((approve: boolean) => Promise<void>)[] = [];

  const pay = async (of: Currency, minor: number, outcome: "paid" | "paid_converted") => {
    carts += 1;
    const { order_id } = await createOrder(api, {
      ...{ amount: toMajor(minor, of), currency: of },
      ...{ reference: `cart ${carts}`, metadata: { cart: String(carts) } },
    });
    const { body } = await api.post(`/orders/${order_id}/simulate`, { outcome });
    const { trx_id } = orderResponseSchema.parse(body).data;
    if (trx_id) payments.push({ trxId: trx_id, currency: of, left: minor });
  };
  const refund = async (index: number, percent: number, review: boolean) => {
    const open = payments.filter(({ left }) => left > 0);
    const payment = open[index % open.length];
    if (!payment) return;
    const amount = Math.ceil((payment.left * percent) / 100);
    payment.left -= amount;
    const response = await api.post("/refunds", {
      transaction_id: payment.trxId,
      amount: toMajor(amount, payment.currency),
      reference: `return ${index}`,
    });
    const { refund_id } = readRefund(response, REFUND_CREATED);
    if (review) held.push((approve) => decideRefund(sandbox, refund_id, approve));
  };
  const payOut = async (
    { currency: from, to, minor, quoted }: Operation & { kind: "payout" },
    review: boolean,
  ) => {
    const [recipient] = minor % 2 === 0 ? recipients : recipients.slice(1);
    if (!recipient) return;
    const terms = {
      ...{ lookup_token: await lookUpRecipient(partner, recipient), amount: toMajor(minor, from) },
      ...{ sender_currency: from, receiver_currency: to },
    };
    const keys = { reference: randomUUID(), idempotency_key: randomUUID(), metadata: { run: "november" } };
    const response = quoted
      ? await partner.post("/payout", {
          quote_id: readQuote(await partner.post("/quote", terms)).quote_id,
          ...keys,
        })
      : await partner.post("/payout", { ...terms, ...keys });
    const { payout_id } = readPayout(response, review ? PENDING : COMPLETED);
    if (review) held.push((approve) => decidePayout(sandbox, payout_id, approve));
  };
  const moveFunds = async (kind: "deposit" | "withdrawal", of: Currency, minor: number) => {
    const id = randomUUID();
    const wallet = `account_of('sandbox', $3, 'merchant', $4)`;
    const [from, to] =
      kind === "deposit"
        ? ["account_of('sandbox', $3, 'funding')", wallet]
        : [wallet, "account_of('sandbox', $3, 'funding')"];
    await pool.query(`SELECT move_between_wallets($1, 'sandbox', $2, $3, ${from}, ${to}, $5, $6)`, [
      id,
      kind,
      of,
      merchantId,
      minor,
      `funds ${id}`,
    ]);
    if (kind === "deposit") deposits.push(id);
  };
  /** Converts money between two wallets of a shopper. */
  const convert = async (minor: number) => {
    const { rows } = await pool.query<{ id: string; shopper: string }>(
      `INSERT INTO conversions (id, mode, wallet_user_id, from_currency, from_amount, to_currency, to_amount, rate, created_at, expires_at)
       SELECT gen_random_uuid(), 'sandbox', u.id, 'XAF', $1::bigint, 'EUR', floor($1::bigint * x.rate * (100 - x.spread_percent)),
         x.rate * (100 - x.spread_percent) / 100, clock_timestamp(), clock_timestamp() + interval '5 minutes'
       FROM wallet_users u, exchange_rates x WHERE u.name = 'Samuel Ndongo' AND x.mode = 'sandbox' AND x.base = 'XAF' AND x.quote = 'EUR'
       ORDER BY x.effective_from DESC LIMIT 1 RETURNING id, wallet_user_id AS shopper`,
      [minor],
    );
    await pool.query("SELECT convert_money($1, $2, gen_random_uuid())", [rows[0]?.id, rows[0]?.shopper]);
  };
  const run = (of: Operation, review: boolean): Promise<unknown> => {
    switch (of.kind) {
      case "payment":
        return pay(of.currency, of.minor, "paid");
      case "converted payment":
        return pay(of.currency, of.minor, "paid_converted");
      case "refund":
        return refund(of.payment, of.share, review);
      case "payout":
        return payOut(of, review);
      case "decision":
        return held.shift()?.(of.approve) ?? Promise.resolve();
      case "correction": {
        const deposit = deposits.shift();
        return deposit === undefined ? Promise.resolve() : reverseFunds(pool, deposit);
      }
      case "conversion":
        return convert(of.minor);
      default:
        return moveFunds(of.kind, of.currency, of.minor);
    }
  };

  const random = fc.sample(burst, { seed: SEED, numRuns: BURSTS });
  const times = timesOf(random.map(({ minute }) => minute));
  const clock = async () =>
    (await pool.query<{ at: string }>("SELECT clock_timestamp()::text AS at")).rows[0]?.at ?? "";
  const moves = [{ from: "2000-01-01", at: startOfDay(FIRST_DAY, "UTC") }];
  let reviewed: boolean | undefined;
  for (const [index, at] of times.entries()) {
    const { review, operations } =
      index === times.length - 1
        ? LAST_BURST
        : (FIRST_BURSTS[index] ?? random[index % random.length] ?? LAST_BURST);
    if (review !== reviewed) await setReview(review);
    reviewed = review;
    moves.push({ from: await clock(), at: new Date(at) });
    await Promise.all(operations.map((of) => run(of, review)));
  }
  await sandbox.plantRows(movedBackInTime(moves, await clock()));
}

/**
 * Returns SQL that moves every record to the time of its burst, spread over BURST_MINUTES in the original
 * order. The SQL rebuilds the counters, and dates all exchange rates before the first burst.
 */
function movedBackInTime(moves: { from: string; at: Date }[], end: string): string {
  const rows = moves.map(
    ({ from, at }, index) => `('${from}', '${moves[index + 1]?.from ?? end}', '${at.toISOString()}')`,
  );
  const columns = {
    transfers: ["created_at"],
    orders: ["created_at", "paid_at"],
    refunds: ["created_at", "settled_at"],
    payouts: ["created_at", "processed_at"],
    events: ["created_at"],
    quotes: ["created_at", "used_at"],
    shopper_quotes: ["created_at", "used_at"],
    conversions: ["created_at", "used_at"],
  };
  return `SET session_replication_role = replica;
    CREATE TEMP TABLE bursts (starts timestamptz PRIMARY KEY, ends timestamptz, moved timestamptz);
    INSERT INTO bursts VALUES ${rows.join(", ")};
    ANALYZE bursts;
    CREATE FUNCTION pg_temp.moved(timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT moved + extract(epoch FROM $1 - starts) / extract(epoch FROM ends - starts) * interval '${BURST_MINUTES} minutes'
      FROM bursts WHERE starts <= $1 ORDER BY starts DESC LIMIT 1 $$;
    ${Object.entries(columns)
      .map(([table, names]) => {
        const set = names.map((name) => `${name} = pg_temp.moved(${name})`);
        return `UPDATE ${table} SET ${set.join(", ")};`;
      })
      .join("\n")}
    UPDATE exchange_rates SET created_at = '2000-01-01', effective_from = '2000-01-01';
    TRUNCATE day_counts, span_counts, day_sums, quarter_hour_sums, count_deltas, payout_usage;
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
      SELECT merchant_id, mode, 'order'::counted_kind, five_minutes_of(created_at), state::text, currency, 1, amount FROM orders
      UNION ALL SELECT merchant_id, mode, 'refund', five_minutes_of(created_at), status::text, currency, 1, amount FROM refunds
      UNION ALL SELECT merchant_id, mode, 'payout', five_minutes_of(created_at), status::text, sender_currency, 1, amount FROM payouts;
    INSERT INTO payout_usage (merchant_id, mode, currency, period, starts_on, amount)
      SELECT merchant_id, mode, sender_currency, u.period, date_trunc(u.period::text, created_at AT TIME ZONE 'UTC')::date, sum(amount)
      FROM payouts, unnest(enum_range(NULL::usage_period)) AS u (period) WHERE status <> 'failed' GROUP BY 1, 2, 3, 4, 5`;
}
