import {
  type BalanceEntry,
  type BalanceEntryList,
  balanceEntryListAnswerSchema,
  type WalletBalance,
  walletBalancesAnswerSchema,
} from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { walk } from "./paging.js";
import { type Line, send } from "./send.js";

/** `GET /balances/{currency}/entries`. */
export type ListBalanceEntries = {
  /** The `next_cursor` of an earlier list. */
  cursor?: string;
  per_page?: number;
};

export type WalletBalances = {
  /** The wallets of this mode, and what is held beside each. */
  list(options?: CallOptions): Promise<WalletBalance[]>;
  /** A page of a wallet's statement, the newest entry first, each with the balance after it. */
  entries(currency: string, query?: ListBalanceEntries, options?: CallOptions): Promise<BalanceEntryList>;
  /** All of it, page by page: `for await (const entry of balances.allEntries("EUR"))`. */
  allEntries(
    currency: string,
    query?: ListBalanceEntries,
    options?: CallOptions,
  ): AsyncIterable<BalanceEntry>;
};

export function balancesOf(line: Line): WalletBalances {
  const entries: WalletBalances["entries"] = async (currency, query = {}, options = {}) => {
    const path = `/balances/${encodeURIComponent(currency)}/entries`;
    const answer = balanceEntryListAnswerSchema;
    return (await send(line, { method: "GET", path, query: { ...query }, answer, ...options })).data;
  };
  return {
    entries,
    async list(options = {}) {
      const answer = walletBalancesAnswerSchema;
      return (await send(line, { method: "GET", path: "/balances", answer, ...options })).data.balances;
    },
    allEntries: (currency, filters = {}, options = {}) =>
      walk(filters, async (query) => {
        const page = await entries(currency, query, options);
        return { items: page.entries, next: page.next_cursor };
      }),
  };
}
