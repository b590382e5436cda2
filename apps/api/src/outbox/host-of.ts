import { parseAddress } from "@tillgate/contract";

/** The host and port of an address: what records and logs say of it, since path and query may hold a secret. Addresses that are no URL share one name. */
export const hostOf = (address: string): string => parseAddress(address)?.host ?? "no host";
