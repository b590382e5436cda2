import type { Router } from "express";
import { shopDecimals } from "../amounts.js";
import { currencyName, currencySign } from "./currencies.js";
import { woocommerceVersion } from "./order-view.js";
import { RestError } from "./rest-error.js";
import { type RestContext, route } from "./rest-request.js";

/** What a client can ask about the shop itself: its currency and its version. */
export function addShopRoutes(router: Router, { links, currency }: RestContext): void {
  const currencyView = {
    code: currency,
    name: currencyName(currency),
    symbol: currencySign(currency),
    _links: {
      self: links.self(`data/currencies/${currency}`, ["GET"]),
      collection: links.to("data/currencies"),
    },
  };
  const settings = [
    { id: "woocommerce_currency", label: "Currency", type: "select", default: "USD", value: currency },
    {
      id: "woocommerce_price_num_decimals",
      label: "Number of decimals",
      type: "number",
      default: "2",
      value: String(shopDecimals),
    },
  ].map((setting) => ({
    ...setting,
    description: "",
    tip: "",
    group_id: "general",
    _links: {
      self: links.self(`settings/general/${setting.id}`, ["GET"]),
      collection: links.to("settings/general"),
    },
  }));

  router.get(
    "/data/currencies/current",
    route(async (_request, response) => {
      response.json(currencyView);
    }),
  );
  router.get(
    "/settings/general",
    route(async (_request, response) => {
      response.json(settings);
    }),
  );
  router.get(
    "/settings/general/:id",
    route(async (request, response) => {
      const setting = settings.find(({ id }) => id === request.params.id);
      if (!setting) throw new RestError("rest_setting_setting_invalid", "Invalid setting.", 404);
      response.json(setting);
    }),
  );
  router.get(
    "/system_status",
    route(async (_request, response) => {
      response.json({
        environment: {
          home_url: links.storeUrl,
          site_url: links.storeUrl,
          version: woocommerceVersion,
          default_timezone: "UTC",
        },
        settings: {
          currency,
          currency_symbol: currencySign(currency),
          currency_position: "left",
          thousand_separator: ",",
          decimal_separator: ".",
          number_of_decimals: shopDecimals,
        },
      });
    }),
  );
}
