/** The largest request body any API reads, in bytes; more is answered 413. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Where each API lives. The Pay API has a base path per mode; a key of the other mode is refused there. */
export const PAY_API_PATH = { sandbox: "/pay/sandbox/api/v1", live: "/pay/api/v1" } as const;

/** The most endpoints that a merchant has in one mode. */
export const MAX_RECEIVERS = 16;
