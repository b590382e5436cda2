/** Set when our script runs; otherwise waiting pages refresh themselves. `<noscript>` is not enough, because the script may be blocked or fail to load. */
export const SCRIPT_COOKIE = "tillgate_pay_script";
