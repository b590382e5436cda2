import { ErrorCode, LOGO_TYPES, type LogoType } from "@tillgate/contract";
import { hashSecret, type OrderModel, orderRow } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { queryRows, type RowReader } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { findSessionSql, IS_LIVE_SESSION, ROTATE_AFTER_SECONDS } from "../identity/shoppers/session.js";
import { type GroupedWork, runGrouped, unnestArguments } from "../ledger/group-commit.js";
import { expireOrder } from "../money/orders/expire.js";
import { type ConvertedPrice, convertPrice, marginAtSql } from "../money/price.js";

const text = z.string().nullable();
const flag = z.boolean().nullable();
const integer = z.int().nullable();

const walletSchema = z.object({
  id: z.string(),
  currency: z.string(),
  digits: z.int(),
  /** Minor units, sent as text, because a JSON number cannot represent every amount. */
  balance: z.coerce.bigint(),
  closed: z.boolean(),
  /** From the wallet's currency to the order's, before the spread; null if no rate exists or the currencies are equal. */
  rate: text,
  spread: text,
});

const contextSchema = z.object({
  position: z.int(),
  read_at: z.date(),
  digits: z.int(),
  merchant_name: z.string(),
  accent: text,
  logo_id: text,
  /** Guaranteed by a CHECK constraint. */
  logo_type: z.enum(LOGO_TYPES).nullable(),
  logo_width: integer,
  logo_height: integer,
  session_id: text,
  signed_in: flag,
  user_id: text,
  user_name: text,
  pin_reset_at: z.date().nullable(),
  device_id: text,
  /** Whether wrong PINs on other devices have locked out unknown devices, and these failures have not expired yet. */
  wrong_pins_elsewhere: flag,
  pin_fresh: flag,
  passkeys: integer,
  passkey_added: flag,
  shared: flag,
  rotation_due: flag,
  wallets: z.array(walletSchema).nullable(),
  offer_id: text,
  offer_account_id: text,
  offer_currency: text,
  offer_digits: integer,
  offer_amount: z.bigint().nullable(),
  offer_rate: text,
  offer_margin: text,
  offer_expires_at: z.date().nullable(),
  payer_user_id: text,
  paid_in_test: flag,
  paid_digits: integer,
  paid_rate: text,
  open_shopper: text,
});
const checkoutRow: RowReader<CheckoutRow> = {
  parse: (row) => ({ ...contextSchema.parse(row), order: orderRow.parse(row) }),
};

/**
 * $1 to $3 have one element per caller: payment token; hash of the wallet session, or null; quote ID, or null for the newest usable quote.
 * $4: seconds for which a PIN is valid for its order. $5: seconds until a session's token is renewed. LATERAL with LIMIT forces index lookups.
 */
const CHECKOUTS_QUERY = `
  SELECT requested.position::int AS position, one.* FROM ${unnestArguments(["text", "bytea", "uuid"])}
    WITH ORDINALITY AS requested (token, session_hash, quote_id, position) CROSS JOIN LATERAL (
  SELECT ${orderRow.columns.map((column) => `o.${column}`).join(", ")}, now.read_at, c.digits::int AS digits, coalesce(b.name, m.name) AS merchant_name, b.accent, b.logo_id, b.logo_type,
    b.logo_width, b.logo_height, s.id AS session_id, s.signed_in, s.user_id, s.user_name, s.pin_reset_at, s.device_id,
    s.wrong_pins_elsewhere, s.pin_fresh, s.passkeys, s.passkey_added, s.shared, s.rotation_due, w.wallets,
    q.id AS offer_id, q.account_id AS offer_account_id, q.payer_currency AS offer_currency, q.digits AS offer_digits,
    q.payer_amount AS offer_amount, q.rate AS offer_rate, q.margin AS offer_margin, q.expires_at AS offer_expires_at,
    payer.wallet_user_id AS payer_user_id, payer_user.test_of_merchant_id = o.merchant_id AS paid_in_test,
    paid_currency.digits::int AS paid_digits, trim_scale(paid_quote.rate)::text AS paid_rate,
    CASE WHEN o.mode = 'sandbox' AND o.state = 'PENDING' THEN
      (SELECT open.name FROM wallet_users open WHERE open.open_in = o.mode AND open.active) END AS open_shopper
  FROM orders o
  CROSS JOIN LATERAL (SELECT clock_timestamp() AS read_at) AS now
  JOIN merchants m ON m.id = o.merchant_id
  JOIN currencies c ON c.code = o.currency
  LEFT JOIN merchant_branding b ON b.merchant_id = o.merchant_id
  LEFT JOIN accounts payer ON payer.id = o.payer_account_id
  LEFT JOIN wallet_users payer_user ON payer_user.id = payer.wallet_user_id
  LEFT JOIN currencies paid_currency ON paid_currency.code = o.payer_currency
  LEFT JOIN shopper_quotes paid_quote ON paid_quote.id = o.quote_id
  LEFT JOIN LATERAL (${findSessionSql("requested.session_hash", "$5", [
    `ws.mode = o.mode AND ${IS_LIVE_SESSION} AS signed_in`,
    "ws.pin_order_id = o.id AND ws.pin_entered_at > now.read_at - make_interval(secs => $4) AS pin_fresh",
    `(SELECT count(*)::int FROM wallet_passkeys k WHERE k.wallet_user_id = ws.wallet_user_id AND k.mode = ws.mode AND k.revoked_at IS NULL)
      AS passkeys`,
    `EXISTS (SELECT FROM wallet_passkeys k WHERE k.wallet_user_id = ws.wallet_user_id AND k.mode = ws.mode AND k.revoked_at IS NULL
      AND k.created_at > ws.pin_entered_at) AS passkey_added`,
    "u.open_in IS NOT NULL AS shared",
  ])}
  ) AS s ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', a.id, 'currency', a.currency, 'digits', wc.digits, 'balance', a.balance::text,
      'closed', a.closed_at IS NOT NULL, 'rate', r.rate::text, 'spread', r.spread_percent::text)
      ORDER BY a.currency <> o.currency, a.currency) AS wallets
    FROM accounts a JOIN currencies wc ON wc.code = a.currency
    LEFT JOIN LATERAL (
      SELECT x.rate, x.spread_percent FROM exchange_rates x
      WHERE x.mode = o.mode AND x.base = a.currency AND x.quote = o.currency AND x.effective_from <= now.read_at AND wc.active AND c.active
      ORDER BY x.effective_from DESC, x.created_at DESC LIMIT 1
    ) AS r ON true
    WHERE s.signed_in AND a.wallet_user_id = s.user_id AND a.kind = 'shopper'
  ) AS w ON true
  LEFT JOIN LATERAL (
    SELECT sq.id, sq.account_id, sq.payer_currency, qc.digits::int AS digits, sq.payer_amount, trim_scale(sq.rate)::text AS rate, sq.expires_at,
      ${marginAtSql({ mode: "o.mode", from: "sq.payer_currency", to: "o.currency", at: "sq.created_at" })} AS margin
    FROM shopper_quotes sq JOIN currencies qc ON qc.code = sq.payer_currency
    WHERE s.signed_in AND o.status = 'PENDING' AND sq.order_id = o.id AND sq.wallet_user_id = s.user_id AND sq.used_at IS NULL
      AND sq.expires_at > now.read_at AND (requested.quote_id IS NULL OR sq.id = requested.quote_id)
    ORDER BY sq.created_at DESC LIMIT 1
  ) AS q ON true
  WHERE o.token = requested.token LIMIT 1) AS one`;

/** Amounts in minor units. */
export type Wallet = {
  id: string;
  currency: Currency;
  balance: bigint;
  closed: boolean;
  /** Whether the balance and any missing amount are hidden. */
  hidden: boolean;
  /** The current price of the order if this wallet pays; null if {@link convertPrice} finds none. */
  price: ConvertedPrice | null;
};

/** A usable quote of the signed-in shopper. */
export type Offer = {
  id: string;
  accountId: string;
  currency: Currency;
  /** The amount debited from the wallet, in minor units. */
  amount: bigint;
  rate: string;
  /** The margin within the rate, in percent; null if no longer known. */
  marginPercent: string | null;
  expiresAt: Date;
};

export type Shopper = {
  id: string;
  name: string;
  /** The device where the session signed in; null if no longer known. */
  deviceId: string | null;
  /** Whether wrong PINs on other devices have locked out unknown devices. */
  wrongPinsElsewhere: boolean;
  /** Whether the PIN was entered for this order in the last few minutes. */
  pinFresh: boolean;
  /** The number of passkeys that may replace the PIN, and whether one was added since the PIN was entered. */
  passkeys: number;
  passkeyAdded: boolean;
  /** Whether this is the sandbox's open shopper, whom anyone may sign in as and who cannot have a passkey. */
  shared: boolean;
  rotationDue: boolean;
  /** Whether name and balances are hidden, because the PIN reset required only a phone number or e-mail address. */
  hidden: boolean;
};

export type Payment = {
  walletUserId: string | null;
  /** Whether the merchant's test shopper paid. */
  inTest: boolean;
  currency: Currency;
  /** The amount debited from the payer's wallet, in minor units of `currency`. */
  amount: bigint;
  /** Null if nothing was converted. */
  rate: string | null;
};

/** Everything that the payment page and its actions need to know about one order, from one read. */
export type Checkout = {
  order: OrderModel;
  currency: Currency;
  merchant: {
    name: string;
    accent: string | null;
    logo: { id: string; type: LogoType; width: number; height: number } | null;
  };
  /** Database time of the read. */
  readAt: Date;
  /** The session of the presented token, even if it has ended, because forms are bound to it. */
  sessionId: string | null;
  /** Null if the visitor is signed out. */
  shopper: Shopper | null;
  /** The shopper's open and closed wallets; the wallet in the order's currency comes first. */
  wallets: Wallet[];
  offer: Offer | null;
  payment: Payment | null;
  /** Name of the sandbox's open shopper, whom a signed-out visitor of a payable order may sign in as; otherwise null. */
  openShopper: string | null;
};

type CheckoutQuery = { token: string; session: string | undefined; quoteId: string | undefined };

async function readRows(
  { config, database }: Context,
  queries: readonly CheckoutQuery[],
): Promise<(CheckoutRow | null)[]> {
  const rows = await queryRows(database.pool, checkoutRow, {
    name: "checkouts",
    text: CHECKOUTS_QUERY,
    values: [
      queries.map(({ token }) => token),
      queries.map(({ session }) => (session === undefined ? null : Buffer.from(hashSecret(session)))),
      queries.map(({ quoteId }) => quoteId ?? null),
      config.pinFreshSeconds,
      ROTATE_AFTER_SECONDS,
    ],
  });
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return queries.map((_, at) => byPosition.get(at + 1) ?? null);
}

const checkoutReads: GroupedWork<CheckoutQuery, CheckoutRow | null> = {
  partitionOf: ({ token }) => token,
  conflictKeysOf: () => [],
  runGroup: readRows,
  runOne: async (context, query) => (await readRows(context, [query]))[0] ?? null,
};

/**
 * Reads an order and the shopper's data for it, and sets the order to EXPIRED if overdue before returning it.
 * @param token payment token of the order. @param session token of the wallet session.
 * @param quoteId default: the newest usable quote.
 * @throws OperationError OrderNotFound.
 */
export async function readCheckout(
  context: Context,
  token: string,
  session: string | undefined,
  quoteId?: string,
): Promise<Checkout> {
  for (;;) {
    const row = await runGrouped(context, checkoutReads, { token, session, quoteId });
    if (!row) throw new OperationError(ErrorCode.OrderNotFound);
    const { order } = row;
    if (order.status !== "PENDING" || order.expiresAt > row.read_at) return toCheckout(row);
    // Time only moves forward, so the second read finds the order in a final state.
    await expireOrder(context, order);
  }
}

function toCheckout(row: CheckoutRow): Checkout {
  const { order } = row;
  const currency = { code: order.currency, digits: row.digits };
  return {
    order,
    currency,
    merchant: { name: row.merchant_name, accent: row.accent, logo: toLogo(row) },
    readAt: row.read_at,
    sessionId: row.session_id,
    shopper:
      row.signed_in && row.user_id !== null && row.user_name !== null
        ? {
            id: row.user_id,
            name: row.user_name,
            deviceId: row.device_id,
            wrongPinsElsewhere: row.wrong_pins_elsewhere === true,
            pinFresh: row.pin_fresh === true,
            passkeys: row.passkeys ?? 0,
            passkeyAdded: row.passkey_added === true,
            shared: row.shared === true,
            rotationDue: row.rotation_due === true,
            hidden: row.pin_reset_at !== null,
          }
        : null,
    wallets: (row.wallets ?? []).map(({ id, currency: code, digits, balance, closed, rate, spread }) => ({
      id,
      currency: { code, digits },
      balance,
      closed,
      hidden: row.pin_reset_at !== null,
      price: convertPrice(
        { amount: order.amount, currency },
        { code, digits },
        rate === null || spread === null ? null : { rate, spread },
      ),
    })),
    offer: toOffer(row),
    payment: toPayment(row),
    openShopper: row.signed_in ? null : row.open_shopper,
  };
}

const toLogo = ({ logo_id: id, logo_type: type, logo_width: width, logo_height: height }: CheckoutRow) =>
  id === null || type === null || width === null || height === null ? null : { id, type, width, height };

const toOffer = (row: CheckoutRow): Offer | null =>
  row.offer_id === null ||
  row.offer_account_id === null ||
  row.offer_currency === null ||
  row.offer_digits === null ||
  row.offer_amount === null ||
  row.offer_rate === null ||
  row.offer_expires_at === null
    ? null
    : {
        id: row.offer_id,
        accountId: row.offer_account_id,
        currency: { code: row.offer_currency, digits: row.offer_digits },
        amount: row.offer_amount,
        rate: row.offer_rate,
        marginPercent: row.offer_margin,
        expiresAt: row.offer_expires_at,
      };

const toPayment = (row: CheckoutRow): Payment | null => {
  const { payerCurrency, payerAmount } = row.order;
  return payerCurrency === null || payerAmount === null || row.paid_digits === null
    ? null
    : {
        walletUserId: row.payer_user_id,
        inTest: row.paid_in_test === true,
        currency: { code: payerCurrency, digits: row.paid_digits },
        amount: payerAmount,
        rate: row.paid_rate,
      };
};

type CheckoutRow = z.output<typeof contextSchema> & { order: OrderModel };
