/** The receiver's host and port; addresses that are no URL share one name. */
export const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).host : "no host";
