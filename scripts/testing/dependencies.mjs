/**
 * Requires that the licences of all production dependencies permit redistribution, and that npm audit reports no serious vulnerability. The
 * lockfile includes packages for other platforms.
 */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import spdxSatisfies from "spdx-satisfies";
import { root } from "../bootstrap/project.mjs";

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
/** Exceptions, each with a reason. */
const exceptions = [
  // Next's optional image library: unused, unmodified and dynamically linked.
  { name: /^@img\/sharp-/, licence: "LGPL-3.0-or-later" },
  // Browser data, used at build time only.
  { name: /^caniuse-lite$/, licence: "CC-BY-4.0" },
  // Part of Prisma's command line, which no service loads.
  { name: /^elkjs$/, licence: "EPL-2.0" },
];
/** Licences of packages without a licence field, read from their licence files. */
const undeclared = new Map([["seq-queue", "MIT"]]);

/**
 * Finds the packages of a lockfile whose licence is not allowed.
 * @param {{packages: Record<string, {license?: string, dev?: boolean, link?: boolean}>}} lock
 * @returns {string[]}
 */
export function findWrongLicences({ packages }) {
  return Object.entries(packages).flatMap(([location, { license, dev, link }]) => {
    const name = location.split("node_modules/").at(-1) ?? "";
    if (dev || link || !location.includes("node_modules/")) return [];
    const declared = license ?? undeclared.get(name);
    if (declared === undefined) return [`${name} declares no licence`];
    const more = exceptions.filter((dependency) => dependency.name.test(name)).map(({ licence }) => licence);
    return isSatisfied(declared, [...allowed, ...more]) ? [] : [`${name} is under ${declared}`];
  });
}

function isSatisfied(expression, list) {
  try {
    return spdxSatisfies(expression.replace(/ and /g, " AND ").replace(/ or /g, " OR "), list);
  } catch {
    // Not an SPDX expression: needs a manual check.
    return false;
  }
}

/** Runs npm audit. @returns {{text: string, code: number}} code 1 if there are serious vulnerabilities; 0 also if npm prints no report */
function runAudit() {
  const audited = spawnSync("npm", ["audit", "--omit=dev", "--audit-level=high", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: 60_000,
  });
  let report;
  try {
    report = JSON.parse(audited.stdout);
  } catch {
    report = {};
  }
  if (report.metadata === undefined)
    return {
      text: "npm audit printed no report: vulnerabilities were not checked. Is the registry reachable, and does it support audits?",
      code: 0,
    };
  const { high, critical } = report.metadata.vulnerabilities;
  if (audited.status === 0)
    return { text: "npm audit reports no serious vulnerability in a dependency.", code: 0 };
  const names = Object.entries(report.vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  return {
    text: `Serious vulnerabilities: ${high + critical}. Vulnerable packages: ${names.join(", ")}`,
    code: 1,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const licenceErrors = findWrongLicences(
    JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8")),
  );
  for (const line of licenceErrors) console.error(line);
  const { text, code } = runAudit();
  console.log(text);
  if (licenceErrors.length === 0)
    console.log("Every production dependency has a licence that permits redistribution.");
  process.exitCode = licenceErrors.length > 0 ? 1 : code;
}
