import {
  type Balances,
  balancesResponseSchema,
  type LookupResult,
  lookupResponseSchema,
  PARTNER_API_PATHS,
  type Payout,
  type PayoutList,
  type PayoutStatus,
  payoutListResponseSchema,
  payoutPageResponseSchema,
  payoutResponseSchema,
  type Quote,
  quoteResponseSchema,
} from "@tillgate/contract";
import { type CallOptions, type ListQuery, type WalkQuery, withIdempotencyKey } from "./call-options.js";
import { walk } from "./paging.js";
import { send } from "./send.js";
import { type ConnectionOptions, createTransport } from "./transport.js";

export type PartnerClientOptions = ConnectionOptions & {
  /** Says the merchant and the mode. */
  apiToken: string;
};

/** Who is to be paid: by phone in any usual spelling, or by e-mail. */
export type LookupRecipient = { phone: string } | { email: string };

/** `POST /quote`. The amount is in the sender currency's main unit. */
export type QuotePayout = {
  lookup_token: string;
  amount: string | number;
  sender_currency: string;
  receiver_currency: string;
};

/** `POST /payout`: by a quote, or directly. `reference` is yours and unique. */
export type ExecutePayout = ({ quote_id: string } | QuotePayout) & {
  reference: string;
  description?: string;
  /** Your own texts by key, given back as sent: up to 20 keys of 40 characters, values of 500. */
  metadata?: Record<string, string>;
  /** Made for the call where left out. Give your own to repeat a call after a restart without a second payout. */
  idempotency_key?: string;
};

/** Filters of `GET /payouts`. */
export type ListPayouts = ListQuery<PayoutStatus>;

export type PartnerClient = {
  lookup(recipient: LookupRecipient, options?: CallOptions): Promise<LookupResult>;
  quote(input: QuotePayout, options?: CallOptions): Promise<Quote>;
  /** `duplicate` is true where the idempotency key had made this payout before. */
  payout(input: ExecutePayout, options?: CallOptions): Promise<{ payout: Payout; duplicate: boolean }>;
  getPayout(payoutId: string, options?: CallOptions): Promise<Payout>;
  /** A page of payouts, the newest first. */
  listPayouts(query?: ListPayouts, options?: CallOptions): Promise<PayoutList>;
  /** All of them, the newest first, page by page: `for await (const payout of partner.allPayouts())`. */
  allPayouts(query?: WalkQuery<ListPayouts>, options?: CallOptions): AsyncIterable<Payout>;
  balances(options?: CallOptions): Promise<Balances["balances"]>;
};

/** A token says its mode at its front, as client ids do. */
const isLiveToken = (token: string): boolean => token.startsWith("tgt_live_");

/**
 * A client of the Partner API: lookup, quote, payout, across currencies.
 *
 * @throws TypeError or RangeError where an option cannot be used; its text never repeats the token
 */
export function createPartnerClient(options: PartnerClientOptions): PartnerClient {
  const { apiToken } = options;
  if (!/^[\w-]+$/.test(apiToken)) throw new TypeError("apiToken must be the token as it was shown");
  const transport = createTransport(options, {
    path: PARTNER_API_PATHS[1],
    live: isLiveToken(apiToken),
    authorize: async () => `Bearer ${apiToken}`,
    secrets: [apiToken],
  });
  return {
    async lookup(recipient, call = {}) {
      const body = { ...recipient };
      return (
        await send(transport, {
          method: "POST",
          path: "/lookup",
          body,
          schema: lookupResponseSchema,
          ...call,
        })
      ).data;
    },
    async quote(input, call = {}) {
      const body = { ...input };
      return (
        await send(transport, { method: "POST", path: "/quote", body, schema: quoteResponseSchema, ...call })
      ).data;
    },
    async payout(input, call = {}) {
      const { data } = await send(transport, {
        method: "POST",
        path: "/payout",
        ...withIdempotencyKey(input, call),
        schema: payoutResponseSchema,
        signal: call.signal,
      });
      return { payout: data.payout, duplicate: data.duplicate ?? false };
    },
    async getPayout(payoutId, call = {}) {
      const path = `/payout/${encodeURIComponent(payoutId)}`;
      return (await send(transport, { method: "GET", path, schema: payoutResponseSchema, ...call })).data
        .payout;
    },
    allPayouts: (filters = {}, call = {}) =>
      walk(filters, async (query) => {
        const schema = payoutListResponseSchema;
        const { data } = await send(transport, { method: "GET", path: "/payouts", query, schema, ...call });
        return { items: data.payouts, next: data.next_cursor };
      }),
    async listPayouts(query = {}, call = {}) {
      const schema = payoutPageResponseSchema;
      return (
        await send(transport, { method: "GET", path: "/payouts", query: { ...query }, schema, ...call })
      ).data;
    },
    async balances(call = {}) {
      return (
        await send(transport, { method: "GET", path: "/balance", schema: balancesResponseSchema, ...call })
      ).data.balances;
    },
  };
}
