/** Without it, waiting pages refresh themselves. `<noscript>` is not enough, because our script may be blocked or not loaded. */
export const SCRIPT_COOKIE = "tillgate_pay_script";
