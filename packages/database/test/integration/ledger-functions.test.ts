import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LedgerFunction, parameterOf } from "../../src/functions/ledger-function.js";
import * as ledger from "../../src/ledger.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

const FOLDER = path.join(import.meta.dirname, "../../src/functions");
/** From here on a code is a fault of ours, never an answer to a caller. */
const FAULTS_FROM = "TG090";

/** What a text can raise and yet never does, for the caller's arguments or the row's state. */
const NEVER: Record<string, readonly string[]> = {
  // Only an order that becomes PAID meets a suspended merchant.
  TG012: [
    "cancel_order",
    "create_orders",
    "decide_refund",
    "expire_due_orders",
    "expire_merchant_orders",
    "expire_order",
    "refund_payment",
  ],
  // A repeat of a payout's key answers the payout, whatever else it says: there is nothing to compare.
  TG030: ["execute_payouts"],
};

type Called = Pick<LedgerFunction<never, unknown>, "name" | "takes" | "refuses"> & { valuesOfSet?: unknown };
const functions = Object.values<object>(ledger).filter(
  (exported): exported is Called => "sql" in exported && "takes" in exported,
);
const texts = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sql"))
    .map((file) => {
      const text = readFileSync(path.join(FOLDER, file), "utf8").replace(/--[^\n]*/g, "");
      return [path.basename(file, ".sql").replaceAll("-", "_"), text] as const;
    }),
);

/** The codes that a function can answer with: its own, and those of all that it calls or sets off by a trigger. */
function codesOf(name: string, triggers: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const codes = new Set<string>();
  const read = (one: string): void => {
    const text = texts.get(one);
    if (text === undefined || seen.has(one)) return;
    seen.add(one);
    for (const [code] of text.matchAll(/TG0\d\d/g)) if (code < FAULTS_FROM) codes.add(code);
    for (const [, called = ""] of text.matchAll(/\b([a-z_]+)\(/g)) read(called);
    for (const [, table = ""] of text.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g))
      for (const trigger of triggers.get(table) ?? []) read(trigger);
  };
  read(name);
  return [...codes].sort();
}

let database: SandboxDatabase;
let triggers: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  database = await openSandboxDatabase();
  const { rows } = await database.pool.query<{ table: string; functions: string[] }>(
    `SELECT c.relname AS table, array_agg(DISTINCT p.proname::text) AS functions FROM pg_trigger t
     JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal GROUP BY c.relname`,
  );
  triggers = new Map(rows.map((row) => [row.table, row.functions]));
});
afterAll(() => database.drop());

it("there is a definition for each function that the api calls", () => {
  expect(functions.length).toBeGreaterThanOrEqual(25);
});

describe.each(functions.map((called) => [called.name, called] as const))("%s", (name, called) => {
  it("takes what its text takes, by the same names and types", async () => {
    const { rows } = await database.pool.query<{ parameter: string; type: string }>(
      `SELECT parameter, type FROM pg_proc,
         unnest(coalesce(proargnames[1:pronargs], '{}'), string_to_array(oidvectortypes(proargtypes), ', ')) AS one (parameter, type)
       WHERE proname = $1 AND parameter IS NOT NULL`,
      [name],
    );
    const short: Record<string, string> = { integer: "int" };
    // Of a set each argument is an array.
    const each = called.valuesOfSet === undefined ? "" : "[]";
    const wanted = rows.map(({ parameter, type }) => [
      parameter,
      `${short[type.replace("[]", "")] ?? type.replace("[]", "")}${type.endsWith("[]") ? "[]" : ""}`,
    ]);
    const taken = Object.entries(called.takes).map(([one, type]) => [
      parameterOf(one),
      `${type.replace("?", "")}${each}`,
    ]);
    expect(taken).toEqual(wanted);
  });

  it("knows what each code means that it, or what it calls, can answer with", () => {
    const unknown = codesOf(name, triggers).filter(
      (code) =>
        !(code in called.refuses) &&
        !NEVER[code]?.includes(name) &&
        // Only a set has misfits.
        !(code === "TG080" && called.valuesOfSet === undefined),
    );
    expect(unknown).toEqual([]);
  });
});
