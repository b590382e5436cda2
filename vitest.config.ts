import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { RandomOrder } from "./scripts/testing/random-order.js";

/** Rooms with tests: `{test/unit,test/integration}` in each. */
const rooms = "{apps,packages,plugin}/*";

/** Files share the modules of their worker, which take longer to load than most files to run; no file changes them. */
const isolate = false;

/** Tests with a PostgreSQL of their own. */
const withPostgres = {
  globalSetup: "./scripts/testing/postgres.ts",
  isolate,
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    // One more than there are cores: integration tests wait a good part of their time, for states and for other processes.
    maxWorkers: Math.max(2, Math.min(4, availableParallelism() + 1)),
    passWithNoTests: false,
    // No file may need another before it. The seed is printed; `--sequence.seed` repeats an order.
    sequence: { sequencer: RandomOrder, seed: Date.now() },
    projects: [
      {
        test: {
          name: "unit",
          include: [
            `${rooms}/test/unit/**/*.test.{ts,tsx}`,
            "{stack,scripts,drill,bench}/test/unit/**/*.test.ts",
          ],
          isolate,
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
          ...withPostgres,
        },
      },
      {
        test: {
          name: "no-group-commit",
          include: ["apps/api/test/integration/{partner,payments,http,operations}/**/*.test.ts"],
          env: { TILLGATE_TEST_GROUP_COMMIT: "never" },
          ...withPostgres,
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
