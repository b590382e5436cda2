import { type ConsoleDifference, type ConsoleShop, consoleShopQuerySchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import {
  type ComparedShop,
  listShops,
  readShop,
  type ShopDifference,
} from "../../reports/comparisons/list.js";
import { removeShop } from "../../reports/comparisons/remove-shop.js";
import { type DifferenceTexts, differenceTexts } from "../../reports/comparisons/texts.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { withRightInMode } from "./caller.js";

const BASE = "/merchants/:merchant/:mode/reports/shops";

const toShop = (shop: ComparedShop): ConsoleShop => ({
  shop_id: shop.id,
  name: shop.name,
  site: shop.site,
  key: shop.key,
  started_at: wireTime(shop.startedAt),
  completed_at: shop.completedAt && wireTime(shop.completedAt),
  running: shop.running,
  compared: shop.compared,
  skipped: shop.skipped,
  overdue: shop.overdue,
  differences: shop.differences,
});

const toDifference =
  ({ text, advice, label }: DifferenceTexts) =>
  (difference: ShopDifference): ConsoleDifference => ({
    difference_id: `${difference.orderId} ${difference.subject} ${difference.subjectId} ${difference.field}`,
    order_id: difference.orderId,
    known: difference.known,
    order_number: difference.orderNumber,
    order_url: difference.orderUrl,
    text: text(difference.kind, difference.values),
    advice: advice(difference.kind),
    repair: difference.repair && label(difference.repair),
    found_at: wireTime(difference.foundAt),
  });

export function serveShops(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, BASE, {
    get: allowed("reports.view", async (access, _request, response) => {
      const shops = await listShops(context, access);
      succeed(response, "Shops retrieved", { shops: shops.map(toShop) });
    }),
  });

  serve(router, `${BASE}/:shop`, {
    get: allowed("reports.view", async (access, request, response) => {
      const query = parse(consoleShopQuerySchema, request.query);
      const id = pathParameter(request, "shop");
      const { shop, differences, next } = await readShop(context, access, { ...query, shop: id });
      const describe = toDifference(differenceTexts(query.language));
      succeed(response, "Shop retrieved", {
        shop: toShop(shop),
        differences: differences.map(describe),
        next,
      });
    }),
  });

  serve(router, `${BASE}/:shop/remove`, {
    post: [
      allowed("shops.remove", async (access, request, response) => {
        await removeShop(context, access, pathParameter(request, "shop"));
        succeed(response, "Shop removed", {});
      }),
    ],
  });
}
