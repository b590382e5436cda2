import {
  type BalanceEntry,
  type BalanceEntryList,
  balanceEntryListResponseSchema,
  type WalletBalance,
  walletBalancesResponseSchema,
} from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { walk } from "./paging.js";
import { send, type Transport } from "./send.js";

/** `GET /balances/{currency}/entries`. */
export type ListBalanceEntries = {
  /** The `next_cursor` of the previous page. */
  cursor?: string;
  per_page?: number;
};

export type WalletBalances = {
  /** Lists the wallets of this mode, with balances and held amounts. */
  list(options?: CallOptions): Promise<WalletBalance[]>;
  /** Returns a page of a wallet's statement, newest entries first. */
  entries(currency: string, query?: ListBalanceEntries, options?: CallOptions): Promise<BalanceEntryList>;
  /** Iterates over the whole statement, newest entries first: `for await (const entry of balances.allEntries("EUR"))`. */
  allEntries(
    currency: string,
    query?: ListBalanceEntries,
    options?: CallOptions,
  ): AsyncIterable<BalanceEntry>;
};

export function balancesResource(transport: Transport): WalletBalances {
  const entries: WalletBalances["entries"] = async (currency, query = {}, options = {}) => {
    const path = `/balances/${encodeURIComponent(currency)}/entries`;
    const schema = balanceEntryListResponseSchema;
    return send(transport, { method: "GET", path, query: { ...query }, schema, ...options });
  };
  return {
    entries,
    async list(options = {}) {
      const schema = walletBalancesResponseSchema;
      return (await send(transport, { method: "GET", path: "/balances", schema, ...options })).balances;
    },
    allEntries: (currency, filters = {}, options = {}) =>
      walk(filters, async (query) => {
        const page = await entries(currency, query, options);
        return { items: page.entries, next: page.next_cursor };
      }),
  };
}
