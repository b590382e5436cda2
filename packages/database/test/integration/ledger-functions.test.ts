import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEDGER_ERRORS } from "../../src/functions/errors.js";
import { type LedgerFunction, parameterName } from "../../src/functions/ledger-function.js";
import * as ledger from "../../src/ledger.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

const FOLDER = path.join(import.meta.dirname, "../../src/functions");
type Called = Pick<LedgerFunction<never, unknown>, "name" | "parameters"> & { valuesOfGroup?: unknown };
const functions = Object.values<object>(ledger).filter(
  (exported): exported is Called => "sql" in exported && "parameters" in exported,
);
const texts = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".sql"))
  .map((file) => readFileSync(path.join(FOLDER, file), "utf8"));

let database: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase();
});
afterAll(() => database.drop());

it("at least 25 callers of SQL functions are defined", () => {
  expect(functions.length).toBeGreaterThanOrEqual(25);
});

describe.each(functions.map((called) => [called.name, called] as const))("%s", (name, called) => {
  it("has the same parameters in TypeScript as in the database, by name, type and order", async () => {
    const { rows } = await database.pool.query<{ parameter: string; type: string }>(
      `SELECT parameter, type FROM pg_proc,
         unnest(coalesce(proargnames[1:pronargs], '{}'), string_to_array(oidvectortypes(proargtypes), ', ')) AS one (parameter, type)
       WHERE proname = $1 AND parameter IS NOT NULL`,
      [name],
    );
    const short: Record<string, string> = { integer: "int" };
    // For a group, each argument is an array.
    const each = called.valuesOfGroup === undefined ? "" : "[]";
    const expected = rows.map(({ parameter, type }) => [
      parameter,
      `${short[type.replace("[]", "")] ?? type.replace("[]", "")}${type.endsWith("[]") ? "[]" : ""}`,
    ]);
    const actual = Object.entries(called.parameters).map(([one, type]) => [
      parameterName(one),
      `${type.replace("?", "")}${each}`,
    ]);
    expect(actual).toEqual(expected);
  });
});

it("LEDGER_ERRORS lists exactly the codes that SQL functions raise", () => {
  const raised = texts.flatMap((text) => text.replace(/--[^\n]*/g, "").match(/TG0\d\d/g) ?? []);
  const known = Object.keys(LEDGER_ERRORS).filter((name) => name.startsWith("TG"));
  expect([...new Set(raised)].sort()).toEqual(known.sort());
});

it("headers of SQL functions mention only codes in LEDGER_ERRORS", () => {
  const named = texts.flatMap((text) => text.match(/TG0\d\d/g) ?? []);
  expect(named.filter((code) => !(code in LEDGER_ERRORS))).toEqual([]);
});
