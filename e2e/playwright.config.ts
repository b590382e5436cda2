import { defineConfig } from "@playwright/test";
import { chromiumLaunchOptions } from "../scripts/testing/chromium.mjs";

/** Test files that the phone project runs: those that depend on the width or, with full counts, all. */
const onPhones =
  process.env.TILLGATE_TEST_COUNTS === "full" ? /.*/ : /(accessible|currencies|paying|scanning)\.spec\.ts/;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  globalSetup: "./global-setup.ts",
  // Each worker has a separate wallet (fixtures/sandbox.ts), so that balances are exact. More workers than cores, because tests mostly wait.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: chromiumLaunchOptions(),
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    // Tracing costs a sixth of the processor time; use `--trace=retain-on-failure` locally.
    trace: "off",
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    // The pulse animation of a waiting page costs a tenth of a core without a graphics card.
    contextOptions: { reducedMotion: "reduce" },
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1280, height: 800 } } },
    {
      name: "phone",
      // Tests independent of the width run on the desktop only.
      grepInvert: /@one-width/,
      testMatch: onPhones,
      testIgnore: /sample-/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    },
  ],
});
