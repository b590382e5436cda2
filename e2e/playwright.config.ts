import { defineConfig } from "@playwright/test";
import { installedChromium } from "../scripts/testing/chromium.mjs";

/** Where the width decides what a shopper sees and taps; with full counts the phone does everything else as well. */
const onPhones =
  process.env.TILLGATE_TEST_COUNTS === "full" ? /.*/ : /(accessible|currencies|paying|scanning)\.spec\.ts/;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  globalSetup: "./global-setup.ts",
  // Each worker pays from a wallet of its own (fixtures/sandbox.ts), so that a balance tells exactly what a test did. More
  // than there are cores: a test waits most of its time.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: installedChromium(),
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    // A trace costs every test a sixth of its processor time: `--trace=retain-on-failure` records them while working.
    trace: "off",
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    // A page that waits for its payment breathes, which without a graphics card costs a tenth of a core as long as it is open.
    contextOptions: { reducedMotion: "reduce" },
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1280, height: 800 } } },
    {
      name: "phone",
      // What has nothing to do with the width is proved once.
      grepInvert: /@one-width/,
      testMatch: onPhones,
      testIgnore: /sample-/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    },
  ],
});
