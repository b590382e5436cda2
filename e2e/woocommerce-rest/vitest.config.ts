import { defineConfig } from "vitest/config";

/**
 * Runs the compatibility tests against the store at `WOO_URL`, with the REST key in `WOO_KEY` and `WOO_SECRET`, which needs read and write access.
 * The tests create products and orders and remove them.
 */
export default defineConfig({
  test: {
    name: "woocommerce-rest",
    include: ["e2e/woocommerce-rest/**/*.test.ts"],
    root: new URL("../..", import.meta.url).pathname,
    // The files share one store and count its orders.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
