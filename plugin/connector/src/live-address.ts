import { parseAddress } from "@tillgate/contract";

/**
 * With real money nothing goes over plain HTTP: our secrets to Tillgate, its events to us, the shopper back to the shop.
 * Loopback is for the sandbox.
 */
export const isLiveAddress = (address: string): boolean => parseAddress(address)?.protocol === "https:";
