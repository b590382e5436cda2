import { describe, expect, it } from "vitest";
import { collectExpressions } from "../../lint/collect-expressions.mjs";
import { judgeExpressions } from "../../lint/judge-expressions.mjs";

const judge = (file: string, text: string) => judgeExpressions(collectExpressions(file, text).expressions);

/** What stood in the api once: 189 bytes of a receiver's answer took it 80 seconds. */
const WEB_PAGE = String.raw`/^\s*(<!--[\s\S]*?-->\s*)*(<!doctype html|<html)\b/i`;

describe("lint rejects a regular expression", () => {
  it("with exponential backtracking, with its location and an input that shows it", async () => {
    const [fault, ...more] = await judge("web-page.ts", `\n\nexport const page = ${WEB_PAGE};\n`);
    expect(more).toEqual([]);
    expect(fault).toMatchObject({ file: "web-page.ts", line: 3 });
    expect(fault?.fault).toContain("takes exponential time, for example on '<!-");
  });

  it.each([
    ["nested quantifiers", "const a = /^(a+)+$/;"],
    ["alternatives that overlap", "const a = /^(a|a)*$/;"],
    ["a search for what stands at the end", String.raw`const a = /\/+$/;`],
    ["a fixed text made into one", 'const a = new RegExp("^(a+)+$", "i");'],
    [
      "an attribute of a view",
      String.raw`export const view = <input onInput={() => /(\d+)+x/.test("1")} />;`,
    ],
  ])("with %s", async (_, text) => {
    expect(await judge("x.tsx", text)).toHaveLength(1);
  });

  it.each([
    ["in single quotes", "$found = preg_match('/^(a+)+$/D', $text);"],
    ["in double quotes", String.raw`$found = preg_replace("~(\d+)+x~i", '', $text);`],
    ["as a constant", String.raw`private const NAME = '#^(\w|\w)*$#';`],
  ])("of PHP %s", async (_, text) => {
    expect(await judge("x.php", `<?php\n${text}\n`)).toMatchObject([{ line: 2 }]);
  });

  it("that cannot be analysed", async () => {
    expect((await judge("x.php", "<?php preg_match('/^a++$/', $a);"))[0]?.fault).toContain(
      "cannot be judged",
    );
    expect(collectExpressions("x.ts", "\nconst a = new RegExp(start + end);").inParts).toEqual([
      { file: "x.ts", line: 2 },
    ]);
  });
});

it("lint accepts linear expressions, and paths that look like expressions", async () => {
  const linear = String.raw`const a = [/^\d{1,9}$/, /^[A-Z0-9]{2,10}$/, /\s+/g, /^https?:\/\//i];`;
  expect(await judge("x.ts", linear)).toEqual([]);
  const php = String.raw`<?php preg_match('~^https?://[^/?#@\s]+(/[^?#\s]*)?$~i', $a); $path = '/orders/cancel';`;
  expect(collectExpressions("x.php", php).expressions).toHaveLength(1);
  expect(await judge("x.php", php)).toEqual([]);
});
