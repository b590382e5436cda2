import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AUDIT_ACTIONS } from "@tillgate/contract";
import { expect, it } from "vitest";

const functions = fileURLToPath(new URL("../../src/functions", import.meta.url));
const files = readdirSync(functions, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".sql"))
  .map((name) => readFileSync(`${functions}/${name}`, "utf8"));

/** Actions that functions compose from the kind of request and its outcome. */
const COMPOSED = ["wallet.deposit", "wallet.withdrawal", "currency.single_limit"].flatMap((kind) =>
  ["", ".request", ".approve", ".reject"].map((verb) => `${kind}${verb}`),
);

it("every audit action that SQL functions record is in AUDIT_ACTIONS", () => {
  const written = files
    .filter((sql) => /record_(change|call|funds)\(/.test(sql))
    .flatMap((sql) => [...sql.matchAll(/'((?:wallet|currency|\w*payout|refund)\.[a-z_.]+)'/g)])
    .map(([, action]) => action);
  expect(written).toContain("payout.approve");
  expect(written).toContain("test_payout.reject");
  const known: readonly string[] = AUDIT_ACTIONS;
  expect([...written, ...COMPOSED].filter((action) => action && !known.includes(action))).toEqual([]);
});
