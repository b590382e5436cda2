import {
  type ConsolePaymentLink,
  consolePaymentLinkChangeSchema,
  consolePaymentLinkRequestSchema,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import type { Context } from "../../context.js";
import { createPaymentLink, setPaymentLinkClosed } from "../../money/links/create.js";
import {
  getLinkState,
  type LinkWithUsage,
  listOrdersOfLink,
  listPaymentLinks,
  loadUses,
  type PaymentLinkModel,
  requirePaymentLink,
} from "../../money/links/read.js";
import { consoleStatus } from "../../money/orders/list.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { withRightInMode } from "./caller.js";
import { toMoney } from "./shapes.js";

const BASE = "/merchants/:merchant/:mode/links";

export function servePaymentLinks(router: Router, context: Context): void {
  const allowed = withRightInMode(context);
  const readLinkId = (request: Request): string => pathParameter(request, "link");
  const withUses = async (link: PaymentLinkModel): Promise<ConsolePaymentLink> => {
    const [uses] = await loadUses(context.database.pool, [link]);
    if (uses === undefined) throw new Error(`payment link ${link.id} was deleted`);
    return toLink(context, uses);
  };

  serve(router, BASE, {
    get: allowed("payments.view", async (access, _request, response) => {
      const links = await listPaymentLinks(context, access);
      succeed(response, "Payment links retrieved", {
        links: await Promise.all(links.map((link) => toLink(context, link))),
      });
    }),
    post: allowed("links.change", async (access, request, response) => {
      const fields = parse(consolePaymentLinkRequestSchema, request.body);
      const link = await createPaymentLink(context, access, fields, access.timeZone);
      succeed(response, "Payment link created", { link: await withUses(link), orders: [] });
    }),
  });

  serve(router, `${BASE}/:link`, {
    get: allowed("payments.view", async (access, request, response) => {
      const link = await requirePaymentLink(context, access, readLinkId(request));
      const orders = await listOrdersOfLink(context, link);
      succeed(response, "Payment link retrieved", {
        link: await withUses(link),
        orders: await Promise.all(
          orders.map(async ({ id, state, refunded, amount, currency, createdAt }) => ({
            order_id: id,
            status: consoleStatus({ state, refunded }),
            money: await toMoney(context, amount, currency),
            created_at: wireTime(createdAt),
          })),
        ),
      });
    }),
    post: allowed("links.change", async (access, request, response) => {
      const { closed } = parse(consolePaymentLinkChangeSchema, request.body);
      const link = await setPaymentLinkClosed(context, { ...access, linkId: readLinkId(request) }, closed);
      succeed(response, "Payment link changed", { link: await withUses(link), orders: [] });
    }),
  });
}

async function toLink(context: Context, uses: LinkWithUsage): Promise<ConsolePaymentLink> {
  const { link, paid } = uses;
  const toNullableMoney = async (minor: bigint | null) =>
    minor === null ? null : await toMoney(context, minor, link.currency);
  return {
    link_id: link.id,
    description: link.description,
    currency: link.currency,
    amount: await toNullableMoney(link.amount),
    min_amount: await toNullableMoney(link.minAmount),
    max_amount: await toNullableMoney(link.maxAmount),
    max_uses: link.maxUses,
    paid,
    state: getLinkState(uses),
    url: `${context.config.payUrl}/l/${link.token}`,
    expires_at: link.expiresAt && wireTime(link.expiresAt),
    created_at: wireTime(link.createdAt),
  };
}
