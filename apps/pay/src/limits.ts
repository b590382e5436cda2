/** The largest form that is read, in bytes. The page's own forms stay far below. */
export const MAX_FORM_BYTES = 16 * 1024;
/** How long a notice waits in its cookie for the page that shows it. */
export const NOTICE_SECONDS = 60;
/** The longest payment token that is passed on to the api. */
export const MAX_TOKEN_LENGTH = 200;
/**
 * Seconds until a finished page goes to the shop automatically. Without scripts it cannot be stopped, so it waits longer.
 */
export const RETURN_SECONDS = 8;
export const RETURN_SECONDS_WITHOUT_SCRIPT = 20;
/** Seconds until a page that waits for the api, or for a refund, loads again. */
export const RETRY_SECONDS = 5;
export const REFUND_RETRY_SECONDS = 15;
/** Seconds between two looks for the outcome of a step with a lost answer. */
export const CHECK_SECONDS = 2;
/** Seconds after which the view of the code alone looks again, in a browser without scripts. */
export const CODE_SECONDS = 4;
/** Seconds until the page of a till's printed code looks again for an order. */
export const TILL_SECONDS = 3;
