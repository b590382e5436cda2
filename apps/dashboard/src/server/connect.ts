import { isSecureAddress, parseWebAddress, trimTrailingSlashes } from "@tillgate/contract";
import { rejectField, requiredField } from "./forms";
import type { Action } from "./request";

/**
 * Creates an action that shows a link to the plugin's settings in WordPress instead of redirecting, because our Content-Security-Policy
 * restricts form targets to our own pages.
 * @throws FormRejected for a missing, invalid or insecure URL
 */
export const wordPressSettings =
  (apiOrigin: () => string, ...section: string[]): Action =>
  async ({ consolePath }, form) => {
    const url = parseWebAddress(requiredField(form, "shop"));
    if (url === undefined || !isSecureAddress(url)) return rejectField("shop", "error.shopAddress");
    const query = new URLSearchParams({
      page: "wc-settings",
      tab: "checkout",
      section: "tillgate",
      tillgate_connect: apiOrigin(),
    });
    const address = `${trimTrailingSlashes(`${url.origin}${url.pathname}`)}/wp-admin/admin.php?${query}`;
    return { to: consolePath(...section), flash: { secret: { kind: "return", address, shop: url.host } } };
  };
