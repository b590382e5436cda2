import { isLiveAddress, parseWebAddress, trimTrailingSlashes } from "@tillgate/contract";
import { type Kind, readBy } from "@tillgate/service/settings";
import { z } from "zod";
import type { StoreCredential } from "./settings.js";

/** Default validity of a payment, in seconds. */
const DEFAULT_EXPIRES_IN = 900;
/**
 * A payment expires at least this many seconds before the store releases the stock or, if stock is held for less than 20 minutes, halfway
 * through that time at the latest.
 */
const HOLD_STOCK_MARGIN = 600;

export const webAddress = readBy("an absolute http or https URL", (text) =>
  parseWebAddress(text) === undefined ? undefined : trimTrailingSlashes(text),
);

/** Returns the maximum validity of a payment for the store's "Hold stock (minutes)", in seconds. */
const maxExpiresIn = (holdStockMinutes: number): number =>
  holdStockMinutes * 60 - Math.min(HOLD_STOCK_MARGIN, holdStockMinutes * 30);

// A swapped ID and secret are rejected before anything is stored or shown: IDs appear in logs and on screens, and secrets must not.
const clientId = z
  .string()
  .regex(/^(?!tgs_)./, { error: "is a client secret; a client ID starts with tg_test_ or tg_live_" });
const clientSecret = z
  .string()
  .regex(/^(?!tg_)./, { error: "is a client ID; a client secret starts with tgs_test_ or tgs_live_" });

const otherStatuses = z.array(z.string().regex(/^(?!wc-)[a-z0-9_-]{1,17}$/)).default([]);

export const keyFields = z.strictObject({ client_id: clientId, client_secret: clientSecret });

/** One store in `CONNECTOR_STORES`. */
export const storeFields = z.strictObject({
  /** The store's name in the connector's URLs: letters, digits, hyphens, underscores. */
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must be 1 to 64 letters, digits, hyphens or underscores" }),
  /** The store's address, as WordPress knows it. */
  url: webAddress.schema,
  /** Previous address of the store or the connector after a move. Unset: a database from another address is treated as a copy, and nothing is processed. */
  moved_from: webAddress.schema.optional(),
  /** The store's REST API key, with read and write access. */
  consumer_key: z.string().regex(/^(?!cs_)./, { error: "must be a consumer key, not its secret" }),
  /** Secret of that key. */
  consumer_secret: z.string().regex(/^(?!ck_)./, { error: "must be a consumer secret, not its key" }),
  /** Client ID of the Tillgate credential for `mode`. Unset: the one in `sandbox` or `live`. */
  client_id: clientId.optional(),
  /** Secret of that credential. */
  client_secret: clientSecret.optional(),
  /** Sandbox keys, `client_id` and `client_secret`, so that a change of `mode` needs no other setting. */
  sandbox: keyFields.optional(),
  /** Live keys, `client_id` and `client_secret`. */
  live: keyFields.optional(),
  /** The previous client secret. Webhooks signed with it are applied only after Tillgate confirms them, and only for payments of its own mode and client. To revoke the secret, remove this setting. */
  previous_client_secret: clientSecret.optional(),
  /** Previous client ID, to complete open payments after a change of client. Unset: unchanged. */
  previous_client_id: clientId.optional(),
  /** Previous mode, after a change from sandbox to live. Unset: unchanged. */
  previous_mode: z.enum(["sandbox", "live"]).optional(),
  /** Mode of new payments. Payments of the other mode are tracked until completed, as long as that mode's keys are set. */
  mode: z.enum(["sandbox", "live"]),
  /** Return address for the shopper, with {order_id} and {order_key}. */
  return_url: z
    .string()
    .refine(
      (value) =>
        value.includes("{order_id}") && value.includes("{order_key}") && parseWebAddress(value) !== undefined,
      { error: "must be an absolute URL that contains {order_id} and {order_key}" },
    ),
  /** ID of the payment method in the store. */
  payment_method: z.string().min(1).default("tillgate"),
  /** Seconds until a payment expires if it is not paid, within the limit that `hold_stock_minutes` sets. Unset: 900, or less if stock is held for a shorter time. */
  expires_in: z.int().min(60).max(3600).optional(),
  /** WooCommerce's "Hold stock (minutes)", after which it cancels unpaid orders. A payment expires at least 10 minutes earlier or, if this period is short, halfway through it. If WooCommerce never releases stock, keep the default. */
  hold_stock_minutes: z.int().min(2).max(100_000).default(60),
  /** Secret of the store's `order.updated` webhook to `/v1/stores/{id}/store-webhook`. Unset: changes are found by polling. */
  webhook_secret: z.string().min(1).optional(),
  /** Custom statuses in which an order can be paid, without `wc-`. Required with WooCommerce versions before 7.8, which don't report whether an order can be paid. */
  payable_statuses: otherStatuses,
  /** Custom statuses that count as paid, without `wc-`. */
  paid_statuses: otherStatuses,
  /** Timeout of a request to the store, in seconds. */
  timeout_seconds: z.int().min(5).max(120).default(30),
  /** Refunds made in the store. `send`: Tillgate refunds the money. `ignore`: no money is refunded. */
  shop_refunds: z.enum(["send", "ignore"]).default("send"),
  /** Whether a refund made in Tillgate is allocated proportionally to lines, tax and shipping in the store, so that tax reports are correct. */
  refund_lines: z.boolean().default(true),
  /** Whether a single full refund made in Tillgate restocks the order's items. */
  restock_refunds: z.boolean().default(false),
});

const storeSchema = storeFields.transform((store, context) => {
  const reject = (name: keyof typeof store, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  const maximum = maxExpiresIn(store.hold_stock_minutes);
  const expires_in = store.expires_in ?? Math.min(DEFAULT_EXPIRES_IN, maximum);
  if (expires_in > maximum)
    reject(
      "expires_in",
      `must be at most ${maximum}, so that a payment expires before the store releases its stock`,
    );
  for (const name of ["previous_client_id", "previous_mode"] as const)
    if (store[name] !== undefined && store.previous_client_secret === undefined)
      reject(name, "needs previous_client_secret");
  const { client_id, client_secret, mode, ...others } = store;
  const isPasted = client_id !== undefined && client_secret !== undefined;
  const modeKeys = store[mode];
  if (client_id !== undefined || client_secret !== undefined) {
    if (!isPasted)
      reject(
        client_id === undefined ? "client_id" : "client_secret",
        `is required, because ${client_id === undefined ? "client_secret" : "client_id"} is set`,
      );
    if (modeKeys !== undefined)
      reject(mode, "must not be set together with client_id and client_secret of that mode");
  } else if (modeKeys === undefined)
    reject("client_id", `is required, with client_secret, unless ${mode} has keys`);
  for (const [name, other] of [
    ["sandbox", /^tg_live_/],
    ["live", /^tg_test_/],
  ] as const)
    if (other.test(store[name]?.client_id ?? "")) reject(name, "are keys of the other mode");
  const current = isPasted ? { client_id, client_secret } : modeKeys;
  if (current === undefined) return z.NEVER;
  return { ...others, mode, ...current, expires_in };
});
export type StoreConfig = z.output<typeof storeSchema>;

export const stores: Kind<StoreConfig[]> = {
  limit: "a JSON array of 1 to 100 stores",
  schema: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "must be a JSON array" });
        return z.NEVER;
      }
    })
    .pipe(z.array(storeSchema).min(1, { error: "must contain at least one store" }).max(100))
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
      error: "must not contain a store twice",
    }),
};

/**
 * Lists the current credential, then those that open payments may still need.
 * @param apiUrl if plain HTTP, a sandbox store's live keys are omitted
 */
export function listCredentials(store: StoreConfig, apiUrl: string): [StoreCredential, ...StoreCredential[]] {
  const { mode, client_id, client_secret, previous_client_secret } = store;
  const { previous_mode = mode, previous_client_id = client_id } = store;
  const credentials: [StoreCredential, ...StoreCredential[]] = [
    { mode, clientId: client_id, clientSecret: client_secret },
  ];
  if (previous_client_secret !== undefined)
    credentials.push({
      mode: previous_mode,
      clientId: previous_client_id,
      clientSecret: previous_client_secret,
    });
  const otherMode = mode === "sandbox" ? "live" : "sandbox";
  const other = store[otherMode];
  if (other !== undefined && (otherMode === "sandbox" || isLiveAddress(apiUrl)))
    credentials.push({ mode: otherMode, clientId: other.client_id, clientSecret: other.client_secret });
  return credentials;
}

/** Returns whether the current or the previous mode of new payments is live. */
export const isLive = ({ mode, previous_mode }: StoreConfig): boolean =>
  mode === "live" || previous_mode === "live";
