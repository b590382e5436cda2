import { existsSync } from "node:fs";

/**
 * A browser that is here already: PLAYWRIGHT_CHROMIUM_PATH, or Debian's. Playwright's own, which has to be downloaded,
 * is the last choice.
 * @returns launch options for Playwright.
 */
export function installedChromium(): { executablePath?: string } {
  const debians = "/usr/bin/chromium";
  const executablePath = process.env.PLAYWRIGHT_CHROMIUM_PATH ?? (existsSync(debians) ? debians : undefined);
  return executablePath === undefined ? {} : { executablePath };
}
