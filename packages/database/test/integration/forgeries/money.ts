import { createOrder, setRates } from "../../ledger-calls.js";
import type { Forger, Scene } from "./scene.js";

/** Name of the forgery, the error codes that may reject it, and the forgery itself, in one transaction. */
export type Forgery = [
  what: string,
  refused: readonly string[],
  work: (forger: Forger, scene: Scene) => Promise<unknown>,
];

/** Error codes for a transfer that differs from its record. */
const LINES = ["TG097"];
/** Error codes for a record without its event or transfer. */
const REPORT = ["TG096"];

export const PAYMENTS: Forgery[] = [
  [
    "a payment that credits another merchant",
    LINES,
    (f, s) =>
      f.pay([
        [s.amelie, -40],
        [s.otherWallet, 40],
      ]),
  ],
  [
    "a payment shared with another merchant",
    LINES,
    (f, s) =>
      f.pay([
        [s.amelie, -40],
        [s.wallet, 39],
        [s.otherWallet, 1],
      ]),
  ],
  [
    "a payment that credits the merchant's hold",
    LINES,
    (f, s) =>
      f.pay([
        [s.amelie, -40],
        [s.hold, 40],
      ]),
  ],
  [
    "a payment that debits a shopper other than the payer",
    LINES,
    (f, s) =>
      f.pay([
        [s.samuel, -40],
        [s.wallet, 40],
      ]),
  ],
  [
    "a payment that also moves other funds",
    LINES,
    (f, s) =>
      f.pay([
        [s.amelie, -40],
        [s.wallet, 40],
        [s.samuel, -5],
        [s.fees, 5],
      ]),
  ],
  [
    "a payment of one minor unit less",
    LINES,
    (f, s) =>
      f.pay([
        [s.amelie, -39],
        [s.wallet, 39],
      ]),
  ],
  [
    "a payment of one minor unit more",
    LINES,
    (f, s) =>
      f.pay([
        [s.amelie, -41],
        [s.wallet, 41],
      ]),
  ],
  [
    "a payment with two additional lines that cancel out",
    LINES,
    (f, s) =>
      f.pay([
        [s.amelie, -40],
        [s.wallet, 40],
        [s.wallet, 3],
        [s.wallet, -3],
      ]),
  ],
  [
    "a payment from another merchant's wallet",
    LINES,
    (f, s) =>
      f.pay(
        [
          [s.otherWallet, -40],
          [s.wallet, 40],
        ],
        { account: s.otherWallet },
      ),
  ],
  [
    "a payment from a hold",
    LINES,
    (f, s) =>
      f.pay(
        [
          [s.hold, -40],
          [s.wallet, 40],
        ],
        { account: s.hold },
      ),
  ],
  [
    "a payment from the house's issuing account",
    LINES,
    (f, s) =>
      f.pay(
        [
          [s.issuing, -40],
          [s.wallet, 40],
        ],
        { account: s.issuing },
      ),
  ],
  [
    "a payment without an order",
    LINES,
    (f, s) =>
      f.transfer("payment", [
        [s.amelie, -40],
        [s.wallet, 40],
      ]),
  ],
  ["a payment without entries", ["TG091"], (f) => f.pay([])],
  ["an order with a deposit as its payment", REPORT, (f, s) => f.pay(s.deposit)],
  ["an order paid by another order's payment", ["23505"], (f, s) => f.pay(String(s.paid.transfer_id))],
  [
    "an order paid in another currency without a quote",
    ["23514", "23503"],
    (f, s) =>
      f.pay(
        [
          [s.amelie, -40],
          [s.wallet, 40],
        ],
        { currency: "USD" },
      ),
  ],
  [
    "an order that becomes payable again",
    ["TG094"],
    (f, s) =>
      f.query(
        "UPDATE orders SET status = 'PENDING', state = 'PENDING', version = version + 1 WHERE id = $1",
        s.paid.id,
      ),
  ],
  [
    "an order whose amount changes after payment",
    ["TG094"],
    (f, s) => f.query("UPDATE orders SET amount = 1 WHERE id = $1", s.paid.id),
  ],
];

/** Pays 40 cents from Samuel's francs, with the changes that a forger makes. */
async function converted(
  f: Forger,
  s: Scene,
  {
    rate = "0.001524490172",
    quote = true,
    other = false,
    expired = false,
    legs = true,
    more = 0n,
    to = s.wallet,
    of = s.pending,
    from = s.samuelFrancs,
    forged = undefined as object | undefined,
  } = {},
) {
  const created = await f.quoteInFrancs(rate, undefined, of);
  if (forged) {
    const copy = await f.query(
      `INSERT INTO shopper_quotes SELECT (jsonb_populate_record(q, jsonb_build_object('id', gen_random_uuid()) || $2::jsonb)).*
       FROM shopper_quotes q WHERE id = $1 RETURNING id, payer_amount`,
      created.id,
      JSON.stringify(forged),
    );
    Object.assign(created, copy.rows[0]);
  }
  const francs = Number(created.payer_amount + more);
  if (expired)
    await f.query("UPDATE shopper_quotes SET expires_at = clock_timestamp() WHERE id = $1", created.id);
  if (quote)
    await f.query(
      "UPDATE shopper_quotes SET used_at = least(clock_timestamp(), expires_at) WHERE id = $1",
      created.id,
    );
  else if (other)
    await f.query(
      "UPDATE shopper_quotes SET used_at = clock_timestamp() WHERE id = $1",
      (await f.quoteInFrancs(rate)).id,
    );
  await f.pay(
    [
      [from, -francs, "XAF"],
      [to, 40],
      ...(legs
        ? (
            [
              [s.fxFrancs, francs, "XAF"],
              [s.fx, -40],
            ] as const
          ).map(([a, b, c]): [string, number, string] => [a, b, c ?? "EUR"])
        : []),
    ],
    { account: from, currency: "XAF", amount: francs, quote: created.id },
  );
}

/** Error codes for a change without an audit record. */
const RECORD = ["TG098"];

/** Sets a rate of 900,000 francs per euro, with an audit record that differs by `recorded`; null writes no record. */
async function forgeRate(
  f: Forger,
  recorded: Record<string, string> | null,
  merchant?: string,
): Promise<void> {
  const rate = { rate: "900000", spread_percent: "0", effective_from: "2100-01-01T00:00:00Z" };
  await f.query(
    `INSERT INTO exchange_rates (id, mode, base, quote, rate, spread_percent, effective_from)
     VALUES (gen_random_uuid(), 'sandbox', 'EUR', 'XAF', $1, $2, $3)`,
    ...Object.values(rate),
  );
  if (recorded)
    await f.query(
      "SELECT record_change($3, $1, 'rate.set', 'EUR/XAF', $2)",
      f.scene.administrators[0],
      JSON.stringify({ mode: "sandbox", ...rate, ...recorded }),
      merchant ?? null,
    );
}

type Later = (f: Forger, s: Scene) => Promise<unknown>;
const setRate = (mode: string) =>
  setRates(`SELECT '${mode}'::mode, 'EUR', 'XAF', 651, 0, '2100-01-01'::timestamptz`);
/** Rates that do not belong to an import although they are set after its rate and before its record. */
const LATER_RATES: [what: string, later: Later][] = [
  ["a rate of the other mode", (f) => f.query(setRate("live"))],
  ["another transaction's rate", (_, s) => s.database.pool.query(setRate("sandbox"))],
];

/** Imports a rate, with its digest or a forged digest in the audit record. */
async function importRate(f: Forger, s: Scene, later: Later, forged?: string): Promise<void> {
  await forgeRate(f, null);
  const { rows } = await f.query("SELECT digest_of_rates('sandbox') AS digest");
  await later(f, s);
  await f.query(
    "SELECT record_change(NULL, $1, 'rate.import', 'forged', json_build_object('mode', 'sandbox', 'rates', 1, 'rates_sha256', $2::text))",
    s.administrators[0],
    forged ?? rows[0].digest,
  );
}

export const CONVERSIONS: Forgery[] = [
  ...LATER_RATES.map(
    ([what, later]): Forgery => [
      `an import without its digest, before ${what}`,
      RECORD,
      (f, s) => importRate(f, s, later, ""),
    ],
  ),
  [
    "a converted payment whose order has another used quote",
    LINES,
    (f, s) => converted(f, s, { quote: false, other: true }),
  ],
  [
    "a converted payment at a rate that was never set",
    LINES,
    (f, s) => converted(f, s, { rate: "0.001", forged: { rate: "0.01", payer_amount: 40 } }),
  ],
  [
    "a converted payment from a wallet other than the quote's",
    LINES,
    async (f, s) => {
      const { rows } = await f.query(
        `INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance)
         SELECT gen_random_uuid(), mode, 'XAF', kind, wallet_user_id, 0 FROM accounts WHERE id = $1 RETURNING id`,
        s.amelie,
      );
      const from: string = rows[0].id;
      await f.transfer("deposit", [
        [s.issuingFrancs, -100, "XAF"],
        [from, 100, "XAF"],
      ]);
      await converted(f, s, { rate: "0.01", from });
    },
  ],
  [
    "a converted payment with another order's quote",
    LINES,
    async (f, s) => converted(f, s, { of: await createOrder(s.database, { amount: 40n }, f.client) }),
  ],
  ["a converted payment with an unused quote", LINES, (f, s) => converted(f, s, { quote: false })],
  ["a converted payment above its quote", LINES, (f, s) => converted(f, s, { more: 1n })],
  ["a converted payment without the conversion", ["TG091"], (f, s) => converted(f, s, { legs: false })],
  ["a converted payment to another merchant", LINES, (f, s) => converted(f, s, { to: s.otherWallet })],
  ["a shopper's quote that does not match its rate", ["TG094"], (f) => f.quoteInFrancs("0.0015", 1n)],
  [
    "a shopper's quote one minor unit above an exact amount",
    ["TG094"],
    (f) => f.quoteInFrancs("0.001", 401n),
  ],
  [
    "a shopper's quote valid for a year",
    ["TG094"],
    (f) =>
      f
        .quoteInFrancs("0.0015")
        .then(({ id }) =>
          f.query("UPDATE shopper_quotes SET expires_at = now() + interval '1 year' WHERE id = $1", id),
        ),
  ],
  [
    "a shopper's quote used after its expiry",
    ["TG094"],
    async (f) => {
      const { id } = await f.quoteInFrancs("0.0015");
      await f.query(
        "UPDATE shopper_quotes SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1",
        id,
      );
      await f.query("UPDATE shopper_quotes SET used_at = clock_timestamp() WHERE id = $1", id);
    },
  ],
  [
    "a shopper's quote with its use backdated to yesterday",
    ["TG094"],
    (f) =>
      f
        .quoteInFrancs("0.0015")
        .then(({ id }) =>
          f.query("UPDATE shopper_quotes SET used_at = now() - interval '1 day' WHERE id = $1", id),
        ),
  ],
  ["a rate of 900,000 without an audit record", RECORD, (f) => forgeRate(f, null)],
  ["a rate with the audit record of another rate", RECORD, (f) => forgeRate(f, { rate: "650" })],
  ["a rate with an audit record of a different spread", RECORD, (f) => forgeRate(f, { spread_percent: "1" })],
  ["a rate with an audit record of a merchant", RECORD, (f, s) => forgeRate(f, {}, s.merchant)],
  ["a rate with an audit record of the other mode", RECORD, (f) => forgeRate(f, { mode: "live" })],
  [
    "a rate with an audit record of a different time",
    RECORD,
    (f) => forgeRate(f, { effective_from: "2100-01-02T00:00:00Z" }),
  ],
  [
    "a rate with the audit record of another import",
    RECORD,
    (f, s) => importRate(f, s, async () => undefined, ""),
  ],
  [
    "a rate with the audit record of an earlier rate",
    RECORD,
    async (f) => {
      await forgeRate(f, {});
      await f.query("COMMIT");
      await f.query("BEGIN");
      await forgeRate(f, null);
    },
  ],
  [
    "a rate changed after it was set",
    ["TG090"],
    (f) => f.query("UPDATE exchange_rates SET rate = rate * 100"),
  ],
  ["a deleted rate", ["TG090"], (f) => f.query("DELETE FROM exchange_rates WHERE base = 'EUR'")],
];

export const REFUNDS: Forgery[] = [
  [
    "a refund that debits another merchant",
    LINES,
    (f, s) =>
      f.refund([
        [s.otherWallet, -100],
        [s.testShopper, 100],
      ]),
  ],
  [
    "a refund that debits a hold although nothing was held",
    LINES,
    (f, s) =>
      f.refund([
        [s.hold, -100],
        [s.testShopper, 100],
      ]),
  ],
  [
    "a refund to another shopper",
    LINES,
    (f, s) =>
      f.refund([
        [s.wallet, -100],
        [s.amelie, 100],
      ]),
  ],
  [
    "a refund to another merchant",
    LINES,
    (f, s) =>
      f.refund([
        [s.wallet, -100],
        [s.otherWallet, 100],
      ]),
  ],
  [
    "a refund from the house's fee account",
    LINES,
    (f, s) =>
      f.refund([
        [s.fees, -100],
        [s.testShopper, 100],
      ]),
  ],
  [
    "a refund whose transfer exceeds its amount",
    LINES,
    (f, s) =>
      f.refund([
        [s.wallet, -101],
        [s.testShopper, 101],
      ]),
  ],
  [
    "a refund whose transfer is below its amount",
    LINES,
    (f, s) =>
      f.refund([
        [s.wallet, -99],
        [s.testShopper, 99],
      ]),
  ],
  [
    "a refund with a line for a third party",
    LINES,
    (f, s) =>
      f.refund([
        [s.wallet, -101],
        [s.testShopper, 100],
        [s.amelie, 1],
      ]),
  ],
  [
    "a refund with an incorrect payer's share",
    ["TG096", "TG097"],
    (f, s) =>
      f.refund(
        [
          [s.wallet, -100],
          [s.testShopper, 100],
        ],
        { payerAmount: 99 },
      ),
  ],
  [
    "a refund that exceeds the payment",
    ["23514"],
    (f, s) =>
      f.refund(
        [
          [s.wallet, -1_001],
          [s.testShopper, 1_001],
        ],
        { amount: 1_001 },
      ),
  ],
  [
    "a refund created in another merchant's name",
    ["TG095"],
    (f, s) =>
      f.refund(
        [
          [s.otherWallet, -100],
          [s.testShopper, 100],
        ],
        { merchant: s.other },
      ),
  ],
  [
    "a refund without its event",
    REPORT,
    async (f, s) => {
      for (const event of [true, false])
        await f.refund(
          [
            [s.wallet, -100],
            [s.testShopper, 100],
          ],
          { event },
        );
    },
  ],
  [
    "a full refund without its order's event",
    REPORT,
    (f, s) =>
      f.refund(
        [
          [s.wallet, -1_000],
          [s.testShopper, 1_000],
        ],
        { amount: 1_000 },
      ),
  ],
  ["a refund with a deposit as its transfer", REPORT, (f, s) => f.refund(s.deposit)],
  ["a refund with the payment as its transfer", REPORT, (f, s) => f.refund(String(s.paid.transfer_id))],
  [
    "a refund transfer without a refund",
    LINES,
    (f, s) =>
      f.transfer("refund", [
        [s.wallet, -100],
        [s.testShopper, 100],
      ]),
  ],
  [
    "a pending refund that holds another merchant's funds",
    LINES,
    (f, s) =>
      f.holdRefund([
        [s.otherWallet, -100],
        [s.hold, 100],
      ]),
  ],
  [
    "a pending refund held by another merchant",
    LINES,
    (f, s) =>
      f.holdRefund([
        [s.wallet, -100],
        [s.otherHold, 100],
      ]),
  ],
  [
    "a pending refund that holds less than its amount",
    LINES,
    (f, s) =>
      f.holdRefund([
        [s.wallet, -99],
        [s.hold, 99],
      ]),
  ],
  ["a pending refund with a deposit as its hold", REPORT, (f, s) => f.holdRefund(s.deposit)],
  [
    "a pending refund that shares a payout's hold",
    REPORT,
    (f, s) => f.holdRefund(String(s.heldPayout.hold_transfer_id)),
  ],
  [
    "an approved refund debited from the wallet instead of the hold",
    LINES,
    (f, s) =>
      f.decideRefund("completed", [
        [s.wallet, -100],
        [s.testShopper, 100],
      ]),
  ],
  [
    "an approved refund to a third party",
    LINES,
    (f, s) =>
      f.decideRefund("completed", [
        [s.hold, -100],
        [s.amelie, 100],
      ]),
  ],
  [
    "a rejected refund returned to another merchant",
    LINES,
    (f, s) =>
      f.decideRefund("failed", [
        [s.hold, -100],
        [s.otherWallet, 100],
      ]),
  ],
  [
    "a rejected refund that is only partly returned",
    LINES,
    (f, s) =>
      f.decideRefund("failed", [
        [s.hold, -99],
        [s.wallet, 99],
      ]),
  ],
  [
    "a rejected refund that shares a rejected payout's returned hold",
    REPORT,
    async (f, s) => {
      const returned = await f.decidePayout("failed", [
        [s.hold, -1_030],
        [s.wallet, 1_030],
      ]);
      await f.query("SET CONSTRAINTS ALL IMMEDIATE");
      await f.query("SET CONSTRAINTS ALL DEFERRED");
      await f.decideRefund("failed", returned);
    },
  ],
  [
    "a refund whose hold is replaced",
    ["TG095"],
    (f, s) => f.query("UPDATE refunds SET hold_transfer_id = $2 WHERE id = $1", s.heldRefund.id, s.deposit),
  ],
];

const HONEST_PAYOUT = (s: Scene): [string, number][] => [
  [s.wallet, -1_030],
  [s.fees, 30],
  [s.samuel, 1_000],
];
const francs = (s: Scene, receives: number): [string, number, string?][] => [
  [s.wallet, -1_030],
  [s.fees, 30],
  [s.fx, 1_000],
  [s.fxFrancs, -receives, "XAF"],
  [s.samuelFrancs, receives, "XAF"],
];
export const PAYOUTS: Forgery[] = [
  [
    "a payout diverted to a third party",
    LINES,
    (f, s) =>
      f.payOut([
        [s.wallet, -1_030],
        [s.fees, 30],
        [s.amelie, 1_000],
      ]),
  ],
  [
    "a payout to a wallet that is not the recipient's",
    LINES,
    (f, s) =>
      f.payOut(
        [
          [s.wallet, -1_030],
          [s.fees, 30],
          [s.amelie, 1_000],
        ],
        { account: s.amelie },
      ),
  ],
  [
    "a payout to a merchant's wallet",
    LINES,
    (f, s) =>
      f.payOut(
        [
          [s.wallet, -1_030],
          [s.fees, 30],
          [s.otherWallet, 1_000],
        ],
        { account: s.otherWallet },
      ),
  ],
  [
    "a payout with a line for a third party",
    LINES,
    (f, s) => f.payOut([...HONEST_PAYOUT(s), [s.wallet, -5], [s.amelie, 5]]),
  ],
  [
    "a payout at another merchant's cost",
    LINES,
    (f, s) =>
      f.payOut([
        [s.otherWallet, -1_030],
        [s.fees, 30],
        [s.samuel, 1_000],
      ]),
  ],
  [
    "a payout with the fee credited to the wrong house account",
    LINES,
    (f, s) =>
      f.payOut([
        [s.wallet, -1_030],
        [s.fx, 30],
        [s.samuel, 1_000],
      ]),
  ],
  [
    "a payout with the fee credited to the recipient",
    LINES,
    (f, s) =>
      f.payOut([
        [s.wallet, -1_030],
        [s.samuel, 1_030],
      ]),
  ],
  [
    "a payout that credits more than it debits",
    ["23514"],
    (f, s) => f.payOut(HONEST_PAYOUT(s), { receives: 1_001 }),
  ],
  [
    "a payout at a hundred times the rate",
    LINES,
    async (f, s) =>
      f.payOut(francs(s, 649_397), {
        rate: "64939.743",
        receives: 649_397,
        currency: "XAF",
        account: s.samuelFrancs,
      }),
  ],
  [
    "a payout that credits more than its rate",
    LINES,
    async (f, s) =>
      f.payOut(francs(s, 9_999), {
        rate: await s.francsRate(),
        receives: 9_999,
        currency: "XAF",
        account: s.samuelFrancs,
      }),
  ],
  [
    "a payout whose amount differs from its quote",
    LINES,
    (f, s) =>
      f.payOut(
        [
          [s.wallet, -930],
          [s.fees, 30],
          [s.samuel, 900],
        ],
        { quote: s.quote, amount: 900, receives: 900 },
      ),
  ],
  [
    "a payout whose fee differs from its quote",
    LINES,
    (f, s) =>
      f.payOut(
        [
          [s.wallet, -1_000],
          [s.samuel, 1_000],
        ],
        { quote: s.quote, fee: 0 },
      ),
  ],
  [
    "a payout whose currencies differ from its quote",
    LINES,
    async (f, s) =>
      f.payOut(francs(s, 1_000), {
        quote: s.quote,
        rate: "1",
        receives: 1_000,
        currency: "XAF",
        account: s.samuelFrancs,
      }),
  ],
  [
    "a quote used after its expiry",
    ["TG094"],
    async (f, s) => {
      await f.query(
        "UPDATE quotes SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1",
        s.quote,
      );
      await f.query("UPDATE quotes SET used_at = clock_timestamp() WHERE id = $1", s.quote);
    },
  ],
  [
    "a quote with an extended expiry",
    ["TG094"],
    (f, s) => f.query("UPDATE quotes SET expires_at = expires_at + interval '1 day' WHERE id = $1", s.quote),
  ],
  [
    "a quote backdated by a week",
    ["TG094"],
    (f) =>
      f.query(
        "INSERT INTO quotes (id, merchant_id, mode, wallet_user_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency, created_at) SELECT gen_random_uuid(), merchant_id, mode, wallet_user_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency, now() - interval '7 days' FROM quotes LIMIT 1",
      ),
  ],
  ["a payout without its event", REPORT, (f, s) => f.payOut(HONEST_PAYOUT(s), { event: false })],
  ["a payout with a deposit as its transfer", REPORT, (f, s) => f.payOut(s.deposit)],
  ["a payout transfer without a payout", LINES, (f, s) => f.transfer("payout", HONEST_PAYOUT(s))],
  [
    "a pending payout that holds another merchant's funds",
    LINES,
    (f, s) =>
      f.payOut(
        [
          [s.otherWallet, -1_030],
          [s.hold, 1_030],
        ],
        { hold: true },
      ),
  ],
  [
    "a pending payout that does not hold the fee",
    LINES,
    (f, s) =>
      f.payOut(
        [
          [s.wallet, -1_000],
          [s.hold, 1_000],
        ],
        { hold: true },
      ),
  ],
  ["a pending payout with a deposit as its hold", REPORT, (f, s) => f.payOut(s.deposit, { hold: true })],
  [
    "a pending payout that shares a refund's hold",
    REPORT,
    (f, s) =>
      f.payOut(String((s.heldRefund as unknown as { hold_transfer_id: string }).hold_transfer_id), {
        hold: true,
      }),
  ],
  [
    "an approved payout debited from the wallet instead of the hold",
    LINES,
    (f, s) => f.decidePayout("completed", HONEST_PAYOUT(s)),
  ],
  [
    "an approved payout to a third party",
    LINES,
    (f, s) =>
      f.decidePayout("completed", [
        [s.hold, -1_030],
        [s.fees, 30],
        [s.amelie, 1_000],
      ]),
  ],
  [
    "a rejected payout returned to another merchant",
    LINES,
    (f, s) =>
      f.decidePayout("failed", [
        [s.hold, -1_030],
        [s.otherWallet, 1_030],
      ]),
  ],
  [
    "a rejected payout whose fee is not returned",
    LINES,
    (f, s) =>
      f.decidePayout("failed", [
        [s.hold, -1_030],
        [s.wallet, 1_000],
        [s.fees, 30],
      ]),
  ],
  [
    "a change to a settled payout",
    ["TG094"],
    (f, s) => f.query("UPDATE payouts SET amount = 1, receiver_amount = 1 WHERE id = $1", s.payout.id),
  ],
];

/** Correct changes written with the same helpers as the forgeries: they must be accepted. */
export const HONEST: [what: string, work: Forgery[2]][] = [
  ...LATER_RATES.map(([what, later]): [string, Forgery[2]] => [
    `an import before ${what}`,
    (f, s) => importRate(f, s, later),
  ]),
  // The conversion needs no rounding, and the quote is used at the moment of its expiry.
  ["a converted payment", (f, s) => converted(f, s, { rate: "0.001", expired: true })],
  [
    "a refund",
    (f, s) =>
      f.refund([
        [s.wallet, -100],
        [s.testShopper, 100],
      ]),
  ],
  [
    "a pending refund",
    (f, s) =>
      f.holdRefund([
        [s.wallet, -100],
        [s.hold, 100],
      ]),
  ],
  ["a payout", (f, s) => f.payOut(HONEST_PAYOUT(s))],
  [
    "a payout at the moment of its quote's expiry",
    async (f, s) => {
      const quote = await f.quotePayout();
      await f.query("UPDATE quotes SET expires_at = clock_timestamp() WHERE id = $1", quote);
      await f.payOut(HONEST_PAYOUT(s), { quote });
    },
  ],
  [
    "a pending payout",
    (f, s) =>
      f.payOut(
        [
          [s.wallet, -1_030],
          [s.hold, 1_030],
        ],
        { hold: true },
      ),
  ],
  [
    "an approved payout",
    (f, s) =>
      f.decidePayout("completed", [
        [s.hold, -1_030],
        [s.fees, 30],
        [s.samuel, 1_000],
      ]),
  ],
  [
    "a withdrawal",
    (f, s) =>
      f.transfer("withdrawal", [
        [s.wallet, -5],
        [s.issuing, 5],
      ]),
  ],
];
