import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/{money,webhooks}/test/unit/**/*.test.ts",
      "plugin/connector/test/unit/{rules.test.ts,vectors/**/*.test.ts}",
      "apps/api/test/unit/{payouts,checkout,reports}/**/*.test.ts",
    ],
    testTimeout: 15_000,
  },
});
