import { parseAddress } from "@tillgate/contract";

/**
 * The host and port of an address, for records and logs: path and query may hold a secret. Texts that are no URL share one
 * name.
 */
export const hostOf = (address: string): string => parseAddress(address)?.host ?? "no host";
