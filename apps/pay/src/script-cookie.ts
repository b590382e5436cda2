/**
 * Says that the page's script runs in this browser. Pages for a browser that has not said so refresh themselves where
 * they wait: `<noscript>` is no help where scripts are allowed and ours was blocked or did not arrive.
 */
export const SCRIPT_COOKIE = "tillgate_pay_script";
