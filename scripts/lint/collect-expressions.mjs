import ts from "typescript";

/**
 * A regular expression as it stands in a file.
 * @typedef {{ file: string, line: number, source: string, flags: string }} Expression
 */

/** A text of PHP that is a regular expression: `'/^a+$/D'`, `"~^https?://~i"`. A path like `'/orders/cancel'` has no such flags. */
const PHP_TEXT =
  /(?<quote>['"])(?<delimiter>[/~#])(?<source>(?:(?!\k<quote>|\k<delimiter>)[^\\\n]|\\.)+)\k<delimiter>(?<flags>[imsuxADSUXJ]*)\k<quote>/g;
/** PHP's other flags have no name in JavaScript, and change nothing about how long a match takes. */
const COMMON_FLAGS = /[imsu]/g;

/**
 * All regular expressions of a file in TypeScript, JavaScript or PHP.
 * @param {string} file its name
 * @param {string} text what stands in it
 * @returns {{ expressions: Expression[], inParts: { file: string, line: number }[] }} `inParts`: where one is made of more
 * than a fixed text, so that it cannot be judged
 */
export function collectExpressions(file, text) {
  return file.endsWith(".php") ? ofPhp(file, text) : ofTypeScript(file, text);
}

function ofPhp(file, text) {
  const expressions = text.split("\n").flatMap((line, index) =>
    [...line.matchAll(PHP_TEXT)].map(({ groups: { source, flags } }) => ({
      file,
      line: index + 1,
      source: source.replaceAll("\\x{", "\\u{"),
      flags: (flags.match(COMMON_FLAGS) ?? []).join(""),
    })),
  );
  return { expressions, inParts: [] };
}

function ofTypeScript(file, text) {
  const expressions = [];
  const inParts = [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const lineOf = (node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      expressions.push({ file, line: lineOf(node), source, flags });
    }
    if (makesExpression(node)) {
      const [source, flags] = node.arguments ?? [];
      if (isFixed(source) && (flags === undefined || isFixed(flags)))
        expressions.push({ file, line: lineOf(node), source: source.text, flags: flags?.text ?? "" });
      else inParts.push({ file, line: lineOf(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { expressions, inParts };
}

const makesExpression = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === "RegExp";

const isFixed = (node) => node !== undefined && ts.isStringLiteralLike(node);
