import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { RandomOrder } from "./scripts/testing/random-order.js";

/** Packages with tests, in `test/unit` and `test/integration`. */
const packages = "{apps,packages,plugin}/*";

/** Test files of a worker share their modules, which take longer to load than most files to run. No test may change module state. */
const isolate = false;

/** Tests that use the run's PostgreSQL. */
const withPostgres = {
  globalSetup: "./scripts/testing/postgres.ts",
  setupFiles: "./scripts/testing/cheap-hashes.ts",
  isolate,
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    // Two more than there are cores, because integration tests wait for half of their time.
    maxWorkers: Math.min(6, availableParallelism() + 2),
    passWithNoTests: false,
    // Failures show whole texts; the default cuts them after 40 characters.
    chaiConfig: { truncateThreshold: 1_000 },
    // Files must be independent, so their order is random. The seed is printed; `--sequence.seed` repeats an order.
    sequence: { sequencer: RandomOrder, seed: Date.now() },
    projects: [
      {
        test: {
          name: "unit",
          include: [
            `${packages}/test/unit/**/*.test.{ts,tsx}`,
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
            `${packages}/test/integration/**/*.test.{ts,tsx}`,
            "{stack,scripts,drill}/test/integration/**/*.test.ts",
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
          isolate,
          // The files share one store and count its orders and customers.
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
          isolate,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
