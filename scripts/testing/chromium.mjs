import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";
import { installDebianPackages } from "./debian.mjs";

/** The headless shell comes first: the same tests need a third less CPU time in it. */
const systemPaths = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Finds a working Chromium, or installs Debian's package if apt is usable, otherwise Playwright's. PLAYWRIGHT_CHROMIUM_PATH selects a
 * browser.
 * @throws Error if the selected browser cannot run, or if none is found and none can be installed
 */
export function findOrInstallChromium(environment) {
  const configuredPath = environment.PLAYWRIGHT_CHROMIUM_PATH;
  if (configuredPath) {
    if (canRun(configuredPath)) return configuredPath;
    throw new Error(`PLAYWRIGHT_CHROMIUM_PATH is ${configuredPath}, which cannot be run.`);
  }
  const found = findChromium();
  if (found !== undefined) return found;
  console.log("No Chromium found. Installing it…");
  if (!installDebianPackages(["chromium-headless-shell"])) installDebianPackages(["chromium"]);
  const installed = findChromium() ?? installWithPlaywright();
  if (installed !== undefined) return installed;
  throw new Error(
    "No Chromium found, and none could be installed. Install one and set PLAYWRIGHT_CHROMIUM_PATH.",
  );
}

/** Returns Playwright's launch options with the installed Chromium; empty if none is installed, so that Playwright uses its default browser. */
export function chromiumLaunchOptions(environment = process.env) {
  const executablePath = environment.PLAYWRIGHT_CHROMIUM_PATH || findChromium();
  return executablePath === undefined ? {} : { executablePath };
}

function findChromium() {
  return [...systemPaths, findPlaywrightChromium()].find(
    (program) => program !== undefined && canRun(program),
  );
}

/** Returns whether a program runs; Ubuntu's /usr/bin/chromium-browser may be a stub that only refers to the snap. */
function canRun(program) {
  return existsSync(program) && spawnSync(program, ["--version"], { timeout: 20_000 }).status === 0;
}

function findPlaywrightChromium() {
  try {
    const fromTests = createRequire(path.join(root, "e2e/package.json"));
    return fromTests("playwright").chromium.executablePath();
  } catch {
    return undefined;
  }
}

function installWithPlaywright() {
  const program = path.join(root, "node_modules/.bin/playwright");
  spawnSync(program, ["install", "chromium"], {
    cwd: path.join(root, "e2e"),
    stdio: ["ignore", "inherit", "inherit"],
  });
  const installed = findPlaywrightChromium();
  return installed !== undefined && canRun(installed) ? installed : undefined;
}
