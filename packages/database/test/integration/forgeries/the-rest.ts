import { randomUUID } from "node:crypto";
import { NOT_ALLOWED } from "../../ledger-calls.js";
import { approved } from "./approvals.js";
import type { Forgery } from "./money.js";
import type { Forger, Line, Scene } from "./scene.js";

const LINES = ["TG097"];
const MILLION = 100_000_000;

/** Deposits a million into the live wallet. @returns the transfer's ID. */
const liveDeposit = (f: Forger, s: Scene, reference: string) =>
  f.transfer(
    "deposit",
    [
      [s.liveFunding, -MILLION],
      [s.liveWallet, MILLION],
    ],
    { mode: "live", reference },
  );

/** Returns the forgery of a transfer of this kind without its record. */
const unrecorded = (
  what: string,
  kind: "deposit" | "withdrawal" | "hold" | "hold_return",
  lines: (s: Scene) => Line[],
): Forgery => [what, LINES, (f, s) => f.transfer(kind, lines(s))];

/** Returns lines that move five cents from the issuing account to the wallet. */
const inflow = (s: Scene): Line[] => [
  [s.issuing, -5],
  [s.wallet, 5],
];

export const FUNDS: Forgery[] = [
  ["a deposit without a reference", LINES, (f, s) => f.transfer("deposit", inflow(s), { reference: null })],
  [
    "a withdrawal without a reference",
    LINES,
    (f, s) =>
      f.transfer(
        "withdrawal",
        inflow(s).map(([account, amount]) => [account, -amount]),
        { reference: null },
      ),
  ],
  [
    "a payout that takes a future deposit's reference",
    ["23514"],
    async (f, s) =>
      f.payOut(
        await f.transfer(
          "payout",
          [
            [s.wallet, -1_030],
            [s.fees, 30],
            [s.samuel, 1_000],
          ],
          { reference: "wire 4711" },
        ),
      ),
  ],
  [
    "a payment marked as a correction",
    ["23514"],
    async (f, s) =>
      f.pay(
        await f.transfer(
          "payment",
          [
            [s.amelie, -40],
            [s.wallet, 40],
          ],
          { corrects: s.deposit },
        ),
      ),
  ],
  [
    "a deposit corrected twice",
    ["23505"],
    async (f, s) => {
      const mistake = await f.transfer("deposit", inflow(s));
      for (let times = 0; times < 2; times += 1)
        await f.transfer(
          "withdrawal",
          inflow(s).map(([account, amount]) => [account, -amount]),
          { corrects: mistake },
        );
    },
  ],
  [
    "a correction from another merchant's wallet",
    LINES,
    async (f, s) => {
      const mistake = await f.transfer("deposit", inflow(s));
      await f.transfer(
        "withdrawal",
        [
          [s.otherWallet, -5],
          [s.issuing, 5],
        ],
        { corrects: mistake },
      );
    },
  ],
  unrecorded("a deposit from a merchant's wallet", "deposit", (s) => [
    [s.wallet, -5],
    [s.amelie, 5],
  ]),
  unrecorded("a deposit into a hold", "deposit", (s) => [
    [s.issuing, -5],
    [s.hold, 5],
  ]),
  [
    "a deposit from the house's fee account",
    LINES,
    async (f, s) => {
      await f.transfer("deposit", inflow(s));
      await f.transfer("deposit", [
        [s.fees, -5],
        [s.wallet, 5],
      ]);
    },
  ],
  unrecorded("a deposit that also moves other funds", "deposit", (s) => [
    ...inflow(s),
    [s.fees, -5],
    [s.fx, 5],
  ]),
  unrecorded("a deposit to two merchants", "deposit", (s) => [
    [s.issuing, -10],
    [s.wallet, 5],
    [s.otherWallet, 5],
  ]),
  unrecorded("a deposit that debits the wallet", "deposit", (s) => [
    [s.issuing, 5],
    [s.wallet, -5],
  ]),
  unrecorded("a withdrawal that credits the wallet", "withdrawal", (s) => [
    [s.issuing, -5],
    [s.wallet, 5],
  ]),
  unrecorded("a withdrawal to another merchant", "withdrawal", (s) => [
    [s.otherWallet, -5],
    [s.wallet, 5],
  ]),
  ["a live deposit of 1,000,000.00 without approval", LINES, (f, s) => liveDeposit(f, s, "forged")],
  [
    "a live deposit above the limit by a single administrator",
    LINES,
    async (f, s) => {
      const id = await liveDeposit(f, s, "alone");
      await f.query(
        "SELECT record_funds('wallet.deposit', a, $2, 'alone', NULL, $3, $4) FROM accounts a WHERE id = $1",
        s.liveWallet,
        MILLION,
        id,
        s.administrators[0],
      );
    },
  ],
  [
    "a top-up of a merchant's wallet",
    LINES,
    (f, s) =>
      f.transfer(
        "top_up",
        [
          [s.issuing, -1_000],
          [s.wallet, 1_000],
        ],
        { reference: `top-up for ${s.paid.id} ` },
      ),
  ],
  [
    "a top-up of a shopper without an order",
    LINES,
    (f, s) =>
      f.transfer(
        "top_up",
        [
          [s.issuing, -1_000],
          [s.amelie, 1_000],
        ],
        { reference: "top-up for nothing" },
      ),
  ],
  [
    "a top-up of the test shopper for an unpaid order",
    LINES,
    (f, s) =>
      f.transfer(
        "top_up",
        [
          [s.issuing, -40],
          [s.testShopper, 40],
        ],
        { reference: `top-up for ${s.pending.id}` },
      ),
  ],
  [
    "a second top-up for one order",
    ["23505"],
    (f, s) =>
      f.transfer(
        "top_up",
        [
          [s.issuing, -1_000],
          [s.testShopper, 1_000],
        ],
        { reference: `top-up for ${s.paid.id}` },
      ),
  ],
  [
    "a second top-up for one order, under another reference",
    LINES,
    (f, s) =>
      f.transfer(
        "top_up",
        [
          [s.issuing, -1_000],
          [s.testShopper, 1_000],
        ],
        { reference: `Top-up for ${s.paid.id}` },
      ),
  ],
  [
    "a top-up of an ordinary shopper for their order",
    LINES,
    async (f, s) => {
      await f.pay([
        [s.amelie, -40],
        [s.wallet, 40],
      ]);
      await f.transfer(
        "top_up",
        [
          [s.issuing, -40],
          [s.amelie, 40],
        ],
        { reference: `top-up for ${s.pending.id}` },
      );
    },
  ],
  ["a hold without entries", ["TG091"], (f) => f.transfer("hold", [])],
  unrecorded("a hold without a payout or refund", "hold", (s) => [
    [s.wallet, -5],
    [s.hold, 5],
  ]),
  unrecorded("a released hold without a payout or refund", "hold_return", (s) => [
    [s.hold, -5],
    [s.wallet, 5],
  ]),
];

/** Accepted writes that leave the event floor, a report cursor or the pruning time unchanged. */
export const HONEST_EVENT_TIMES: [what: string, work: Forgery[2]][] = [
  [
    "an event floor that is already at the next transaction",
    async (f) => {
      for (let times = 0; times < 2; times += 1)
        await f.query("SELECT raise_event_floor((SELECT turn FROM event_floor))");
    },
  ],
  ["an unchanged report cursor", (f) => f.query("UPDATE report_cursors SET next_date = next_date")],
  ["an unchanged pruning time", (f) => f.query("UPDATE event_retention SET pruned_before = pruned_before")],
];

export const EVENTS: Forgery[] = [
  [
    "an event with another merchant's ID",
    ["TG096"],
    (f, s) => f.event("pos.order.paid", { order: s.paid.id, merchant: s.other }),
  ],
  ["an event without its payment", ["TG096"], (f, s) => f.event("pos.order.paid", { order: s.pending.id })],
  [
    "a full-refund event of a payment without refunds",
    ["TG096"],
    (f, s) => f.event("pos.order.refunded", { order: s.paid.id }),
  ],
  [
    "an event of a pending refund",
    ["TG096"],
    (f, s) => f.event("refund.completed", { order: s.heldRefund.order_id, refund: s.heldRefund.id }),
  ],
  [
    "an event of a refund with the ID of another order",
    ["TG096"],
    async (f, s) => {
      const refund = await f.refund(s.deposit, { event: false });
      await f.event("refund.completed", { order: s.heldRefund.order_id, refund });
    },
  ],
  [
    "a cancellation event of a refunded order",
    ["TG096"],
    async (f, s) => {
      await f.refund(
        [
          [s.wallet, -1_000],
          [s.testShopper, 1_000],
        ],
        { amount: 1_000 },
      );
      await f.event("pos.order.refunded", { order: s.paid.id });
      await f.event("pos.order.cancelled", { order: s.paid.id });
    },
  ],
  [
    "an event that reports an order as pending",
    ["TG096"],
    (f, s) => f.event("pos.order.pending", { order: s.pending.id }),
  ],
  [
    "an event that reports a refund as pending",
    ["TG096"],
    (f, s) => f.event("refund.pending", { order: s.heldRefund.order_id, refund: s.heldRefund.id }),
  ],
  [
    "an event that reports a payout as pending",
    ["TG096"],
    (f, s) => f.event("payout.pending", { payout: s.heldPayout.id }),
  ],
  [
    "an event in the other mode",
    ["TG096"],
    (f, s) => f.event("pos.order.paid", { order: s.paid.id, mode: "live" }),
  ],
  [
    "a payout event in the other mode",
    ["TG096"],
    (f, s) => f.event("payout.completed", { payout: s.payout.id, mode: "live" }),
  ],
  [
    "an event that reports a completed payout as failed",
    ["TG096"],
    (f, s) => f.event("payout.failed", { payout: s.payout.id }),
  ],
  [
    "an event that reports a completed refund as failed",
    ["TG096"],
    async (f, s) => {
      const refund = await f.refund([
        [s.wallet, -100],
        [s.testShopper, 100],
      ]);
      await f.event("refund.failed", { order: s.paid.id, refund });
    },
  ],
  [
    "an event of a pending payout",
    ["TG096"],
    (f, s) => f.event("payout.completed", { payout: s.heldPayout.id }),
  ],
  [
    "a payout event with another merchant's ID",
    ["TG096"],
    (f, s) => f.event("payout.completed", { payout: s.payout.id, merchant: s.other }),
  ],
  [
    "a report of a day that isn't closed",
    ["TG096"],
    (f, s) => f.report(s.wallet, "(clock_timestamp() AT TIME ZONE 'UTC')::date"),
  ],
  ["a report of a day without entries", ["TG096"], (f, s) => f.report(s.wallet, "'2001-01-01'")],
  [
    "a report cursor moved back, so that days are reported again",
    ["TG090"],
    (f, s) => f.query("UPDATE report_cursors SET next_date = next_date - 1 WHERE account_id = $1", s.wallet),
  ],
  [
    "a deleted report cursor",
    ["TG090"],
    (f, s) => f.query("DELETE FROM report_cursors WHERE account_id = $1", s.wallet),
  ],
  ["a payment with two events", ["23505"], (f, s) => f.event("pos.order.paid", { order: s.paid.id })],
  [
    "an event without a subject",
    ["TG096", "23514"],
    (f, s) =>
      f.query(
        `INSERT INTO events (id, mode, merchant_id, name, body, order_id) VALUES ('evt_x', 'sandbox', $1, 'refund.completed', '{}', NULL)`,
        s.merchant,
      ),
  ],
  [
    "an event whose amount is changed",
    ["TG090"],
    (f, s) =>
      f.query("UPDATE events SET body = replace(body, '10.00', '99.00') WHERE order_id = $1", s.paid.id),
  ],
  [
    "an event reassigned to another merchant",
    ["TG090"],
    (f, s) => f.query("UPDATE events SET merchant_id = $2 WHERE order_id = $1", s.paid.id, s.other),
  ],
  [
    "an event floor lowered below positions already read",
    ["TG090"],
    async (f) => {
      await f.query("SELECT raise_event_floor((SELECT turn FROM event_floor))");
      await f.query("UPDATE event_floor SET turn = turn - 1");
    },
  ],
  [
    "an event floor above all transactions",
    ["TG090"],
    (f) => f.query("UPDATE event_floor SET turn = turn + 1000000000"),
  ],
  ["a deleted event floor", ["TG090"], (f) => f.query("DELETE FROM event_floor")],
  ["a renumbered event floor", ["TG090"], (f) => f.query("UPDATE event_floor SET id = 2")],
  ["a renumbered pruning time", ["TG090"], (f) => f.query("UPDATE event_retention SET id = 2")],
  [
    "a deleted event",
    ["TG090", "23503"],
    (f, s) => f.query("DELETE FROM events WHERE order_id = $1", s.paid.id),
  ],
];

type LimitRecord = Partial<Record<"chain" | "action" | "currency", string>> & { after?: number };
/** Sets the limit of EUR with SQL and an audit record that differs by `recorded`; null writes no record. */
export async function setLimit(f: Forger, limit: number, recorded: LimitRecord | null): Promise<void> {
  await f.query("UPDATE currencies SET single_administrator_limit = $1 WHERE code = 'EUR'", limit);
  if (recorded)
    await f.query(
      "SELECT record_change($1, $2, $3, $4, json_build_object('after_minor', $5::text))",
      recorded.chain ?? null,
      f.scene.administrators[0],
      recorded.action ?? "currency.single_limit",
      recorded.currency ?? "EUR",
      recorded.after ?? limit,
    );
}
const LOWERED: [what: string, recorded: (s: Scene) => LimitRecord | null][] = [
  ["without an audit record", () => null],
  ["with an audit record of another limit", () => ({ after: 300 })],
  ["with an audit record of another currency", () => ({ currency: "USD" })],
  ["with the audit record of a request", () => ({ action: "currency.single_limit.request" })],
  ["with an audit record in a merchant's chain", (s) => ({ chain: s.merchant })],
];
const RAISED: [what: string, decide: (f: Forger, s: Scene) => Promise<unknown>][] = [
  ["no request", async () => undefined],
  ["the approval of another limit", (f) => f.decideLimit(499)],
  ["the approval of another currency's limit", (f) => f.decideLimit(500, { currency: "USD" })],
  ["a rejected request", (f) => f.decideLimit(500, { approve: false })],
  ["the approval of a deposit", (f, s) => approved(f, s, { of: { amount: 500 } })],
];

export const KEYS_AND_LIMITS: Forgery[] = [
  [
    "a deleted idempotency key",
    ["TG090"],
    (f, s) => f.query("DELETE FROM idempotency_keys WHERE merchant_id = $1", s.merchant),
  ],
  [
    "an idempotency key reassigned to another order",
    ["TG090"],
    (f, s) =>
      f.query(
        "UPDATE idempotency_keys SET resource_id = $2 WHERE merchant_id = $1",
        s.merchant,
        s.pending.id,
      ),
  ],
  [
    "an idempotency key with a different request hash",
    ["TG090"],
    (f, s) => f.query("UPDATE idempotency_keys SET request_hash = 'x' WHERE merchant_id = $1", s.merchant),
  ],
  ["truncated idempotency keys", [NOT_ALLOWED], (f) => f.query("TRUNCATE idempotency_keys")],
  [
    "a limit raised with SQL",
    ["TG098"],
    (f) => f.query("UPDATE currencies SET single_administrator_limit = 1000000000 WHERE code = 'EUR'"),
  ],
  ...LOWERED.map(
    ([what, recorded]): Forgery => [
      `a limit lowered ${what}`,
      ["TG098"],
      async (f, s) => {
        await f.decideLimit(500);
        await setLimit(f, 400, recorded(s));
      },
    ],
  ),
  ...RAISED.map(
    ([what, decide]): Forgery => [
      `a limit raised with an audit record and ${what}`,
      ["TG098"],
      async (f, s) => {
        await decide(f, s);
        await setLimit(f, 500, { action: "currency.single_limit.approve" });
      },
    ],
  ),
  [
    "a currency inserted with a limit",
    ["TG098"],
    (f) =>
      f.query(
        "INSERT INTO currencies (code, digits, name, symbol, single_administrator_limit) VALUES ('FRG', 2, 'Forged', 'F', 5)",
      ),
  ],
  [
    "a balance changed with SQL",
    ["TG092"],
    (f, s) => f.query("UPDATE accounts SET balance = balance + 1 WHERE id = $1", s.wallet),
  ],
  [
    "a credential with a replaced secret",
    ["TG092"],
    (f, s) => f.query("UPDATE credentials SET secret_hash = 'x' WHERE merchant_id = $1", s.merchant),
  ],
  [
    "a credential whose write access is changed",
    ["TG092"],
    (f, s) => f.query("UPDATE credentials SET read_only = NOT read_only WHERE merchant_id = $1", s.merchant),
  ],
  ["a changed entry", ["TG090"], (f) => f.query("UPDATE entries SET amount = amount * 2")],
  [
    "an entry added to an earlier transfer",
    ["TG091"],
    (f, s) =>
      f.query(
        "INSERT INTO entries (transfer_id, account_id, mode, currency, amount) VALUES ($1, $2, 'sandbox', 'EUR', -5), ($1, $3, 'sandbox', 'EUR', 5)",
        s.deposit,
        s.issuing,
        s.wallet,
      ),
  ],
  ["a changed audit record", ["TG090"], (f) => f.query("UPDATE audit_records SET details = '{}'")],
  [
    "an order created with another merchant's key",
    ["23503"],
    (f, s) =>
      f.query(
        "INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, expires_at) SELECT 'x', $2, mode, $3, credential_id, 5, 'EUR', 'both', now() + interval '5 minutes' FROM orders WHERE id = $1",
        s.paid.id,
        randomUUID(),
        s.other,
      ),
  ],
];

/** Changes to the schema that the API's role must not be able to make. */
export const HOUSE: Forgery[] = (
  [
    ["a disabled guarding trigger", "ALTER TABLE entries DISABLE TRIGGER entries_are_booked"],
    ["all triggers of a table disabled", "ALTER TABLE accounts DISABLE TRIGGER ALL"],
    ["a dropped guarding trigger", "DROP TRIGGER entries_are_final ON entries"],
    ["an additional trigger", "CREATE TRIGGER own BEFORE INSERT ON entries EXECUTE FUNCTION reject_change()"],
    ["all triggers disabled in a session", "SET session_replication_role = replica"],
    [
      "a replaced function",
      "CREATE OR REPLACE FUNCTION public.reject_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    ],
    ["a SECURITY DEFINER function", "ALTER FUNCTION public.reject_change() SECURITY DEFINER"],
    ["a dropped function", "DROP FUNCTION public.reject_change() CASCADE"],
    ["a dropped check", "ALTER TABLE accounts DROP CONSTRAINT accounts_never_below_zero"],
    ["a column with a changed type", "ALTER TABLE entries ALTER COLUMN amount TYPE numeric"],
    ["a dropped table", "DROP TABLE entries CASCADE"],
    ["a rewrite rule", "CREATE RULE own AS ON INSERT TO entries DO INSTEAD NOTHING"],
    ["a temporary table that shadows a ledger table", "CREATE TEMPORARY TABLE entries (LIKE public.entries)"],
    ["an additional table", "CREATE TABLE public.own (id int)"],
    ["an additional schema", "CREATE SCHEMA own"],
    ["truncated ledger tables", "TRUNCATE entries CASCADE"],
    ["a changed checksum of a definition", "UPDATE _definitions SET checksum = 'x'"],
    ["deleted records of applied migrations", "DELETE FROM _prisma_migrations"],
    ["the owner's privileges granted to the role", "GRANT tillgate TO tillgate_api"],
    ["a table with a changed owner", "ALTER TABLE entries OWNER TO CURRENT_USER"],
  ] as const
).map(([what, sql]) => [what, [NOT_ALLOWED], (forger) => forger.query(sql)]);
