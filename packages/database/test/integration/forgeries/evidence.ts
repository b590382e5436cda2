import { randomUUID } from "node:crypto";
import { createOrder, payOrder } from "../../ledger-calls.js";
import type { Forgery } from "./money.js";
import type { Forger, Scene } from "./scene.js";

/**
 * Error codes: EVIDENCE for evidence without a payment in its transaction, TERMS and REFUND_TERMS for a change to an immutable row, PASSKEY for a
 * replaced passkey.
 */
const EVIDENCE = ["TG096"];
const TERMS = ["TG094"];
const REFUND_TERMS = ["TG095"];
const PASSKEY = ["TG092"];

const SHOWN = "what was shown";

/** Adds a passkey of a wallet's owner. @returns its ID. */
async function addPasskey(f: Forger, wallet: string, revoked = false): Promise<string> {
  const id = randomUUID();
  await f.query(
    `INSERT INTO wallet_passkeys (id, mode, wallet_user_id, credential_id, public_key, counter, revoked_at)
     SELECT $1::uuid, 'sandbox', wallet_user_id, $1::uuid::text, '', 7, CASE WHEN $3::boolean THEN now() END FROM accounts WHERE id = $2`,
    id,
    wallet,
    revoked,
  );
  return id;
}

/** Creates the challenge that a wallet's owner signs for an order, with `forged` columns. @returns its ID. */
async function challenge(f: Forger, order: string, wallet: string, forged: object = {}): Promise<string> {
  const id = randomUUID();
  await f.query(
    `INSERT INTO payment_challenges SELECT (jsonb_populate_record(NULL::payment_challenges, jsonb_build_object('id', $1::uuid, 'mode', mode,
       'order_id', $2::text, 'wallet_user_id', wallet_user_id, 'account_id', id, 'text', $4::text, 'challenge', $1::text,
       'expires_at', clock_timestamp() + interval '5 minutes') || $5::jsonb)).* FROM accounts WHERE id = $3`,
    id,
    order,
    wallet,
    SHOWN,
    JSON.stringify(forged),
  );
  return id;
}

/** Uses a challenge at the moment of its expiry, or `after` that moment. */
const use = (f: Forger, id: string, after = "0 seconds") =>
  f.query(
    `UPDATE payment_challenges SET used_at = at, expires_at = at - $2::interval FROM (SELECT clock_timestamp() AS at) AS clock WHERE id = $1`,
    id,
    after,
  );

const confirm = (
  f: Forger,
  order: string,
  passkey: string,
  { text = SHOWN, key = "", credential = passkey } = {},
) =>
  f.query(
    `INSERT INTO payment_confirmations (order_id, mode, passkey_id, credential_id, public_key, origin, text, client_data, authenticator_data, signature)
     VALUES ($1, 'sandbox', $2, $5, $4, 'https://pay.example.com', $3, '', '', 'forged')`,
    order,
    passkey,
    text,
    Buffer.from(key),
    credential,
  );

type Confirmed = {
  by?: string;
  text?: string;
  key?: string;
  credential?: string;
  used?: boolean;
  /** Whether the challenge was used in an earlier transaction. */
  earlier?: boolean;
  /** Time from the challenge's expiry to its use. */
  after?: string;
  revoked?: boolean;
  challenge?: object;
};

/** Pays an order from Amélie's wallet, with the evidence of a passkey. @returns the passkey. */
async function payConfirmed(f: Forger, s: Scene, of: Confirmed = {}): Promise<string> {
  const passkey = await addPasskey(f, of.by ?? s.amelie, of.revoked);
  const { id: order } = await createOrder(s.database, { amount: 40n }, f.client);
  const requested = await challenge(f, order, s.amelie, of.challenge);
  if (of.used !== false) await use(f, requested, of.after);
  if (of.earlier) {
    await f.query("COMMIT");
    await f.query("BEGIN");
  }
  await f.pay(
    [
      [s.amelie, -40],
      [s.wallet, 40],
    ],
    { order },
  );
  await confirm(f, order, passkey, of);
  return passkey;
}

export const HONEST_CONFIRMATION: [what: string, work: Forgery[2]] = [
  "a payment confirmed by a passkey",
  (f, s) => payConfirmed(f, s),
];

const change = (f: Forger, passkey: string, set: string) =>
  f.query(`UPDATE wallet_passkeys SET ${set} WHERE id = $1`, passkey);

const ofPasskey = (what: string, set: string): Forgery => [
  what,
  PASSKEY,
  async (f, s) => change(f, await addPasskey(f, s.amelie), set),
];

const ofChallenge = (what: string, set: string): Forgery => [
  what,
  TERMS,
  async (f, s) =>
    f.query(`UPDATE payment_challenges SET ${set} WHERE id = $1`, await challenge(f, s.pending.id, s.amelie)),
];

/** Returns a forgery that copies a valid row. `forged` lists the changed columns and their values in SQL. */
const ofCopy = (
  what: string,
  table: string,
  honest: (f: Forger, s: Scene) => Promise<string>,
  forged: string,
  refused = TERMS,
): Forgery => [
  what,
  refused,
  async (f, s) =>
    f.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${forged}))).* FROM ${table} t WHERE id = $1`,
      await honest(f, s),
    ),
];

const shopperQuote = async (f: Forger) => (await f.quoteInFrancs("0.0015")).id;
/** Returns a forgery that changes a shopper's quote, after its use if `used`. */
const ofQuote = (what: string, set: string, used = false): Forgery => [
  what,
  TERMS,
  async (f) => {
    const id = await shopperQuote(f);
    if (used) await f.query("UPDATE shopper_quotes SET used_at = clock_timestamp() WHERE id = $1", id);
    await f.query(`UPDATE shopper_quotes SET ${set} WHERE id = $1`, id);
  },
];

/**
 * Creates a bulk payout line with the payout's terms, except for `reference` and for an amount that is `more` minor units higher. By default, the line
 * is paid.
 * @returns the file's ID.
 */
async function addLine(
  f: Forger,
  s: Scene,
  { reference = s.payout.reference, more = 0, paid = true } = {},
): Promise<string> {
  const batch = randomUUID();
  await f.query(
    "INSERT INTO payout_batches (id, merchant_id, mode, name, created_by_id) VALUES ($1, $2, 'sandbox', 'forged.csv', $3)",
    batch,
    s.merchant,
    s.administrators[0],
  );
  await f.query(
    `INSERT INTO payout_batch_lines (batch_id, merchant_id, mode, number, recipient, amount, sender_currency, receiver_currency, reference)
     SELECT $1, merchant_id, mode, 2, 'samuel@example.com', amount + $4, sender_currency, receiver_currency, $3 FROM payouts WHERE id = $2`,
    batch,
    s.payout.id,
    reference,
    more,
  );
  if (!paid) return batch;
  await f.query(
    "UPDATE payout_batch_lines SET status = 'done', payout_id = $2 WHERE batch_id = $1",
    batch,
    s.payout.id,
  );
  return batch;
}

export const EVIDENCES: Forgery[] = [
  [
    "evidence for an order that was already paid",
    EVIDENCE,
    async (f, s) => {
      await use(f, await challenge(f, s.paid.id, s.testShopper));
      await confirm(f, s.paid.id, await addPasskey(f, s.testShopper));
    },
  ],
  [
    "evidence for an unpaid order",
    EVIDENCE,
    async (f, s) => {
      await use(f, await challenge(f, s.pending.id, s.amelie));
      await confirm(f, s.pending.id, await addPasskey(f, s.amelie));
    },
  ],
  ["evidence by the passkey of another shopper", EVIDENCE, (f, s) => payConfirmed(f, s, { by: s.samuel })],
  ["evidence with an unconsumed challenge", EVIDENCE, (f, s) => payConfirmed(f, s, { used: false })],
  ["evidence with text that was not requested", EVIDENCE, (f, s) => payConfirmed(f, s, { text: "another" })],
  ["evidence by a revoked passkey", EVIDENCE, (f, s) => payConfirmed(f, s, { revoked: true })],
  ["evidence by a key other than the passkey's", EVIDENCE, (f, s) => payConfirmed(f, s, { key: "x" })],
  ["evidence of another credential", EVIDENCE, (f, s) => payConfirmed(f, s, { credential: "another" })],
  [
    "evidence with a challenge used in an earlier transaction",
    EVIDENCE,
    (f, s) => payConfirmed(f, s, { earlier: true }),
  ],
  [
    "evidence for an earlier payment, in addition to that for the transaction's payment",
    EVIDENCE,
    async (f, s) => {
      const { id } = await payOrder(s.database, await createOrder(s.database), s.amelie);
      await confirm(f, id, await payConfirmed(f, s));
    },
  ],
  [
    "evidence with a challenge used after its expiry",
    EVIDENCE,
    (f, s) => payConfirmed(f, s, { after: "1 second" }),
  ],
  [
    "evidence with a challenge for another wallet",
    EVIDENCE,
    (f, s) => payConfirmed(f, s, { challenge: { account_id: s.samuel } }),
  ],
  [
    "evidence with a challenge for another shopper",
    EVIDENCE,
    (f, s) => payConfirmed(f, s, { challenge: { wallet_user_id: s.samuelHimself } }),
  ],
  [
    "evidence with a challenge for a quote",
    EVIDENCE,
    (f, s) => payConfirmed(f, s, { challenge: { quote_id: s.quote } }),
  ],
  [
    "a used challenge marked as unused",
    TERMS,
    async (f, s) => {
      const requested = await challenge(f, s.pending.id, s.amelie);
      await use(f, requested);
      await f.query("UPDATE payment_challenges SET used_at = NULL WHERE id = $1", requested);
    },
  ],
  ofChallenge("a challenge whose text is changed", "text = 'another'"),
  ofChallenge("a challenge with an extended expiry", "expires_at = expires_at + interval '1 second'"),
  ofChallenge("a challenge used yesterday", "used_at = now() - interval '1 day'"),
  ofCopy(
    "a challenge created as used",
    "payment_challenges",
    (f, s) => challenge(f, s.pending.id, s.amelie),
    "'challenge', 'used', 'used_at', now()",
  ),
  ofCopy("a payout quote created as used", "quotes", async (_, s) => s.quote, "'used_at', now()"),
  ...(
    [
      ["created as used", "'used_at', now()"],
      ["created two minutes ago", "'created_at', now() - interval '2 minutes'"],
      ["created with a validity of a day", "'expires_at', now() + interval '1 day'"],
      [
        "for a shopper other than the wallet's",
        "'wallet_user_id', (SELECT id FROM wallet_users WHERE name LIKE 'Dana%')",
      ],
      ["for a wallet other than the shopper's", "'account_id', gen_random_uuid()"],
    ] as const
  ).map(([what, forged]) => ofCopy(`a shopper's quote ${what}`, "shopper_quotes", shopperQuote, forged)),
  ofCopy(
    "a shopper's quote in the order's currency",
    "shopper_quotes",
    shopperQuote,
    "'payer_currency', 'EUR'",
    ["P0002"],
  ),
  ofQuote("a shopper's quote with another rate", "rate = rate * 2"),
  ofQuote("a used shopper's quote marked as unused", "used_at = NULL", true),
  ofPasskey("a passkey whose counter falls", "counter = 6"),
  ofPasskey("a passkey with another key", "public_key = 'x'"),
  ofPasskey(
    "a passkey reassigned to another shopper",
    "wallet_user_id = (SELECT id FROM wallet_users WHERE name LIKE 'Samuel%')",
  ),
  [
    "a revoked passkey reactivated",
    PASSKEY,
    async (f, s) => change(f, await addPasskey(f, s.amelie, true), "revoked_at = NULL"),
  ],
  [
    "a deleted passkey",
    ["TG090"],
    async (f, s) => f.query("DELETE FROM wallet_passkeys WHERE id = $1", await addPasskey(f, s.amelie)),
  ],
  ...["counter = 6", "public_key = 'x'"].map(
    (set): Forgery => [
      `a passkey of the console with ${set}`,
      PASSKEY,
      async (f, s) => {
        await f.query(
          `INSERT INTO console_passkeys (id, user_id, credential_id, public_key, counter, name)
           VALUES (gen_random_uuid(), $1, 'of the console', '', 7, 'key')`,
          s.administrators[0],
        );
        await f.query(`UPDATE console_passkeys SET ${set}`);
      },
    ],
  ),
  ...["reference", "order_number", "custom", "terminal_id"].map(
    (column): Forgery => [
      `a paid order whose ${column} changes`,
      TERMS,
      (f, s) => f.query(`UPDATE orders SET ${column} = 'another' WHERE id = $1`, s.paid.id),
    ],
  ),
  [
    "a paid order with changed metadata",
    TERMS,
    (f, s) => f.query("UPDATE orders SET metadata = '{}' WHERE id = $1", s.paid.id),
  ],
  ...["reason", "reference"].map(
    (column): Forgery => [
      `a refund whose ${column} changes`,
      REFUND_TERMS,
      (f, s) => f.query(`UPDATE refunds SET ${column} = 'another' WHERE id = $1`, s.heldRefund.id),
    ],
  ),
  [
    "a refund with changed metadata",
    REFUND_TERMS,
    (f, s) => f.query("UPDATE refunds SET metadata = '{}' WHERE id = $1", s.heldRefund.id),
  ],
  [
    "a payout with changed metadata",
    TERMS,
    (f, s) => f.query("UPDATE payouts SET metadata = '{}' WHERE id = $1", s.heldPayout.id),
  ],
  [
    "a bulk payout line paid by another payout with the same terms",
    TERMS,
    (f, s) => addLine(f, s, { reference: s.heldPayout.reference }),
  ],
  ["a bulk payout line paid by a payout of a different amount", TERMS, (f, s) => addLine(f, s, { more: 1 })],
  [
    "a paid bulk payout line without its payout",
    TERMS,
    async (f, s) =>
      f.query(
        "UPDATE payout_batch_lines SET status = 'failed', failure = 'insufficient_balance', payout_id = NULL WHERE batch_id = $1",
        await addLine(f, s),
      ),
  ],
  [
    "a bulk payout line with a different amount",
    TERMS,
    async (f, s) =>
      f.query(
        "UPDATE payout_batch_lines SET amount = amount + 1 WHERE batch_id = $1",
        await addLine(f, s, { paid: false }),
      ),
  ],
];
