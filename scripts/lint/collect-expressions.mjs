import ts from "typescript";

/** @typedef {{ file: string, line: number, source: string, flags: string }} Expression */

/** Matches texts such as `'/^a+$/D'` or `"~^https?://~i"`, but not a path like `'/orders/cancel'`, which does not end with a delimiter and flags. */
const PHP_TEXT =
  /(?<quote>['"])(?<delimiter>[/~#])(?<source>(?:(?!\k<quote>|\k<delimiter>)[^\\\n]|\\.)+)\k<delimiter>(?<flags>[imsuxADSUXJ]*)\k<quote>/g;
/** PHP's other flags do not exist in JavaScript and do not affect the run time. */
const COMMON_FLAGS = /[imsu]/g;

/**
 * Collects the regular expressions of a file. @returns {{ expressions: Expression[], dynamic: { file: string, line: number }[] }} `dynamic`:
 * expressions that are built at run time and cannot be checked
 */
export function collectExpressions(file, text) {
  return file.endsWith(".php") ? collectFromPhp(file, text) : collectFromTypeScript(file, text);
}

function collectFromPhp(file, text) {
  const expressions = text.split("\n").flatMap((line, index) =>
    [...line.matchAll(PHP_TEXT)].map(({ groups: { source, flags } }) => ({
      file,
      line: index + 1,
      source: source.replaceAll("\\x{", "\\u{"),
      flags: (flags.match(COMMON_FLAGS) ?? []).join(""),
    })),
  );
  return { expressions, dynamic: [] };
}

function collectFromTypeScript(file, text) {
  const expressions = [];
  const dynamic = [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const lineNumber = (node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      expressions.push({ file, line: lineNumber(node), source, flags });
    }
    if (isRegExpCall(node)) {
      const [source, flags] = node.arguments ?? [];
      if (isLiteral(source) && (flags === undefined || isLiteral(flags)))
        expressions.push({ file, line: lineNumber(node), source: source.text, flags: flags?.text ?? "" });
      else dynamic.push({ file, line: lineNumber(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { expressions, dynamic };
}

const isRegExpCall = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === "RegExp";

const isLiteral = (node) => node !== undefined && ts.isStringLiteralLike(node);
