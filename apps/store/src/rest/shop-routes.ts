import type { Router } from "express";
import { SHOP_DECIMALS } from "../amounts.js";
import { WOOCOMMERCE_VERSION } from "./order-view.js";
import { type RestContext, route } from "./rest-request.js";

/** What a client can ask about the shop itself: its currency and its version. */
export function addShopRoutes(router: Router, { storeUrl, currency }: RestContext): void {
  router.get(
    "/system_status",
    route(async (_request, response) => {
      response.json({
        environment: { home_url: storeUrl, site_url: storeUrl, version: WOOCOMMERCE_VERSION },
        settings: { currency, number_of_decimals: SHOP_DECIMALS },
      });
    }),
  );
}
