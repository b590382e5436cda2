import { defineConfig } from "vitest/config";

/**
 * The compatibility tests against any store: `WOO_URL`, `WOO_KEY` and `WOO_SECRET` name it and a REST key with read and write
 * access. The suite creates its own products and orders and removes them.
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
