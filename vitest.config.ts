import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Rooms with tests: `{test/unit,test/integration}` in each. */
const rooms = "{apps,packages,plugin}/*";

export default defineConfig({
  test: {
    // Two cores carry two workers and the PostgreSQL they share; more workers only make time limits fail.
    maxWorkers: Math.max(1, Math.min(4, availableParallelism())),
    passWithNoTests: false,
    projects: [
      {
        test: {
          name: "unit",
          include: [`${rooms}/test/unit/**/*.test.{ts,tsx}`, "{stack,scripts}/test/unit/**/*.test.ts"],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: "integration",
          include: [
            `${rooms}/test/integration/**/*.test.{ts,tsx}`,
            "{stack,scripts}/test/integration/**/*.test.ts",
          ],
          globalSetup: "./scripts/testing/postgres.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "woocommerce-rest",
          include: ["e2e/woocommerce-rest/**/*.test.ts"],
          globalSetup: "./scripts/testing/demo-shop.ts",
          // One store for all: the files count its orders and customers.
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "connector",
          include: ["e2e/connector/**/*.test.ts"],
          globalSetup: "./scripts/testing/shop-and-api.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
