export const MAX_FORM_BYTES = 16 * 1024;
export const NOTICE_SECONDS = 60;
export const MAX_TOKEN_LENGTH = 200;
/** Seconds until the page of a completed order redirects to the shop; more without scripts, which are needed to stop the redirect. */
export const RETURN_SECONDS = 8;
export const RETURN_SECONDS_WITHOUT_SCRIPT = 20;
/** `Retry-After` of responses while the API is unreachable. */
export const RETRY_SECONDS = 5;
/** Refresh interval of a receipt with a pending refund, without scripts. */
export const REFUND_RETRY_SECONDS = 15;
/** Seconds between checks for the outcome of a step with a lost response. */
export const CHECK_SECONDS = 2;
/** Refresh interval of the QR-only view and the embedded frame, without scripts. */
export const CODE_SECONDS = 4;
/** Refresh interval of a till's printed-code page, without scripts. */
export const TILL_SECONDS = 3;
