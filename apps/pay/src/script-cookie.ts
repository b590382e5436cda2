/**
 * Says that the page's script runs in this browser. Without it, pages refresh themselves while they wait. `<noscript>` does
 * not help where scripts are allowed and ours was blocked or did not arrive.
 */
export const SCRIPT_COOKIE = "tillgate_pay_script";
