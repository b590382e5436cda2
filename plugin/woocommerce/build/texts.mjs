import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const domain = "tillgate-for-woocommerce";
const calls = "__|_e|_x|esc_html__|esc_attr__|esc_html_e|esc_attr_e";
const quoted = `'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*"`;
const call = new RegExp(`\\b(?:${calls})\\(\\s*(${quoted})\\s*,\\s*['"]${domain}['"]\\s*,?\\s*\\)`, "gs");
const pluginHeader = /^ \* (Description): (.+)$/gm;

/** @param {string} packageFolder @returns {Map<string, string[]>} files by text, in the order of the files */
export function collectTexts(packageFolder) {
  const texts = new Map();
  const add = (text, file) => texts.set(text, [...new Set([...(texts.get(text) ?? []), file])]);
  for (const file of filesBelow(path.join(packageFolder, "src"), ".php")) {
    const source = readFileSync(file, "utf8");
    const name = path.relative(path.join(packageFolder, "src"), file);
    for (const [, text] of source.matchAll(call)) add(phpText(text), name);
    if (name === `${domain}.php`) for (const [, , text] of source.matchAll(pluginHeader)) add(text, name);
  }
  for (const file of filesBelow(path.join(packageFolder, "client"), ".ts")) {
    const source = readFileSync(file, "utf8");
    for (const [, text] of source.matchAll(call)) add(JSON.parse(text), path.relative(packageFolder, file));
  }
  // Order notes are translated when they are written.
  const rules = JSON.parse(readFileSync(path.join(packageFolder, "../rules/transitions.json"), "utf8"));
  const { notes, phrases, differences, reasons } = rules;
  for (const text of [notes, phrases, differences, reasons].flatMap((texts) => Object.values(texts))) {
    add(text, "rules/transitions.json");
  }
  // Differences are translated when they are displayed.
  const comparison = JSON.parse(readFileSync(path.join(packageFolder, "../rules/comparison.json"), "utf8"));
  const descriptions = Object.values(comparison.differences).flatMap(({ text, advice }) => [text, advice]);
  const labels = Object.values(comparison.repairs).map(({ label }) => label);
  for (const text of [...descriptions, ...labels, ...Object.values(comparison.phrases)])
    add(text, "rules/comparison.json");
  return texts;
}

/** Counts translation calls in any notation, to verify that all of them are collected. @param {string} packageFolder */
export function countCalls(packageFolder) {
  const anyCall = new RegExp(`\\b(?:${calls})\\(\\s*['"]`, "g");
  const sources = [
    ...filesBelow(path.join(packageFolder, "src"), ".php"),
    ...filesBelow(path.join(packageFolder, "client"), ".ts"),
  ];
  const count = (expression) =>
    sources.reduce((sum, file) => sum + [...readFileSync(file, "utf8").matchAll(expression)].length, 0);
  return { found: count(call), written: count(anyCall) };
}

/** @returns {string[]} sorted paths, for reproducible builds */
export function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function phpText(literal) {
  const inner = literal.slice(1, -1);
  return literal.startsWith("'") ? inner.replaceAll(/\\(['\\])/g, "$1") : JSON.parse(`"${inner}"`);
}
