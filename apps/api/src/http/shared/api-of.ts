import { type Api, CHECKOUT_PATH, CONSOLE_PATH, PARTNER_API_PATHS } from "@tillgate/contract";

/** The API of an address. An address that belongs to none is answered like the Pay API. */
export const apiOf = (address: string): Api => {
  if (address.startsWith(`${CHECKOUT_PATH}/`)) return "checkout";
  if (address.startsWith(`${CONSOLE_PATH}/`)) return "console";
  return PARTNER_API_PATHS.some((path) => address.startsWith(`${path}/`)) ? "partner" : "pay";
};
