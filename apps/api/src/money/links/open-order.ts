import { ErrorCode, FieldRule, LINK_ORDER_SECONDS } from "@tillgate/contract";
import { hashSecret, type OrderModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import { inTransaction } from "@tillgate/service";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import { OrderOverdueError, OrderSettledError } from "../../ledger/errors.js";
import { readAmount } from "../../pagination/amounts.js";
import { getCurrency } from "../currencies.js";
import { cancelPending } from "../orders/cancel.js";
import { getConsoleClient } from "../orders/console-client.js";
import { createOrder } from "../orders/create.js";
import {
  countOpenLinkOrders,
  findLinkByToken,
  findOpenLinkOrder,
  getLinkState,
  loadUses,
  type OpenLinkOrder,
  type PaymentLinkModel,
} from "./read.js";

/** Limit per visitor and link. A visitor has at most one open order per amount. */
export const MAX_OPEN_LINK_ORDERS = 3;
/** Retry-After for a visitor with too many open orders. */
const RETRY_SECONDS = 60;

/**
 * Returns the visitor's open order for the link and amount, or creates an order. Only a paid order consumes a use of the link.
 * @param amount as the shopper typed it; ignored if the link has an amount.
 * @throws OperationError PaymentLinkNotFound, PaymentLinkNotOpen, TooManyAttempts, MerchantSuspended, InvalidFields.
 */
export async function findOrCreateLinkOrder(
  context: Context,
  token: string,
  {
    visitor,
    amount: typed,
    requestId,
  }: { visitor: string; amount: number | string | undefined; requestId: string },
): Promise<Pick<OrderModel, "token">> {
  const { link } = await findLinkByToken(context, token);
  const amount = await resolveAmount(context, link, typed);
  const { pool } = context.database;
  const visitorHash = Buffer.from(hashSecret(visitor));
  const openOrder = await findOpenLinkOrder(pool, { linkId: link.id, visitorHash, amount: amount.minor });
  if (openOrder) return openOrder;
  requireFewOpen(await countOpenLinkOrders(pool, { linkId: link.id, visitorHash }));
  const client = await getConsoleClient(context, link);
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
  const joined = await joinLink(context, { link, order, visitorHash }).catch(async (error: unknown) => {
    if (error instanceof OperationError) await cancelUnused(context, order);
    throw error;
  });
  if (joined.id !== order.id) await cancelUnused(context, order);
  return joined;
}

function requireFewOpen(open: number): void {
  if (open >= MAX_OPEN_LINK_ORDERS)
    throw new OperationError(ErrorCode.TooManyAttempts, { retryAfterSeconds: RETRY_SECONDS });
}

/**
 * Adds the order to the link; calls for one link are serialized.
 * @returns the order, or the visitor's open order for the same amount that a concurrent call has added.
 */
const joinLink = (
  { database: { pool } }: Context,
  { link, order, visitorHash }: { link: PaymentLinkModel; order: OrderModel; visitorHash: Buffer },
): Promise<OpenLinkOrder> =>
  inTransaction(pool, async (connection) => {
    await connection.query("SELECT FROM payment_links WHERE id = $1 FOR UPDATE", [link.id]);
    const openOrder = await findOpenLinkOrder(connection, {
      linkId: link.id,
      visitorHash,
      amount: order.amount,
    });
    if (openOrder) return openOrder;
    requireFewOpen(await countOpenLinkOrders(connection, { linkId: link.id, visitorHash }));
    const [uses] = await loadUses(connection, [link]);
    if (uses === undefined || getLinkState(uses) !== "open")
      throw new OperationError(ErrorCode.PaymentLinkNotOpen);
    const { rowCount } = await connection.query(
      `INSERT INTO payment_link_orders (order_id, link_id, merchant_id, mode, visitor_hash)
       SELECT $1, l.id, l.merchant_id, l.mode, $3 FROM payment_links l
       WHERE l.id = $2 AND l.closed_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > clock_timestamp())`,
      [order.id, link.id, visitorHash],
    );
    if (rowCount !== 1) throw new OperationError(ErrorCode.PaymentLinkNotOpen);
    return { id: order.id, token: order.token };
  });

/** Cancels an order that nobody can have paid, because its URL was never returned. The order is still pending, or expired. */
async function cancelUnused(context: Context, order: OrderModel): Promise<void> {
  try {
    await cancelPending(context, order);
  } catch (error) {
    if (!(error instanceof OrderOverdueError || error instanceof OrderSettledError)) throw error;
  }
}

async function resolveAmount(
  context: Context,
  { currency: code, amount, minAmount, maxAmount }: PaymentLinkModel,
  input: number | string | undefined,
): Promise<{ minor: bigint; text: string }> {
  const currency = await getCurrency(context, code);
  const format = (minor: bigint): string => formatDecimal(minor, currency.digits);
  if (amount !== null) return { minor: amount, text: format(amount) };
  if (input === undefined) throw invalidField("amount", FieldRule.Required.text);
  const minor = readAmount(input, currency);
  if (minAmount !== null && minor < minAmount)
    throw invalidField("amount", `must be at least ${format(minAmount)}`);
  if (maxAmount !== null && minor > maxAmount)
    throw invalidField("amount", `must not be more than ${format(maxAmount)}`);
  return { minor, text: format(minor) };
}
