import ts from "typescript";

/** What a language's texts and comments look like, by the end of a file's name; the comments are named. */
const TOKENS = [
  [
    /\.php$/,
    /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|(?<comment>\/\*[\s\S]*?\*\/|(?:\/\/|#(?!\[))[^\n]*)/g,
  ],
  [/\.sql$/, /'[^']*'|(?<comment>\/\*[\s\S]*?\*\/|--[^\n]*)/g],
  [/\.css$/, /(?<comment>\/\*[\s\S]*?\*\/)/g],
  [/\.(?:yml|sh|prisma)$/, /^\s*(?<comment>(?:#|\/\/)[^\n]*)/gm],
  [/\.md$/, /(?<comment>[\s\S]+)/g],
];

/**
 * The comments of a file; of Markdown all of it.
 * @param {string} file its name
 * @param {string} text its content
 * @returns {{ line: number, text: string }[]} each with the line that it begins on; consecutive line comments are one
 */
export function collectComments(file, text) {
  const lineAt = (position) => text.slice(0, position).split("\n").length;
  if (/\.(?:[cm]?[jt]s|tsx)$/.test(file)) return ofTypeScript(file, text, lineAt);
  const tokens = TOKENS.find(([name]) => name.test(file))?.[1];
  const comments = [];
  for (const match of tokens === undefined ? [] : text.matchAll(tokens)) {
    if (match.groups.comment === undefined) continue;
    const last = comments.at(-1);
    const line = lineAt(match.index + match[0].indexOf(match.groups.comment));
    if (last !== undefined && last.line + last.text.split("\n").length === line)
      last.text += `\n${match.groups.comment}`;
    else comments.push({ line, text: match.groups.comment });
  }
  return comments;
}

/** Before each token stand only blanks and comments. */
function ofTypeScript(file, text, lineAt) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const comments = [];
  const visit = (node) => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(tree);
    if (children.length > 0) return children.forEach(visit);
    const before = text.slice(node.getFullStart(), node.getStart(tree));
    if (before.trim() !== "") comments.push({ line: lineAt(node.getFullStart()), text: before });
  };
  visit(tree);
  return comments;
}
