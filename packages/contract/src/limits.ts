/** Larger request bodies are rejected with 413. */
export const MAX_BODY_BYTES = 64 * 1024;

export const MAX_LOGO_BYTES = 128 * 1024;
/** Base64 adds a third. */
export const MAX_LOGO_BODY_BYTES = 192 * 1024;

/** `MAX_BATCH_BODY_BYTES` limits the JSON body that uploads the file. */
export const MAX_BATCH_LINES = 1_000;
export const MAX_BATCH_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 384 * 1024;

export const MAX_COMPARED_ORDERS = 10_000;
export const MAX_COMPARED_REFUNDS = 10_000;
export const MAX_COMPARISON_BODY_BYTES = 8 * 1024 * 1024;

/** Shops per merchant and mode; differences per shop, and per merchant and mode. */
export const MAX_COMPARED_SHOPS = 100;
export const MAX_SHOP_DIFFERENCES = 10_000;
export const MAX_MERCHANT_DIFFERENCES = 20_000;

/** A key of the other mode is rejected. */
export const PAY_API_PATH = { sandbox: "/pay/sandbox/api/v1", live: "/pay/api/v1" } as const;

/** Per merchant and mode. */
export const MAX_RECEIVERS = 16;

/** Per merchant and mode. */
export const MAX_TILLS = 100;

/** Links per merchant and mode, uses per link. */
export const MAX_PAYMENT_LINKS = 500;
export const MAX_LINK_USES = 100_000;

/** Per merchant and mode. Limited, because each response lists the origins in a header. */
export const MAX_EMBED_ORIGINS = 20;

/** Counts active controls per merchant. */
export const MAX_TEST_CONTROLS = 20;

export const MAX_REPLAY_EVENTS = 100_000;

export const MAX_PREVIEW_EVENTS = 20;

/** Saved views per user and list. */
export const MAX_VIEWS = 20;

export const MAX_PERIOD_ENTRIES = 1_000;

/** Per merchant on the Pay API and the Partner API, per client IP address on the token endpoint. */
export const PAY_REQUESTS_PER_MINUTE = 600;
export const PARTNER_REQUESTS_PER_MINUTE = 120;
export const TOKEN_REQUESTS_PER_MINUTE = 30;

/** Matches the default of `lookup_tokens.expires_at`. */
export const LOOKUP_TOKEN_MINUTES = 10;

/** For a payout, payment or conversion; matches the default of `quotes.expires_at`. */
export const QUOTE_MINUTES = 5;
