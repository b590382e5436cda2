/** The largest request body any API reads, in bytes; more is answered 413. */
export const MAX_BODY_BYTES = 64 * 1024;

/** The largest logo of a merchant, in bytes. */
export const MAX_LOGO_BYTES = 128 * 1024;
/** The largest body of the console edge's call that brings one: in base64 it has a third more. */
export const MAX_LOGO_BODY_BYTES = 192 * 1024;

/** The most lines of a file of payouts, its largest size in bytes, and the largest body that brings it: as JSON it is longer. */
export const MAX_BATCH_LINES = 1_000;
export const MAX_BATCH_BYTES = 256 * 1024;
export const MAX_BATCH_BODY_BYTES = 384 * 1024;

/** Where each API lives. The Pay API has a base path per mode; a key of the other mode is refused there. */
export const PAY_API_PATH = { sandbox: "/pay/sandbox/api/v1", live: "/pay/api/v1" } as const;

/** The most endpoints that a merchant has in one mode. */
export const MAX_RECEIVERS = 16;

/** More tills than these no merchant has in one mode. */
export const MAX_TILLS = 100;

/** More payment links than these no merchant has in one mode, and the most uses that one may be made for. */
export const MAX_PAYMENT_LINKS = 500;
export const MAX_LINK_USES = 100_000;

/** More origins than these no merchant has in one mode for payments in its own pages: they stand in a header of each answer. */
export const MAX_EMBED_ORIGINS = 20;

/** More test controls than these no merchant has at once in its sandbox. */
export const MAX_TEST_CONTROLS = 20;

/** More events than these no replay has. */
export const MAX_REPLAY_EVENTS = 100_000;

/** So many of the events that a replay would send are named before it is begun. */
export const MAX_PREVIEW_EVENTS = 20;

/** More views than these nobody saves of one list. */
export const MAX_VIEWS = 20;

/** A statement of some days is printed with at most so many entries. */
export const MAX_PERIOD_ENTRIES = 1_000;

/** Requests a minute before the answer is 429: of a merchant to the Pay API and to the Partner API, of a client address for a token. */
export const PAY_REQUESTS_PER_MINUTE = 600;
export const PARTNER_REQUESTS_PER_MINUTE = 120;
export const TOKEN_REQUESTS_PER_MINUTE = 30;

/** Validity of a lookup token; the default of `lookup_tokens.expires_at`. */
export const LOOKUP_TOKEN_MINUTES = 10;

/** Maximum validity of a quote, of a payout, payment or conversion; the default of `quotes.expires_at`. */
export const QUOTE_MINUTES = 5;
