import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";
import { installDebianPackages } from "./debian.mjs";

/** The shell without windows comes first: it takes two thirds of the browser's processor time for the same tests. */
const systemPlaces = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Finds a Chromium that runs, or installs one: Debian's package where there is apt and the right to use it,
 * else Playwright's own.
 * @param {NodeJS.ProcessEnv} environment PLAYWRIGHT_CHROMIUM_PATH names a browser of one's own
 * @returns {string} path of the program
 * @throws Error with one clear line when there is none and none can be installed.
 */
export function findOrInstallChromium(environment) {
  const named = environment.PLAYWRIGHT_CHROMIUM_PATH;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`PLAYWRIGHT_CHROMIUM_PATH names ${named}, which does not run.`);
  }
  const found = findChromium();
  if (found !== undefined) return found;
  console.log("No Chromium found; installing one …");
  if (!installDebianPackages(["chromium-headless-shell"])) installDebianPackages(["chromium"]);
  const installed = findChromium() ?? installWithPlaywright();
  if (installed !== undefined) return installed;
  throw new Error(
    "There is no Chromium and none could be installed: install one and name it in PLAYWRIGHT_CHROMIUM_PATH.",
  );
}

/**
 * The browser that is here already, for a program that drives one. Where there is none, Playwright looks for its own.
 * @returns {{ executablePath?: string }} launch options for Playwright
 */
export function installedChromium(environment = process.env) {
  const executablePath = environment.PLAYWRIGHT_CHROMIUM_PATH || findChromium();
  return executablePath === undefined ? {} : { executablePath };
}

function findChromium() {
  return [...systemPlaces, playwrightPlace()].find((place) => place !== undefined && runs(place));
}

/** Ubuntu's /usr/bin/chromium-browser may be a note that points to another shop: only what answers counts. */
function runs(program) {
  return existsSync(program) && spawnSync(program, ["--version"], { timeout: 20_000 }).status === 0;
}

function playwrightPlace() {
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
  const place = playwrightPlace();
  return place !== undefined && runs(place) ? place : undefined;
}
