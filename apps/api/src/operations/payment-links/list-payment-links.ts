import { MAX_PAYMENT_LINKS } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { type PaymentLinkModel, type UsedLink, usesOf } from "./payment-link.js";

/** All payment links of a merchant in one mode, the newest first. */
export async function listPaymentLinks(
  { database: { prisma, pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<UsedLink[]> {
  const links = await prisma.paymentLink.findMany({
    where: { merchantId, mode },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_PAYMENT_LINKS,
  });
  return usesOf(pool, links);
}

/** More than these a link's page does not show. */
const MAX_SHOWN = 50;

/** The newest orders that were made through a link. */
export async function ordersOfLink(
  { database: { prisma } }: Context,
  { id }: Pick<PaymentLinkModel, "id">,
): Promise<OrderModel[]> {
  const made = await prisma.paymentLinkOrder.findMany({
    where: { linkId: id },
    orderBy: { createdAt: "desc" },
    take: MAX_SHOWN,
    include: { order: true },
  });
  return made.map(({ order }) => order);
}
