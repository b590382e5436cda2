/**
 * The libraries that are installed with the product: each has a licence that may be passed on, and none a fault that npm knows of.
 * The licences are read from the lock file, so that also those for other machines count. Exit code 0: all is well.
 */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import spdxSatisfies from "spdx-satisfies";
import { root } from "../bootstrap/project.mjs";

/** What a program of any kind may be passed on with. */
const allowed = [
  "MIT",
  "MIT-0",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Unlicense",
  "BlueOak-1.0.0",
  "Zlib",
];
/** Others, each for a reason. */
const exceptions = [
  // Next's optional picture library, which nothing here uses; a library of its own that is not changed.
  { name: /^@img\/sharp-/, licence: "LGPL-3.0-or-later" },
  // Data about browsers, of which nothing reaches one.
  { name: /^caniuse-lite$/, licence: "CC-BY-4.0" },
  // Of Prisma's command line, which migrates and generates and is in no program.
  { name: /^elkjs$/, licence: "EPL-2.0" },
];
/** Its package names none, its licence file does. */
const unnamed = new Map([["seq-queue", "MIT"]]);

/**
 * What is wrong with the licences of a lock file.
 * @param {{packages: Record<string, {license?: string, dev?: boolean, link?: boolean}>}} lock
 * @returns {string[]}
 */
export function wrongLicences({ packages }) {
  return Object.entries(packages).flatMap(([place, { license, dev, link }]) => {
    const name = place.split("node_modules/").at(-1) ?? "";
    if (dev || link || !place.includes("node_modules/")) return [];
    const told = license ?? unnamed.get(name);
    if (told === undefined) return [`${name} names no licence`];
    const more = exceptions.filter((one) => one.name.test(name)).map(({ licence }) => licence);
    return isSatisfied(told, [...allowed, ...more]) ? [] : [`${name} is under ${told}`];
  });
}

function isSatisfied(expression, list) {
  try {
    return spdxSatisfies(expression.replace(/ and /g, " AND ").replace(/ or /g, " OR "), list);
  } catch {
    // No expression of SPDX: a person reads it.
    return false;
  }
}

/** @returns {{text: string, code: number}} 0 also where the registry does not answer such questions. */
function audit() {
  const asked = spawnSync("npm", ["audit", "--omit=dev", "--audit-level=high", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: 60_000,
  });
  let answer;
  try {
    answer = JSON.parse(asked.stdout);
  } catch {
    answer = {};
  }
  if (answer.metadata === undefined)
    return { text: "The registry answers no questions about faults: they were not looked up.", code: 0 };
  const { high, critical } = answer.metadata.vulnerabilities;
  if (asked.status === 0) return { text: "npm knows of no serious fault in a library.", code: 0 };
  const names = Object.entries(answer.vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  return { text: `${high + critical} libraries have a serious fault: ${names.join(", ")}`, code: 1 };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wrong = wrongLicences(JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8")));
  for (const line of wrong) console.error(line);
  const { text, code } = audit();
  console.log(text);
  if (wrong.length === 0) console.log("Every library has a licence that may be passed on.");
  process.exitCode = wrong.length > 0 ? 1 : code;
}
