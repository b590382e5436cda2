import { isLiveAddress, parseWebAddress, withoutTrailingSlashes } from "@tillgate/contract";
import { type Kind, readBy } from "@tillgate/service/settings";
import { z } from "zod";
import type { StoreCredential } from "./settings.js";

/** How long a payment may be paid where the settings do not say, in seconds. */
const DEFAULT_EXPIRES_IN = 900;
/** A payment ends this many seconds before the store gives its stock to another, or at half that time where it is short. */
const HOLD_STOCK_MARGIN = 600;

export const webAddress = readBy("an absolute http or https address", (text) =>
  parseWebAddress(text) === undefined ? undefined : withoutTrailingSlashes(text),
);

/** The longest time for a payment that is safe with a store's minutes of holding stock, in seconds. */
const longestPayment = (holdStockMinutes: number): number =>
  holdStockMinutes * 60 - Math.min(HOLD_STOCK_MARGIN, holdStockMinutes * 30);

// One pasted in place of the other is refused before it is stored or shown: an id stands in logs and on screens, a secret must not.
const clientId = z
  .string()
  .regex(/^(?!tgs_)./, { error: "is a client secret; the client id begins with tg_test_ or tg_live_" });
const clientSecret = z
  .string()
  .regex(/^(?!tg_)./, { error: "is a client id; the client secret begins with tgs_test_ or tgs_live_" });

const otherStatuses = z.array(z.string().regex(/^(?!wc-)[a-z0-9_-]{1,17}$/)).default([]);

/** Keys of one mode. */
export const keyFields = z.strictObject({ client_id: clientId, client_secret: clientSecret });

/** What `CONNECTOR_STORES` says of one store. */
export const storeFields = z.strictObject({
  /** The store's name in the connector's addresses: letters, digits, hyphens, underscores. */
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must be 1 to 64 letters, digits, hyphens or underscores" }),
  /** The store's address, as WordPress knows it. */
  url: webAddress.schema,
  /** The store's or the connector's address before a move. Left out: a database of another store or connector is taken for a copy's, and nothing is done. */
  moved_from: webAddress.schema.optional(),
  /** A REST key of the store that may read and write. */
  consumer_key: z.string().regex(/^(?!cs_)./, { error: "must be a consumer key, not its secret" }),
  /** Secret of that key. */
  consumer_secret: z.string().regex(/^(?!ck_)./, { error: "must be a consumer secret, not its key" }),
  /** Client id of the Tillgate credential whose mode is `mode`. Left out: the one of `sandbox` or `live`. */
  client_id: clientId.optional(),
  /** Secret of that credential. */
  client_secret: clientSecret.optional(),
  /** Keys of the sandbox, `client_id` and `client_secret`: kept beside those of live, so that another `mode` needs nothing more. */
  sandbox: keyFields.optional(),
  /** Keys of live, kept beside those of the sandbox. */
  live: keyFields.optional(),
  /** The secret before: what it signed acts after Tillgate has confirmed it, and only for payments of its own mode and client. Taken out, it is ended. */
  previous_client_secret: clientSecret.optional(),
  /** Client id before, where the store moved to another client: open payments are followed with it. Left out: as now. */
  previous_client_id: clientId.optional(),
  /** Mode before, where the store moved from the sandbox to live. Left out: as now. */
  previous_mode: z.enum(["sandbox", "live"]).optional(),
  /** Mode in which payments are made. Those of the other mode are followed to their end while its keys are here. */
  mode: z.enum(["sandbox", "live"]),
  /** Where the shopper goes afterwards, with {order_id} and {order_key} in it. */
  return_url: z
    .string()
    .refine(
      (value) =>
        value.includes("{order_id}") && value.includes("{order_key}") && parseWebAddress(value) !== undefined,
      { error: "must be an absolute address that holds {order_id} and {order_key}" },
    ),
  /** The payment method's id in the store. */
  payment_method: z.string().min(1).default("tillgate"),
  /** Seconds in which a payment must be made, at least 10 minutes below `hold_stock_minutes`. Left out: 900, or less where stock is held shorter. */
  expires_in: z.int().min(60).max(3600).optional(),
  /** WooCommerce's "Hold stock (minutes)": unpaid orders are cancelled after it, and a payment ends at least 10 minutes (half of it, where it is short) before. Where the store holds for ever, leave it. */
  hold_stock_minutes: z.int().min(2).max(100_000).default(60),
  /** The secret of the store's webhook `order.updated` to `/v1/stores/{id}/store-webhook`. Left out: changes are found by the poll only. */
  webhook_secret: z.string().min(1).optional(),
  /** Statuses of other plugins in which an order can be paid, without `wc-`: for stores before WooCommerce 7.8, which do not say. */
  payable_statuses: otherStatuses,
  /** Statuses of other plugins that count as paid, without `wc-`. */
  paid_statuses: otherStatuses,
  /** Seconds that the store may take for one response. */
  timeout_seconds: z.int().min(5).max(120).default(30),
  /** What a refund made in the store does: `send` moves the money at Tillgate, `ignore` nothing. */
  shop_refunds: z.enum(["send", "ignore"]).default("send"),
  /** Whether the store's record of a refund made at Tillgate carries lines, tax and shipping in proportion, so that tax reports are right. */
  refund_lines: z.boolean().default(true),
  /** Whether the items of an order that is refunded at once at Tillgate go back into stock. */
  restock_refunds: z.boolean().default(false),
});

const storeSchema = storeFields.transform((store, context) => {
  const refuse = (name: keyof typeof store, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  const longest = longestPayment(store.hold_stock_minutes);
  const expires_in = store.expires_in ?? Math.min(DEFAULT_EXPIRES_IN, longest);
  if (expires_in > longest)
    refuse(
      "expires_in",
      `must be at most ${longest}, so that a payment ends before the store gives up its stock`,
    );
  for (const name of ["previous_client_id", "previous_mode"] as const)
    if (store[name] !== undefined && store.previous_client_secret === undefined)
      refuse(name, "needs previous_client_secret");
  const { client_id, client_secret, mode, ...others } = store;
  const isPasted = client_id !== undefined && client_secret !== undefined;
  const ofMode = store[mode];
  if (client_id !== undefined || client_secret !== undefined) {
    if (!isPasted)
      refuse(client_id === undefined ? "client_id" : "client_secret", "is required beside the other");
    if (ofMode !== undefined)
      refuse(mode, "must not be there beside client_id and client_secret of that mode");
  } else if (ofMode === undefined)
    refuse("client_id", `is required, with client_secret, where there are no keys in ${mode}`);
  for (const [name, other] of [
    ["sandbox", /^tg_live_/],
    ["live", /^tg_test_/],
  ] as const)
    if (other.test(store[name]?.client_id ?? "")) refuse(name, "are keys of the other mode");
  const current = isPasted ? { client_id, client_secret } : ofMode;
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
    .pipe(z.array(storeSchema).min(1, { error: "must name at least one store" }).max(100))
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
      error: "must not name a store twice",
    }),
};

/**
 * The credential in use and after it those that reach payments begun before: the one before it, and the other mode's.
 * @param apiUrl the address of Tillgate: live keys that wait for their mode never go to one without https
 */
export function credentialsOf(store: StoreConfig, apiUrl: string): [StoreCredential, ...StoreCredential[]] {
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

/** Whether it takes real money, or follows payments of it. */
export const isLive = ({ mode, previous_mode }: StoreConfig): boolean =>
  mode === "live" || previous_mode === "live";
