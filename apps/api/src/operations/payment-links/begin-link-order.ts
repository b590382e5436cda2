import { FieldRule, LINK_ORDER_SECONDS, Refusal } from "@tillgate/contract";
import { hashSecret, type OrderModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import { inTransaction } from "@tillgate/service";
import type { Context } from "../../context.js";
import { OrderOverdueError, OrderSettledError } from "../../ledger/refusals.js";
import { OperationError, wrongField } from "../../operation-error.js";
import { readAmount } from "../../readers/amounts.js";
import { currencyOf } from "../../readers/currencies.js";
import { cancelPending } from "../orders/cancel-order.js";
import { consoleClient } from "../orders/console-client.js";
import { createOrder } from "../orders/create-order.js";
import { orderUnderWay } from "./order-under-way.js";
import { isBusy, linkOfAddress, type PaymentLinkModel, stateOfLink, usesOf } from "./payment-link.js";

/**
 * Makes the order of a visitor who opened a payment link, or finds the one that this visitor has under way for the same amount: pressing
 * again, or coming back, makes no second one.
 *
 * The order is made first and takes its use of the link after, under the link's lock: only then is its page told to anybody. One that got
 * no use is cancelled; where the process dies between, nobody knows its address, and it expires.
 *
 * @param amount as the shopper typed it, for a link that leaves it open.
 * @throws OperationError PaymentLinkNotFound, PaymentLinkNotOpen, MerchantSuspended, InvalidFields (amount).
 */
export async function beginLinkOrder(
  context: Context,
  token: string,
  {
    visitor,
    amount: typed,
    requestId,
  }: { visitor: string; amount: number | string | undefined; requestId: string },
): Promise<Pick<OrderModel, "token">> {
  const { link } = await linkOfAddress(context, token);
  const amount = await amountOf(context, link, typed);
  const { pool } = context.database;
  const visitorHash = Buffer.from(hashSecret(visitor));
  const underWay = await orderUnderWay(pool, { linkId: link.id, visitorHash, amount: amount.minor });
  if (underWay) return underWay;
  const client = await consoleClient(context, link);
  const { order } = await createOrder(
    context,
    client,
    {
      amount: amount.text,
      currency: link.currency,
      payment_method: "both",
      description: link.description,
      expires_in: LINK_ORDER_SECONDS,
    },
    requestId,
  );
  const used = await takeUse(context, { link, order, visitorHash });
  if (used.id !== order.id) await cancelUnused(context, order);
  if (used.refused) throw new OperationError(Refusal.PaymentLinkNotOpen);
  return used;
}

type Use = { id: string; token: string; refused: boolean };

/** Gives an order its use of a link, one order after the other. */
const takeUse = (
  { database: { pool } }: Context,
  { link, order, visitorHash }: { link: PaymentLinkModel; order: OrderModel; visitorHash: Buffer },
): Promise<Use> =>
  inTransaction(pool, async (connection) => {
    await connection.query("SELECT FROM payment_links WHERE id = $1 FOR UPDATE", [link.id]);
    const underWay = await orderUnderWay(connection, { linkId: link.id, visitorHash, amount: order.amount });
    if (underWay) return { ...underWay, refused: false };
    const [uses] = await usesOf(connection, [link]);
    const refused = { id: "", token: "", refused: true };
    if (uses === undefined || stateOfLink(uses) !== "open" || isBusy(uses)) return refused;
    const { rowCount } = await connection.query(
      `INSERT INTO payment_link_orders (order_id, link_id, merchant_id, mode, visitor_hash)
       SELECT $1, l.id, l.merchant_id, l.mode, $3 FROM payment_links l
       WHERE l.id = $2 AND l.closed_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > clock_timestamp())`,
      [order.id, link.id, visitorHash],
    );
    return rowCount === 1 ? { id: order.id, token: order.token, refused: false } : refused;
  });

/** Its address was told to nobody, so that it is pending, or its time is over. */
async function cancelUnused(context: Context, order: OrderModel): Promise<void> {
  try {
    await cancelPending(context, order);
  } catch (error) {
    if (!(error instanceof OrderOverdueError || error instanceof OrderSettledError)) throw error;
  }
}

/** @throws OperationError InvalidFields (amount). */
async function amountOf(
  context: Context,
  { currency: code, amount, minAmount, maxAmount }: PaymentLinkModel,
  typed: number | string | undefined,
): Promise<{ minor: bigint; text: string }> {
  const currency = await currencyOf(context, code);
  const textOf = (minor: bigint): string => formatDecimal(minor, currency.digits);
  if (amount !== null) return { minor: amount, text: textOf(amount) };
  if (typed === undefined) throw wrongField("amount", FieldRule.Required.text);
  const minor = readAmount(typed, currency);
  if (minAmount !== null && minor < minAmount)
    throw wrongField("amount", `must be at least ${textOf(minAmount)}`);
  if (maxAmount !== null && minor > maxAmount)
    throw wrongField("amount", `must not be more than ${textOf(maxAmount)}`);
  return { minor, text: textOf(minor) };
}
