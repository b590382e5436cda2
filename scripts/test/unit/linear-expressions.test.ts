import { describe, expect, it } from "vitest";
import { checkExpressions } from "../../lint/check-expressions.mjs";
import { collectExpressions } from "../../lint/collect-expressions.mjs";

const check = (file: string, text: string) => checkExpressions(collectExpressions(file, text).expressions);

/** Formerly in the API, where it took 80 seconds to match 189 bytes of a receiver's response. */
const WEB_PAGE = String.raw`/^\s*(<!--[\s\S]*?-->\s*)*(<!doctype html|<html)\b/i`;

describe("lint", () => {
  it("reports a regular expression with exponential backtracking, its location and an example of an attack", async () => {
    const [problem, ...more] = await check("web-page.ts", `\n\nexport const page = ${WEB_PAGE};\n`);
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ file: "web-page.ts", line: 3 });
    expect(problem?.problem).toContain("takes exponential time, for example on '<!-");
  });

  it.each([
    ["nested quantifiers", "const a = /^(a+)+$/;"],
    ["overlapping alternatives", "const a = /^(a|a)*$/;"],
    ["an unanchored repetition before the end", String.raw`const a = /\/+$/;`],
    ["a constant expression passed to RegExp", 'const a = new RegExp("^(a+)+$", "i");'],
    [
      "an expression in an attribute of a view",
      String.raw`export const view = <input onInput={() => /(\d+)+x/.test("1")} />;`,
    ],
  ])("finds backtracking in %s", async (_, text) => {
    expect(await check("x.tsx", text)).toHaveLength(1);
  });

  it.each([
    ["in single quotes", "$found = preg_match('/^(a+)+$/D', $text);"],
    ["in double quotes", String.raw`$found = preg_replace("~(\d+)+x~i", '', $text);`],
    ["in a constant", String.raw`private const NAME = '#^(\w|\w)*$#';`],
  ])("rejects a PHP regular expression %s", async (_, text) => {
    expect(await check("x.php", `<?php\n${text}\n`)).toMatchObject([{ line: 2 }]);
  });

  it("rejects a regular expression that cannot be analysed", async () => {
    expect((await check("x.php", "<?php preg_match('/^a++$/', $a);"))[0]?.problem).toContain(
      "cannot be analysed",
    );
    expect(collectExpressions("x.ts", "\nconst a = new RegExp(start + end);").dynamic).toEqual([
      { file: "x.ts", line: 2 },
    ]);
  });
});

it("lint accepts linear expressions, and paths that look like expressions", async () => {
  const linear = String.raw`const a = [/^\d{1,9}$/, /^[A-Z0-9]{2,10}$/, /\s+/g, /^https?:\/\//i];`;
  expect(await check("x.ts", linear)).toEqual([]);
  const php = String.raw`<?php preg_match('~^https?://[^/?#@\s]+(/[^?#\s]*)?$~i', $a); $path = '/orders/cancel';`;
  expect(collectExpressions("x.php", php).expressions).toHaveLength(1);
  expect(await check("x.php", php)).toEqual([]);
});
