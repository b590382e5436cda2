import { readFileSync } from "node:fs";

/** Pure functions in files that also contain other code. */
const DECIDERS = {
  "apps/api/src/checkout/payment-groups.ts": ["decidePayment"],
  "apps/api/src/money/payouts/facts.ts": ["pricePayout"],
  "apps/api/src/money/payouts/rules.ts": [
    "validatePayout",
    "readSent",
    "rejectDifferentTerms",
    "isSameValue",
  ],
};

/** Returns Stryker's pattern for the lines of a top-level function. @throws Error if the file has no such function. */
function toPattern(file, name) {
  const lines = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split("\n");
  const start = lines.findIndex(
    (line) => line.match(/^(?:export )?(?:async )?(?:function|const) (\w+)/)?.[1] === name,
  );
  if (start < 0) throw new Error(`${file} has no function named "${name}"`);
  const isEnd = lines[start].includes("const ") ? (line) => line.endsWith(";") : (line) => line === "}";
  const end = lines.findIndex((line, at) => at >= start && isEnd(line));
  return `${file}:${start + 1}-${end + 1}`;
}

/** Changes pure functions one at a time; the unit tests must notice at least 90% of the changes. */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
  mutate: [
    "packages/money/src/*.ts",
    "packages/webhooks/src/*.ts",
    "plugin/connector/src/rules.ts",
    "apps/api/src/reports/comparisons/rules.ts",
    ...Object.entries(DECIDERS).flatMap(([file, names]) => names.map((name) => toPattern(file, name))),
  ],
  ignorePatterns: ["dist", ".next", ".turbo", ".data", "generated", "/e2e", "/bench", "/drill", "/stack"],
  coverageAnalysis: "perTest",
  // Changes in code that is evaluated once, such as the table of currencies, would need all tests and take 94% of the time.
  ignoreStatic: true,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  tempDirName: "node_modules/.cache/stryker",
  cleanTempDir: "always",
  thresholds: { high: 95, low: 90, break: 90 },
};
