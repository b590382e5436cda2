/**
 * `npm run prove-ledger`: checks every ledger rule in the database of DATABASE_URL or of the data folder TILLGATE_DATA_DIR. The exit code is 1 if a
 * rule is violated.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describeDatabaseError } from "./bootstrap/database-error.mjs";
import { root } from "./bootstrap/project.mjs";
import { readSandboxFile } from "./bootstrap/sandbox-file.mjs";

const environment = process.env;
const databaseUrl = environment.DATABASE_URL || (await readSandboxFile("api-settings.json"))?.DATABASE_URL;
const program = path.join(root, "packages/database/dist/prove-ledger.js");
if (databaseUrl === undefined) {
  fail(
    "No sandbox found. Run npm start, or set DATABASE_URL, or set TILLGATE_DATA_DIR to the data folder of npm run up.",
  );
} else if (!URL.canParse(databaseUrl)) {
  fail("DATABASE_URL must be a postgresql:// URL.");
} else if (!existsSync(program)) {
  fail("Tillgate is not built yet. Run npm run build.");
} else {
  await prove(databaseUrl);
}

async function prove(url) {
  const { proveLedger } = await import(pathToFileURL(program).href);
  let proof;
  try {
    proof = await proveLedger(url);
  } catch (error) {
    return fail(describeDatabaseError(error, url));
  }
  for (const { rule, violations } of proof.rules) {
    console.log(`${violations.length === 0 ? "holds " : "BROKEN"}  ${rule}`);
    for (const violation of violations) console.log(`          ${violation}`);
  }
  console.log("");
  for (const { mode, currency, kind, minor, digits } of proof.positions) {
    console.log(
      `${mode.padEnd(8)} ${kind.padEnd(8)} ${formatMinorUnits(minor, digits).padStart(20)} ${currency}`,
    );
  }
  console.log(proof.sound ? "\nThe ledger is sound." : "\nThe ledger is NOT sound.");
  if (!proof.sound) process.exitCode = 1;
}

function formatMinorUnits(minor, digits) {
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, "0");
  const integerDigits = text.slice(0, text.length - digits);
  return `${minor < 0n ? "-" : ""}${integerDigits}${digits > 0 ? `.${text.slice(-digits)}` : ""}`;
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
