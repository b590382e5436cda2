import type { Mode } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { findWalletUser, readPhone } from "./find-wallet-user.js";

type Scope = { merchantId: string; mode: Mode };

/** So many of the newest rows of one reference, order number or person are found. */
const MAX_MATCHES = 1_000;
const idSchema = z.object({ id: z.string() });

/** The wallet user that an e-mail address or a phone number names, or null. */
export async function personOf(context: Context, mode: Mode, text: string): Promise<string | null> {
  const by = text.includes("@") ? { email: text } : { phone: text };
  if ("phone" in by && readPhone(text) === null) return null;
  return (await findWalletUser(context, by, mode))?.id ?? null;
}

/** Ids are written in capitals; people paste them as they find them. */
const asIds = (text: string): string[] => [text, text.toUpperCase()];

const idsOf = async (rows: PromiseLike<unknown[]>): Promise<string[]> =>
  parseRows(idSchema, await rows).map(({ id }) => id);

/** Orders by id, transaction id, payment token, reference, order number, or the e-mail or phone of the payer. */
export async function ordersMatching(
  context: Context,
  { merchantId, mode }: Scope,
  text: string,
): Promise<string[]> {
  const person = await personOf(context, mode, text);
  const ofMerchant = Prisma.sql`o.merchant_id = ${merchantId}::uuid AND o.mode = ${mode}::mode`;
  const newest = Prisma.sql`ORDER BY o.created_at DESC, o.id DESC LIMIT ${MAX_MATCHES}`;
  return idsOf(context.database.prisma.$queryRaw<unknown[]>`
    SELECT o.id FROM orders o WHERE o.id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT o.id FROM orders o WHERE o.trx_id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT o.id FROM orders o WHERE o.token = ${text} AND ${ofMerchant}
    UNION (SELECT o.id FROM orders o WHERE ${ofMerchant} AND o.reference = ${text} ${newest})
    UNION (SELECT o.id FROM orders o WHERE ${ofMerchant} AND o.order_number = ${text} ${newest})
    UNION SELECT o.id FROM accounts a
      CROSS JOIN LATERAL (SELECT transfer_id FROM entries WHERE account_id = a.id ORDER BY id DESC LIMIT ${MAX_MATCHES}) AS e
      JOIN orders o ON o.transfer_id = e.transfer_id AND ${ofMerchant}
      WHERE a.wallet_user_id = ${person}::uuid`);
}

/** Refunds by id or reference, and those of orders that {@link ordersMatching} finds. */
export async function refundsMatching(context: Context, scope: Scope, text: string): Promise<string[]> {
  const orders = await ordersMatching(context, scope, text);
  const ofMerchant = Prisma.sql`r.merchant_id = ${scope.merchantId}::uuid AND r.mode = ${scope.mode}::mode`;
  return idsOf(context.database.prisma.$queryRaw<unknown[]>`
    SELECT r.id FROM refunds r WHERE r.id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION (SELECT r.id FROM refunds r WHERE ${ofMerchant} AND r.reference = ${text} ORDER BY r.created_at DESC, r.id DESC LIMIT ${MAX_MATCHES})
    UNION (SELECT r.id FROM refunds r WHERE r.order_id = ANY(${orders}) AND ${ofMerchant} LIMIT ${MAX_MATCHES})`);
}

/** Payouts by id, transaction id, reference, or the e-mail or phone of the recipient. */
export async function payoutsMatching(
  context: Context,
  { merchantId, mode }: Scope,
  text: string,
): Promise<string[]> {
  const person = await personOf(context, mode, text);
  const ofMerchant = Prisma.sql`p.merchant_id = ${merchantId}::uuid AND p.mode = ${mode}::mode`;
  return idsOf(context.database.prisma.$queryRaw<unknown[]>`
    SELECT p.id FROM payouts p WHERE p.id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT p.id FROM payouts p WHERE p.trx_id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT p.id FROM payouts p WHERE ${ofMerchant} AND p.reference = ${text}
    UNION SELECT p.id FROM accounts a
      CROSS JOIN LATERAL (SELECT transfer_id FROM entries WHERE account_id = a.id ORDER BY id DESC LIMIT ${MAX_MATCHES}) AS e
      JOIN payouts p ON p.transfer_id = e.transfer_id AND ${ofMerchant}
      WHERE a.wallet_user_id = ${person}::uuid
    UNION (SELECT p.id FROM payouts p WHERE ${ofMerchant} AND p.status = 'pending' AND p.wallet_user_id = ${person}::uuid LIMIT ${MAX_MATCHES})`);
}
