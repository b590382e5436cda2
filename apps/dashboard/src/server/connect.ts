import { isSecureAddress, parseWebAddress, withoutTrailingSlashes } from "@tillgate/contract";
import { needed, refuseField } from "./forms";
import type { Action } from "./request";

/**
 * Makes the link to the settings of the WordPress plugin in a shop, from where its owner connects it. The link is shown, for the owner to press: a form
 * of ours leads to our own pages only.
 * @param apiOrigin where the plugin reaches the api
 * @param section the place's page that has the form; its home if left out
 */
export const wordPressSettings =
  (apiOrigin: () => string, ...section: string[]): Action =>
  async ({ here }, form) => {
    const url = parseWebAddress(needed(form, "shop"));
    if (url === undefined || !isSecureAddress(url)) return refuseField("shop", "error.shopAddress");
    const query = new URLSearchParams({
      page: "wc-settings",
      tab: "checkout",
      section: "tillgate",
      tillgate_connect: apiOrigin(),
    });
    const address = `${withoutTrailingSlashes(`${url.origin}${url.pathname}`)}/wp-admin/admin.php?${query}`;
    return { to: here(...section), flash: { secret: { kind: "return", address, shop: url.host } } };
  };
