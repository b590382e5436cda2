import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { check } from "recheck";

/**
 * Time limits in milliseconds for each expression. A single trial has no time limit: by default, a slow trial counts as an attack, so a busy machine
 * would report linear expressions.
 */
const LIMITS = { timeout: 60_000, incubationTimeout: null, attackTimeout: null };
/** Expressions that are sent to the checker, a single process, at the same time. */
const CONCURRENCY = 4;

/**
 * Finds expressions with super-linear run time, with which hostile input could block the process, and expressions that cannot be analysed.
 * @param {import("./collect-expressions.mjs").Expression[]} expressions
 * @param {{ known?: string[] }} [options] `known`: keys of linear expressions; new ones are appended
 * @returns {Promise<{ file: string, line: number, problem: string }[]>}
 */
export async function checkExpressions(expressions, { known = [] } = {}) {
  const linear = new Set(known);
  const verdicts = new Map();
  const waiting = [...new Set(expressions.map(expressionKey))].filter((key) => !linear.has(key));
  const byKey = new Map(expressions.map((expression) => [expressionKey(expression), expression]));
  const work = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const { source, flags } = byKey.get(key);
      const verdict = await check(source, flags, LIMITS);
      if (verdict.status === "safe") known.push(key);
      else verdicts.set(key, verdict);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return expressions.flatMap((expression) => {
    const verdict = verdicts.get(expressionKey(expression));
    return verdict
      ? [{ file: expression.file, line: expression.line, problem: describeVerdict(verdict) }]
      : [];
  });
}

const expressionKey = ({ source, flags }) => `/${source}/${flags}`;

function describeVerdict({ status, complexity, attack, error }) {
  if (status === "unknown") return `cannot be analysed (${error.kind}): simplify it`;
  return `takes ${complexity.summary} time, for example on ${attack.pattern.slice(0, 200)}`;
}

export function readCache(file, version) {
  try {
    const cached = JSON.parse(readFileSync(file, "utf8"));
    return cached.version === version ? cached.linear : [];
  } catch {
    return [];
  }
}

export function writeCache(file, version, linear) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version, linear }));
}
