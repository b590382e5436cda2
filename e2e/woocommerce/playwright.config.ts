import { defineConfig } from "@playwright/test";
import { chromiumLaunchOptions } from "../../scripts/testing/chromium.mjs";

/** Tests the WordPress plugin in a real shop. WOO_URL, REST keys and an administrator come from the environment. */
export default defineConfig({
  testDir: ".",
  outputDir: "../test-results/woocommerce",
  globalSetup: "./global-setup.ts",
  // The tests share one shop and change its settings and stock.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: chromiumLaunchOptions(),
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: true, sources: false },
    screenshot: "only-on-failure",
    locale: "en-GB",
    viewport: { width: 1280, height: 900 },
  },
});
