import {
  type CheckoutMerchant,
  checkoutMerchantSchema,
  MAX_COUNTED_USES,
  type PaymentLinkState,
  Refusal,
} from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import { type Queryable, rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";

export type PaymentLinkModel = Prisma.PaymentLinkGetPayload<object>;

/** A link and how many of its orders were paid: a use counts when it is paid. */
export type UsedLink = { link: PaymentLinkModel; paid: number; now: Date };

/** A payment link of this merchant and mode. @throws OperationError PaymentLinkNotFound. */
export async function requirePaymentLink(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<PaymentLinkModel> {
  const link = await prisma.paymentLink.findFirst({ where: { id, merchantId, mode } });
  if (!link) throw new OperationError(Refusal.PaymentLinkNotFound);
  return link;
}

/** The merchant of a link as the payment page shows it, beside the link. */
export type LinkOfAddress = {
  link: PaymentLinkModel;
  merchant: Pick<CheckoutMerchant, "name" | "logo"> & { accent: string | null };
};

/** The link that an address names. @throws OperationError PaymentLinkNotFound. */
export async function linkOfAddress(
  { database: { prisma } }: Context,
  token: string,
): Promise<LinkOfAddress> {
  const found = await prisma.paymentLink.findUnique({
    where: { token },
    include: { merchant: { select: { name: true, branding: { omit: { logo: true } } } } },
  });
  if (!found) throw new OperationError(Refusal.PaymentLinkNotFound);
  const { merchant, ...link } = found;
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

/** A refunded order was paid: it stays PAID here. */
const USES = `
  SELECT l.id AS link_id, clock_timestamp() AS now,
    (SELECT count(*)::int FROM (SELECT FROM payment_link_orders u JOIN orders o ON o.id = u.order_id
      WHERE u.link_id = l.id AND o.status = 'PAID' LIMIT greatest($2, l.max_uses)) AS counted) AS paid
  FROM payment_links l WHERE l.id = ANY($1)`;

/** The uses of links, in their order. Those of a link without a limit are counted up to {@link MAX_COUNTED_USES}. */
export async function usesOf(connection: Queryable, links: readonly PaymentLinkModel[]): Promise<UsedLink[]> {
  const rows = await rowsOf(connection, usesSchema, USES, [links.map(({ id }) => id), MAX_COUNTED_USES]);
  const found = new Map(rows.map((row) => [row.link_id, row]));
  return links.flatMap((link) => {
    const row = found.get(link.id);
    return row === undefined ? [] : [{ link, paid: row.paid, now: row.now }];
  });
}

/** Whether a link takes a payment. What is closed by hand says so first. */
export function stateOfLink({ link, paid, now }: UsedLink): PaymentLinkState {
  if (link.closedAt !== null) return "closed";
  if (link.maxUses !== null && paid >= link.maxUses) return "used";
  return link.expiresAt !== null && link.expiresAt <= now ? "expired" : "open";
}
