import { randomUUID } from "node:crypto";
import { NOT_ALLOWED } from "../../ledger-calls.js";
import type { Forgery } from "./money.js";
import type { Forger, Line, Scene } from "./scene.js";

const LINES = ["TG097"];
const MILLION = 100_000_000;

/** A million into the live wallet. @returns the transfer's id. */
const liveDeposit = (f: Forger, s: Scene, reference: string) =>
  f.transfer(
    "deposit",
    [
      [s.liveFunding, -MILLION],
      [s.liveWallet, MILLION],
    ],
    { mode: "live", reference },
  );

/** A transfer between wallets of which no record says that it is one of its kind. */
const moved = (
  what: string,
  kind: "deposit" | "withdrawal" | "hold" | "hold_return",
  lines: (s: Scene) => Line[],
): Forgery => [what, LINES, (f, s) => f.transfer(kind, lines(s))];

/** Five cents from outside. */
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
    "a payout that takes the reference of a deposit to come",
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
    "a payment that says it corrects another merchant's transfer",
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
    "a deposit that is corrected twice",
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
    "a correction out of another merchant's wallet",
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
  moved("a deposit out of a merchant's wallet", "deposit", (s) => [
    [s.wallet, -5],
    [s.amelie, 5],
  ]),
  moved("a deposit into a hold", "deposit", (s) => [
    [s.issuing, -5],
    [s.hold, 5],
  ]),
  moved("a deposit out of the fees", "deposit", (s) => [
    [s.fees, -5],
    [s.wallet, 5],
  ]),
  moved("a deposit for two", "deposit", (s) => [
    [s.issuing, -10],
    [s.wallet, 5],
    [s.otherWallet, 5],
  ]),
  moved("a deposit that takes away", "deposit", (s) => [
    [s.issuing, 5],
    [s.wallet, -5],
  ]),
  moved("a withdrawal that brings", "withdrawal", (s) => [
    [s.issuing, -5],
    [s.wallet, 5],
  ]),
  moved("a withdrawal to another merchant", "withdrawal", (s) => [
    [s.otherWallet, -5],
    [s.wallet, 5],
  ]),
  ["a live deposit of 1,000,000.00 that nobody approved", LINES, (f, s) => liveDeposit(f, s, "forged")],
  [
    "a live deposit above the limit that one administrator made alone",
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
    "a top-up of a merchant",
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
    "a top-up of a shopper for no order",
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
    "a top-up of the test shopper for an order that is not paid",
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
  moved("a hold of nobody's", "hold", (s) => [
    [s.wallet, -5],
    [s.hold, 5],
  ]),
  moved("a return of nobody's", "hold_return", (s) => [
    [s.hold, -5],
    [s.wallet, 5],
  ]),
];

export const EVENTS: Forgery[] = [
  [
    "an event in another merchant's list",
    ["TG096"],
    (f, s) => f.event("pos.order.paid", { order: s.paid.id, merchant: s.other }),
  ],
  [
    "an event of a payment that did not happen",
    ["TG096"],
    (f, s) => f.event("pos.order.paid", { order: s.pending.id }),
  ],
  [
    "an event of a whole refund of a part",
    ["TG096"],
    (f, s) => f.event("pos.order.refunded", { order: s.paid.id }),
  ],
  [
    "an event of a refund that waits",
    ["TG096"],
    (f, s) => f.event("refund.completed", { order: s.heldRefund.order_id, refund: s.heldRefund.id }),
  ],
  [
    "an event of a refund under another order",
    ["TG096"],
    (f, s) => f.event("refund.completed", { order: s.paid.id, refund: s.heldRefund.id }),
  ],
  [
    "an event of a payout that waits",
    ["TG096"],
    (f, s) => f.event("payout.completed", { payout: s.heldPayout.id }),
  ],
  [
    "an event of a payout in another merchant's list",
    ["TG096"],
    (f, s) => f.event("payout.completed", { payout: s.payout.id, merchant: s.other }),
  ],
  ["a payment told twice", ["23505"], (f, s) => f.event("pos.order.paid", { order: s.paid.id })],
  [
    "an event of nothing",
    ["TG096", "23514"],
    (f, s) =>
      f.query(
        `INSERT INTO events (id, mode, merchant_id, name, body, order_id) VALUES ('evt_x', 'sandbox', $1, 'refund.completed', '{}', NULL)`,
        s.merchant,
      ),
  ],
  [
    "an event that tells another amount afterwards",
    ["TG090"],
    (f, s) =>
      f.query("UPDATE events SET body = replace(body, '10.00', '99.00') WHERE order_id = $1", s.paid.id),
  ],
  [
    "an event that moves to another merchant",
    ["TG090"],
    (f, s) => f.query("UPDATE events SET merchant_id = $2 WHERE order_id = $1", s.paid.id, s.other),
  ],
  [
    "a floor of events that falls, so that one appears where readers have been",
    ["TG090"],
    async (f) => {
      await f.query("SELECT raise_event_floor((SELECT turn FROM event_floor))");
      await f.query("UPDATE event_floor SET turn = turn - 1");
    },
  ],
  [
    "a floor of events above all transactions",
    ["TG090"],
    (f) => f.query("UPDATE event_floor SET turn = turn + 1000000000"),
  ],
  ["a floor of events that is taken away", ["TG090"], (f) => f.query("DELETE FROM event_floor")],
  [
    "an event that is taken away",
    ["TG090", "23503"],
    (f, s) => f.query("DELETE FROM events WHERE order_id = $1", s.paid.id),
  ],
];

export const KEYS_AND_LIMITS: Forgery[] = [
  [
    "a key of money that is deleted",
    ["TG090"],
    (f, s) => f.query("DELETE FROM idempotency_keys WHERE merchant_id = $1", s.merchant),
  ],
  [
    "a key of money that names another order",
    ["TG090"],
    (f, s) =>
      f.query(
        "UPDATE idempotency_keys SET resource_id = $2 WHERE merchant_id = $1",
        s.merchant,
        s.pending.id,
      ),
  ],
  [
    "a key of money that names another request",
    ["TG090"],
    (f, s) => f.query("UPDATE idempotency_keys SET request_hash = 'x' WHERE merchant_id = $1", s.merchant),
  ],
  ["all keys of money truncated", [NOT_ALLOWED], (f) => f.query("TRUNCATE idempotency_keys")],
  [
    "a limit raised by hand",
    ["TG098"],
    (f) => f.query("UPDATE currencies SET single_administrator_limit = 1000000000 WHERE code = 'EUR'"),
  ],
  [
    "a limit raised with a record, without a second administrator",
    ["TG098"],
    async (f, s) => {
      await f.query("UPDATE currencies SET single_administrator_limit = 500 WHERE code = 'EUR'");
      await f.query(
        "SELECT record_change(NULL, $1, 'currency.single_limit.approve', 'EUR', json_build_object('after_minor', '500'))",
        s.administrators[0],
      );
    },
  ],
  [
    "a currency that begins with a limit",
    ["TG098"],
    (f) =>
      f.query(
        "INSERT INTO currencies (code, digits, name, symbol, single_administrator_limit) VALUES ('FRG', 2, 'Forged', 'F', 5)",
      ),
  ],
  [
    "a balance written by hand",
    ["TG092"],
    (f, s) => f.query("UPDATE accounts SET balance = balance + 1 WHERE id = $1", s.wallet),
  ],
  [
    "a credential with another secret",
    ["TG092"],
    (f, s) => f.query("UPDATE credentials SET secret_hash = 'x' WHERE merchant_id = $1", s.merchant),
  ],
  [
    "a credential that only reads made to write",
    ["TG092"],
    (f, s) => f.query("UPDATE credentials SET read_only = NOT read_only WHERE merchant_id = $1", s.merchant),
  ],
  ["an entry changed", ["TG090"], (f) => f.query("UPDATE entries SET amount = amount * 2")],
  [
    "an entry added to an old transfer",
    ["TG091"],
    (f, s) =>
      f.query(
        "INSERT INTO entries (transfer_id, account_id, mode, currency, amount) VALUES ($1, $2, 'sandbox', 'EUR', -5), ($1, $3, 'sandbox', 'EUR', 5)",
        s.deposit,
        s.issuing,
        s.wallet,
      ),
  ],
  [
    "a record of what was done, changed",
    ["TG090"],
    (f) => f.query("UPDATE audit_records SET details = '{}'"),
  ],
  [
    "an order made for another merchant's key",
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

/** What nobody with the api's password may do to the house that holds the books. */
export const HOUSE: Forgery[] = (
  [
    ["a guard switched off", "ALTER TABLE entries DISABLE TRIGGER entries_are_booked"],
    ["all guards of a table switched off", "ALTER TABLE accounts DISABLE TRIGGER ALL"],
    ["a guard taken away", "DROP TRIGGER entries_are_final ON entries"],
    [
      "a trigger of one's own",
      "CREATE TRIGGER own BEFORE INSERT ON entries EXECUTE FUNCTION refuse_change()",
    ],
    ["all guards of a session switched off", "SET session_replication_role = replica"],
    [
      "a function in another's place",
      "CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    ],
    ["a function with its owner's rights", "ALTER FUNCTION public.refuse_change() SECURITY DEFINER"],
    ["a function taken away", "DROP FUNCTION public.refuse_change() CASCADE"],
    ["a check taken away", "ALTER TABLE accounts DROP CONSTRAINT accounts_never_below_zero"],
    ["a column of another type", "ALTER TABLE entries ALTER COLUMN amount TYPE numeric"],
    ["a table taken away", "DROP TABLE entries CASCADE"],
    [
      "a rule that turns a statement into another",
      "CREATE RULE own AS ON INSERT TO entries DO INSTEAD NOTHING",
    ],
    ["a table found before the books' own", "CREATE TEMPORARY TABLE entries (LIKE public.entries)"],
    ["a table beside the books", "CREATE TABLE public.own (id int)"],
    ["a schema of one's own, to be looked into first", "CREATE SCHEMA own"],
    ["the books emptied", "TRUNCATE entries CASCADE"],
    ["a text of the house said to be in force", "UPDATE _definitions SET checksum = 'x'"],
    ["a step of the house said to be done", "DELETE FROM _prisma_migrations"],
    ["the owner's rights given to oneself", "GRANT tillgate TO tillgate_api"],
    ["an owner made of oneself", "ALTER TABLE entries OWNER TO CURRENT_USER"],
  ] as const
).map(([what, sql]) => [what, [NOT_ALLOWED], (forger) => forger.query(sql)]);
