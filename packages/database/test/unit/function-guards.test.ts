import { describe, expect, it } from "vitest";
import { findFunctionGuards } from "../../ablation/function-guards.js";

/** Returns each guard of a body, with the changed body. */
const changesOf = (body: string) =>
  findFunctionGuards({
    name: "f",
    definition: `CREATE FUNCTION f() LANGUAGE plpgsql AS $function$${body}$function$\n`,
  }).map(({ kind, name, ablation }) => [
    kind,
    name,
    ablation.replace(/^.*AS \$function\$/s, "").replace(/\$function\$$/, ""),
  ]);

describe("findFunctionGuards", () => {
  it("removes a row lock with its options", () => {
    expect(changesOf("SELECT 1 FROM a FOR NO KEY UPDATE OF a SKIP LOCKED;")).toEqual([
      ["row lock", "f: SELECT 1 FROM a FOR NO KEY UPDATE OF a SKIP LOCKED", "SELECT 1 FROM a ;"],
    ]);
  });

  it("replaces a condition so that only the adjacent conditions decide", () => {
    expect(changesOf("SELECT FROM t WHERE a = 1 AND (b OR c);").map(([, , changed]) => changed)).toEqual([
      "SELECT FROM t WHERE true AND (b OR c);",
      "SELECT FROM t WHERE a = 1 AND true;",
      "SELECT FROM t WHERE a = 1 AND (false OR c);",
      "SELECT FROM t WHERE a = 1 AND (b OR false);",
    ]);
  });

  it("disables the branch of an IF", () => {
    expect(changesOf("IF NOT FOUND THEN RETURN; END IF;")).toEqual([
      ["condition", "f: NOT FOUND", "IF false THEN RETURN; END IF;"],
    ]);
  });

  it("moves the boundary of a comparison", () => {
    expect(changesOf("RETURN a <= b;")).toEqual([["comparison", "f: a <= b", "RETURN a < b;"]]);
  });

  it("ignores comments, strings, the AND of BETWEEN, and assignments", () => {
    expect(
      changesOf("-- a < b AND c\nRETURN x BETWEEN 1 AND 2; y := 'p AND q < r'; PERFORM g(a => 1);"),
    ).toEqual([]);
  });

  it("keeps CASE … END within one condition", () => {
    expect(
      changesOf("SELECT FROM t WHERE a = CASE WHEN b THEN 1 ELSE 2 END AND c;").map(([, name]) => name),
    ).toEqual(["f: a = CASE WHEN b THEN 1 ELSE 2 END", "f: c"]);
  });

  it("numbers conditions with the same text", () => {
    expect(changesOf("IF a THEN RETURN; END IF; IF a THEN RETURN; END IF;").map(([, name]) => name)).toEqual([
      "f: a",
      "f: a (2)",
    ]);
  });
});
