import { parseAddress } from "@tillgate/contract";

/** The receiver's host and port; addresses that are no URL share one name. */
export const hostOf = (address: string): string => parseAddress(address)?.host ?? "no host";
