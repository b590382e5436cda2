import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./project.mjs";
import { runProgram } from "./run-program.mjs";

const progressEveryMs = 10_000;

/**
 * Runs `npm ci` unless what is installed is what package-lock.json says.
 * @returns {Promise<boolean>} whether all is installed now.
 */
export async function installWhenNeeded() {
  const reason = await whyInstall();
  if (reason === undefined) return true;
  console.log(`Installing packages (${reason}). The first time takes a minute or two …`);
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const progress = setInterval(() => console.log(`  still installing, ${seconds()} s`), progressEveryMs);
  const npm = npmCommand(process.env);
  const code = await runProgram(npm.command, [...npm.before, "ci", "--no-audit", "--no-fund"], {
    cwd: root,
    env: {
      ...process.env,
      // A shell set to production would leave out what builds and tests need.
      NODE_ENV: "development",
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
    },
  });
  clearInterval(progress);
  if (code !== 0) {
    console.error("npm ci failed; its message is above. Is the package registry reachable?");
    return false;
  }
  console.log(`Installed in ${seconds()} s.`);
  return true;
}

/**
 * npm writes node_modules/.package-lock.json as its very last step and `npm ci` removes it first, so an
 * interrupted install has none. Its content, not its date, is compared: a checkout changes dates only.
 * @returns {Promise<string | undefined>} why an install is needed, or undefined.
 */
export async function whyInstall(folder = root) {
  const wanted = await readPackages(path.join(folder, "package-lock.json"));
  if (wanted === undefined) throw new Error("package-lock.json is missing or damaged; restore it from git.");
  const installed = await readPackages(path.join(folder, "node_modules/.package-lock.json"));
  if (installed === undefined) return "none are installed, or an install was interrupted";
  for (const [place, entry] of Object.entries(wanted)) {
    if (!place.includes("node_modules/")) continue;
    const found = installed[place];
    if (found === undefined) {
      // Packages for other platforms are left out.
      if (entry.optional || entry.devOptional || entry.peer) continue;
      return `${name(place)} is missing`;
    }
    const isSame = entry.link
      ? found.link === true && found.resolved === entry.resolved
      : found.version === entry.version && found.integrity === entry.integrity;
    if (!isSame) return `${name(place)} has changed`;
  }
  return undefined;
}

function name(place) {
  return place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** The npm that runs us, else the one on the PATH. */
function npmCommand(environment) {
  const own = environment.npm_execpath;
  if (own?.endsWith(".js")) return { command: process.execPath, before: [own] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", before: [] };
}
