/**
 * Set when the page's script runs in this browser. Otherwise waiting pages refresh themselves. `<noscript>` is not enough, because scripts
 * may be allowed and ours blocked or not loaded.
 */
export const SCRIPT_COOKIE = "tillgate_pay_script";
