/** Maximum size of a request body, in bytes. Larger bodies are rejected with 413. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Maximum size of a merchant's logo, in bytes. */
export const MAX_LOGO_BYTES = 128 * 1024;
/** Maximum body of the console's logo upload; base64 adds a third. */
export const MAX_LOGO_BODY_BYTES = 192 * 1024;

/** Limits of a bulk payout: lines, file size in bytes, and the size of the JSON body that uploads it. */
export const MAX_BATCH_LINES = 1_000;
export const MAX_BATCH_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 384 * 1024;

/** Limits of a call that compares a shop's orders: orders, and bytes of its body. */
export const MAX_COMPARED_ORDERS = 10_000;
export const MAX_COMPARED_REFUNDS = 10_000;
export const MAX_COMPARISON_BODY_BYTES = 8 * 1024 * 1024;

/** Maximum number of compared shops per merchant and mode, and of stored differences per shop. */
export const MAX_COMPARED_SHOPS = 100;
export const MAX_SHOP_DIFFERENCES = 10_000;
export const MAX_MERCHANT_DIFFERENCES = 20_000;

/** Base path of the Pay API per mode. A key of the other mode is rejected. */
export const PAY_API_PATH = { sandbox: "/pay/sandbox/api/v1", live: "/pay/api/v1" } as const;

/** Maximum number of endpoints per merchant and mode. */
export const MAX_RECEIVERS = 16;

/** Maximum number of tills per merchant and mode. */
export const MAX_TILLS = 100;

/** Maximum number of payment links per merchant and mode, and of uses per link. */
export const MAX_PAYMENT_LINKS = 500;
export const MAX_LINK_USES = 100_000;

/** Maximum number of embedding origins per merchant and mode. Limited, because each response lists them in a header. */
export const MAX_EMBED_ORIGINS = 20;

/** Maximum number of active test controls per merchant. */
export const MAX_TEST_CONTROLS = 20;

/** Maximum number of events per replay. */
export const MAX_REPLAY_EVENTS = 100_000;

/** Number of events listed in a replay's preview. */
export const MAX_PREVIEW_EVENTS = 20;

/** Maximum number of saved views per user and list. */
export const MAX_VIEWS = 20;

/** Maximum number of entries in a statement period. */
export const MAX_PERIOD_ENTRIES = 1_000;

/** Requests per minute: per merchant on the Pay API and the Partner API, per client IP address on the token endpoint. */
export const PAY_REQUESTS_PER_MINUTE = 600;
export const PARTNER_REQUESTS_PER_MINUTE = 120;
export const TOKEN_REQUESTS_PER_MINUTE = 30;

/** Lifetime of a lookup token; matches the default of `lookup_tokens.expires_at`. */
export const LOOKUP_TOKEN_MINUTES = 10;

/** Maximum lifetime of a quote for a payout, payment or conversion; matches the default of `quotes.expires_at`. */
export const QUOTE_MINUTES = 5;
