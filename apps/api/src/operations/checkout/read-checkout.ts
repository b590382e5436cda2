import { type LogoType, Refusal } from "@tillgate/contract";
import { hashSecret, type OrderModel } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { rowsOf } from "@tillgate/service";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { inSets } from "../../sets/in-sets.js";
import type { SetWork } from "../../sets/set-work.js";
import { expireOrder } from "../orders/expire-order.js";
import { CHECKOUTS_QUERY, type CheckoutRow, checkoutRow } from "./checkout-row.js";
import { type Conversion, convertPrice } from "./convert-price.js";
import { ROTATE_AFTER_SECONDS } from "./wallet-session.js";

/** A wallet of the signed-in shopper. Amounts in minor units. */
export type Wallet = {
  id: string;
  currency: Currency;
  balance: bigint;
  closed: boolean;
  /** The balance is not shown, nor what is missing from it. */
  hidden: boolean;
  /** What the order costs from here now; null: no rate leads to the order's currency. */
  price: Conversion | null;
};

/** A quote of the signed-in shopper that can still be used. */
export type Offer = {
  id: string;
  accountId: string;
  currency: Currency;
  /** What leaves the wallet, in minor units. */
  amount: bigint;
  rate: string;
  /** What of the rate is margin, in percent; null where that is not known any more. */
  marginPercent: string | null;
  expiresAt: Date;
};

export type Shopper = {
  id: string;
  name: string;
  /** Where the session was signed in; null where that is no longer known. */
  deviceId: string | null;
  /** Somebody else entered so many wrong PINs that strangers were locked out. */
  wrongPinsElsewhere: boolean;
  /** The PIN was entered for this order a few minutes ago. */
  pinFresh: boolean;
  /** How many may confirm in place of the PIN, and whether one was added since it was entered. */
  passkeys: number;
  passkeyAdded: boolean;
  /** The sandbox's open shopper, as whom anybody signs in: whose passkey would it be? */
  shared: boolean;
  rotationDue: boolean;
  /** The PIN was reset by phone or e-mail alone: name and balances are hidden. */
  hidden: boolean;
};

/** How a paid order was paid. */
export type Payment = {
  walletUserId: string | null;
  /** By the merchant's test shopper. */
  inTest: boolean;
  currency: Currency;
  amount: bigint;
  /** Null where nothing was converted. */
  rate: string | null;
};

/** All that the page and its steps need of one order, read at one time. */
export type Checkout = {
  order: OrderModel;
  currency: Currency;
  merchant: {
    name: string;
    accent: string | null;
    logo: { id: string; type: LogoType; width: number; height: number } | null;
  };
  /** The database's clock at the read. */
  readAt: Date;
  /** The session of the presented token, also one that is over: forms are bound to it. */
  sessionId: string | null;
  /** Null when signed out. */
  shopper: Shopper | null;
  /** The shopper's wallets, closed ones too; the one in the order's currency first. */
  wallets: Wallet[];
  offer: Offer | null;
  payment: Payment | null;
  /** The sandbox's open shopper, as whom a signed-out visitor may sign in; null where there is none. */
  openShopper: string | null;
};

type CheckoutAskedFor = { token: string; session: string | undefined; quoteId: string | undefined };

async function readRows(
  { config, database }: Context,
  asked: readonly CheckoutAskedFor[],
): Promise<(CheckoutRow | null)[]> {
  const rows = await rowsOf(database.pool, checkoutRow, {
    name: "checkouts",
    text: CHECKOUTS_QUERY,
    values: [
      asked.map(({ token }) => token),
      asked.map(({ session }) => (session === undefined ? null : Buffer.from(hashSecret(session)))),
      asked.map(({ quoteId }) => quoteId ?? null),
      config.pinFreshSeconds,
      ROTATE_AFTER_SECONDS,
    ],
  });
  const found = new Map(rows.map((row) => [row.place, row]));
  return asked.map((_, at) => found.get(at + 1) ?? null);
}

/** Checkouts that are asked for at the same moment are read together. */
const checkoutReads: SetWork<CheckoutAskedFor, CheckoutRow | null> = {
  laneOf: ({ token }) => token,
  claimsOf: () => [],
  together: readRows,
  alone: async (context, one) => (await readRows(context, [one]))[0] ?? null,
};

/**
 * Reads an order by its unguessable token, with everything around it; an overdue one becomes EXPIRED first.
 * @param quoteId the quote that is asked about; the newest that can still be used when left out.
 * @throws OperationError OrderNotFound.
 */
export async function readCheckout(
  context: Context,
  token: string,
  session: string | undefined,
  quoteId?: string,
): Promise<Checkout> {
  for (;;) {
    const row = await inSets(context, checkoutReads, { token, session, quoteId });
    if (!row) throw new OperationError(Refusal.OrderNotFound);
    const { order } = row;
    if (order.status !== "PENDING" || order.expiresAt > row.read_at) return fromRow(row);
    // Time does not run back, so the second round finds it settled.
    await expireOrder(context, order);
  }
}

function fromRow(row: CheckoutRow): Checkout {
  const { order } = row;
  const currency = { code: order.currency, digits: row.digits };
  return {
    order,
    currency,
    merchant: { name: row.merchant_name, accent: row.accent, logo: logoOf(row) },
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
    offer: offerOf(row),
    payment: paymentOf(row),
    openShopper: row.signed_in ? null : row.open_shopper,
  };
}

const logoOf = ({ logo_id: id, logo_type: type, logo_width: width, logo_height: height }: CheckoutRow) =>
  id === null || type === null || width === null || height === null ? null : { id, type, width, height };

const offerOf = (row: CheckoutRow): Offer | null =>
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

const paymentOf = (row: CheckoutRow): Payment | null => {
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
