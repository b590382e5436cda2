import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./project.mjs";
import { runProgram } from "./run-program.mjs";

const progressEveryMs = 10_000;

/** Runs `npm ci` unless the installed packages match package-lock.json. @returns whether all packages are installed */
export async function installWhenNeeded() {
  const reason = await findInstallReason();
  if (reason === undefined) return true;
  console.log(`Installing packages (${reason}). The first installation takes a minute or two…`);
  const startedAt = Date.now();
  const elapsedSeconds = () => Math.round((Date.now() - startedAt) / 1000);
  const progress = setInterval(
    () => console.log(`  still installing, ${elapsedSeconds()} s`),
    progressEveryMs,
  );
  const npm = findNpmCommand(process.env);
  const code = await runProgram(npm.command, [...npm.before, "ci", "--no-audit", "--no-fund"], {
    cwd: root,
    env: {
      ...process.env,
      // With NODE_ENV=production npm would skip devDependencies, which builds and tests need.
      NODE_ENV: "development",
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
    },
  });
  clearInterval(progress);
  if (code !== 0) {
    console.error("npm ci failed. See its message above. Is the package registry reachable?");
    return false;
  }
  console.log(`Installed in ${elapsedSeconds()} s.`);
  return true;
}

/**
 * Returns why an install is needed, or undefined. Compares package-lock.json with node_modules/.package-lock.json, by content because a checkout
 * changes the dates. `npm ci` removes the second file first and writes it last, so it is missing after an interrupted install.
 * @throws Error if package-lock.json is missing or damaged.
 */
export async function findInstallReason(folder = root) {
  const locked = await readPackages(path.join(folder, "package-lock.json"));
  if (locked === undefined) throw new Error("package-lock.json is missing or damaged; restore it from git.");
  const installed = await readPackages(path.join(folder, "node_modules/.package-lock.json"));
  if (installed === undefined) return "none are installed, or an install was interrupted";
  for (const [location, entry] of Object.entries(locked)) {
    if (!location.includes("node_modules/")) continue;
    const found = installed[location];
    if (found === undefined) {
      // Packages for other platforms are not installed.
      if (entry.optional || entry.devOptional || entry.peer) continue;
      return `${getPackageName(location)} is missing`;
    }
    const isSame = entry.link
      ? found.link === true && found.resolved === entry.resolved
      : found.version === entry.version && found.integrity === entry.integrity;
    if (!isSame) return `${getPackageName(location)} has changed`;
  }
  return undefined;
}

function getPackageName(location) {
  return location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
}

async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** Returns the npm that runs this process, or the one in PATH. */
function findNpmCommand(environment) {
  const own = environment.npm_execpath;
  if (own?.endsWith(".js")) return { command: process.execPath, before: [own] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", before: [] };
}
