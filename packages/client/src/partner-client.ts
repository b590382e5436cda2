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
  /** Determines the merchant and the mode. */
  apiToken: string;
};

/** The recipient's phone number, in any common notation, or e-mail address. */
export type LookupRecipient = { phone: string } | { email: string };

/** `POST /quote`. The amount is in the sender currency's main unit. */
export type QuotePayout = {
  lookup_token: string;
  amount: string | number;
  sender_currency: string;
  receiver_currency: string;
};

/** `POST /payout`: with a quote, or directly. `reference` is your own, unique reference. */
export type ExecutePayout = ({ quote_id: string } | QuotePayout) & {
  reference: string;
  description?: string;
  /** Your own key-value pairs, returned unchanged: up to 20 keys of up to 40 characters, with values of up to 500. */
  metadata?: Record<string, string>;
  /** Generated if omitted. Pass your own so that a call repeated after a restart does not pay a second time. */
  idempotency_key?: string;
};

export type ListPayouts = ListQuery<PayoutStatus>;

export type PartnerClient = {
  lookup(recipient: LookupRecipient, options?: CallOptions): Promise<LookupResult>;
  quote(input: QuotePayout, options?: CallOptions): Promise<Quote>;
  /** `duplicate` is true if an earlier call with the same idempotency key created the payout. */
  payout(input: ExecutePayout, options?: CallOptions): Promise<{ payout: Payout; duplicate: boolean }>;
  getPayout(payoutId: string, options?: CallOptions): Promise<Payout>;
  /** Returns a page of payouts, newest first. */
  listPayouts(query?: ListPayouts, options?: CallOptions): Promise<PayoutList>;
  /** Iterates over all payouts, newest first: `for await (const payout of partner.allPayouts())`. */
  allPayouts(query?: WalkQuery<ListPayouts>, options?: CallOptions): AsyncIterable<Payout>;
  balances(options?: CallOptions): Promise<Balances["balances"]>;
};

const isLiveToken = (token: string): boolean => token.startsWith("tgt_live_");

/**
 * Creates a client for lookups, quotes, payouts and balances.
 * @throws TypeError or RangeError for an invalid option; the message never contains the token
 */
export function createPartnerClient(options: PartnerClientOptions): PartnerClient {
  const { apiToken } = options;
  if (!/^[\w-]+$/.test(apiToken))
    throw new TypeError("apiToken must be a complete token: only letters, digits, _ and -");
  const transport = createTransport(options, {
    path: PARTNER_API_PATHS[1],
    live: isLiveToken(apiToken),
    authorize: async () => `Bearer ${apiToken}`,
    secrets: [apiToken],
  });
  return {
    async lookup(recipient, call = {}) {
      const body = { ...recipient };
      return send(transport, {
        method: "POST",
        path: "/lookup",
        body,
        schema: lookupResponseSchema,
        ...call,
      });
    },
    async quote(input, call = {}) {
      const body = { ...input };
      return send(transport, { method: "POST", path: "/quote", body, schema: quoteResponseSchema, ...call });
    },
    async payout(input, call = {}) {
      const data = await send(transport, {
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
      return (await send(transport, { method: "GET", path, schema: payoutResponseSchema, ...call })).payout;
    },
    allPayouts: (filters = {}, call = {}) =>
      walk(filters, async (query) => {
        const schema = payoutListResponseSchema;
        const data = await send(transport, { method: "GET", path: "/payouts", query, schema, ...call });
        return { items: data.payouts, next: data.next_cursor };
      }),
    async listPayouts(query = {}, call = {}) {
      const schema = payoutPageResponseSchema;
      return send(transport, { method: "GET", path: "/payouts", query: { ...query }, schema, ...call });
    },
    async balances(call = {}) {
      return (
        await send(transport, { method: "GET", path: "/balance", schema: balancesResponseSchema, ...call })
      ).balances;
    },
  };
}
