import {
  type CheckoutLink,
  type CheckoutMerchant,
  checkoutMerchantSchema,
  ErrorCode,
  MAX_COUNTED_USES,
  MAX_PAYMENT_LINKS,
  type PaymentLinkState,
} from "@tillgate/contract";
import { hashSecret, type OrderModel, type Prisma } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { type Queryable, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { isIssuedId } from "../../platform/ids.js";
import { getCurrency } from "../currencies.js";

export type PaymentLinkModel = Prisma.PaymentLinkGetPayload<object>;

/** `paid` counts the paid orders, which are the link's uses. `now` is database time. */
export type LinkWithUsage = { link: PaymentLinkModel; paid: number; now: Date };

/** @throws OperationError PaymentLinkNotFound. */
export async function requirePaymentLink(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<PaymentLinkModel> {
  const link = isIssuedId(id)
    ? await prisma.paymentLink.findFirst({ where: { id, merchantId, mode } })
    : null;
  if (!link) throw new OperationError(ErrorCode.PaymentLinkNotFound);
  return link;
}

type LinkWithMerchant = {
  link: PaymentLinkModel;
  merchant: Pick<CheckoutMerchant, "name" | "logo"> & { accent: string | null };
};

/** @throws OperationError PaymentLinkNotFound. */
export async function findLinkByToken(
  { database: { prisma } }: Context,
  token: string,
): Promise<LinkWithMerchant> {
  const row = await prisma.paymentLink.findUnique({
    where: { token },
    include: { merchant: { select: { name: true, branding: { omit: { logo: true } } } } },
  });
  if (!row) throw new OperationError(ErrorCode.PaymentLinkNotFound);
  const { merchant, ...link } = row;
  const { name, accent = null, logoId, logoType, logoWidth, logoHeight } = merchant.branding ?? {};
  const logo = { id: logoId, type: logoType, width: logoWidth, height: logoHeight };
  return {
    link,
    merchant: {
      name: name ?? merchant.name,
      accent,
      logo: logoId == null ? null : checkoutMerchantSchema.shape.logo.parse(logo),
    },
  };
}

const usesSchema = z.object({
  link_id: z.string(),
  paid: z.int(),
  now: z.date(),
});

/** Refunded orders count as uses, because their `status` stays PAID. */
const USES = `
  SELECT l.id AS link_id, clock_timestamp() AS now,
    (SELECT count(*)::int FROM (SELECT FROM payment_link_orders u JOIN orders o ON o.id = u.order_id
      WHERE u.link_id = l.id AND o.status = 'PAID' LIMIT greatest($2, l.max_uses)) AS counted) AS paid
  FROM payment_links l WHERE l.id = ANY($1)`;

/**
 * Counts the uses of links: up to {@link MAX_COUNTED_USES} for a link without a limit. Omits links that were deleted after they were read.
 */
export async function loadUses(
  connection: Queryable,
  links: readonly PaymentLinkModel[],
): Promise<LinkWithUsage[]> {
  const rows = await queryRows(connection, usesSchema, USES, [links.map(({ id }) => id), MAX_COUNTED_USES]);
  const byLink = new Map(rows.map((row) => [row.link_id, row]));
  return links.flatMap((link) => {
    const row = byLink.get(link.id);
    return row === undefined ? [] : [{ link, paid: row.paid, now: row.now }];
  });
}

/** Returns a link's state. `closed` takes precedence over `used`, and `used` over `expired`. */
export function getLinkState({ link, paid, now }: LinkWithUsage): PaymentLinkState {
  if (link.closedAt !== null) return "closed";
  if (link.maxUses !== null && paid >= link.maxUses) return "used";
  return link.expiresAt !== null && link.expiresAt <= now ? "expired" : "open";
}

const openOrderSchema = z.object({ id: z.string(), token: z.string() });
export type OpenLinkOrder = z.output<typeof openOrderSchema>;

/** Finds a visitor's newest pending order that is not overdue, if any. @param amount in minor units; any amount if omitted. */
export async function findOpenLinkOrder(
  connection: Queryable,
  { linkId, visitorHash, amount }: { linkId: string; visitorHash: Buffer; amount?: bigint },
): Promise<OpenLinkOrder | undefined> {
  const [order] = await queryRows(
    connection,
    openOrderSchema,
    `SELECT o.id, o.token FROM payment_link_orders u JOIN orders o ON o.id = u.order_id
     WHERE u.link_id = $1 AND u.visitor_hash = $2 AND o.status = 'PENDING' AND o.expires_at > clock_timestamp()
       AND ($3::bigint IS NULL OR o.amount = $3)
     ORDER BY u.created_at DESC LIMIT 1`,
    [linkId, visitorHash, amount ?? null],
  );
  return order;
}

export async function countOpenLinkOrders(
  connection: Queryable,
  { linkId, visitorHash }: { linkId: string; visitorHash: Buffer },
): Promise<number> {
  const { open } = await queryOneRow(
    connection,
    z.object({ open: z.int() }),
    `SELECT count(*)::int AS open FROM payment_link_orders u JOIN orders o ON o.id = u.order_id
     WHERE u.link_id = $1 AND u.visitor_hash = $2 AND o.status = 'PENDING' AND o.expires_at > clock_timestamp()`,
    [linkId, visitorHash],
  );
  return open;
}

export type OpenedLink = LinkWithMerchant & {
  currency: Currency;
  state: CheckoutLink["state"];
  openOrder: OpenLinkOrder | null;
};

/** @throws OperationError PaymentLinkNotFound. */
export async function readPaymentLink(context: Context, token: string, visitor: string): Promise<OpenedLink> {
  const link = await findLinkByToken(context, token);
  const { pool } = context.database;
  const visitorHash = Buffer.from(hashSecret(visitor));
  const [currency, [uses], openOrder] = await Promise.all([
    getCurrency(context, link.link.currency),
    loadUses(pool, [link.link]),
    findOpenLinkOrder(pool, { linkId: link.link.id, visitorHash }),
  ]);
  if (uses === undefined) throw new Error(`payment link ${link.link.id} was deleted`);
  const state = getLinkState(uses);
  // An open order of a used-up link cannot be paid.
  return { ...link, currency, state, openOrder: state === "used" ? null : (openOrder ?? null) };
}

export async function listPaymentLinks(
  { database: { prisma, pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<LinkWithUsage[]> {
  const links = await prisma.paymentLink.findMany({
    where: { merchantId, mode },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_PAYMENT_LINKS,
  });
  return loadUses(pool, links);
}

const MAX_SHOWN = 50;

export async function listOrdersOfLink(
  { database: { prisma } }: Context,
  { id }: Pick<PaymentLinkModel, "id">,
): Promise<OrderModel[]> {
  const linkOrders = await prisma.paymentLinkOrder.findMany({
    where: { linkId: id },
    orderBy: { createdAt: "desc" },
    take: MAX_SHOWN,
    include: { order: true },
  });
  return linkOrders.map(({ order }) => order);
}
