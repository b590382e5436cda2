import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { check } from "recheck";

/** How long one expression is looked at, in milliseconds. One that cannot be judged by then is refused. */
const TIMEOUT_MS = 60_000;
/** How many are looked at together: the checker shares one process. */
const AT_ONCE = 4;

/**
 * Finds the expressions that can take much longer than their input is long: a hostile input could stop the process.
 * @param {import("./collect-expressions.mjs").Expression[]} expressions
 * @param {{ known?: string[] }} [options] `known`: keys that were found linear before; new ones are added
 * @returns {Promise<{ file: string, line: number, fault: string }[]>}
 */
export async function judgeExpressions(expressions, { known = [] } = {}) {
  const linear = new Set(known);
  const verdicts = new Map();
  const waiting = [...new Set(expressions.map(keyOf))].filter((key) => !linear.has(key));
  const byKey = new Map(expressions.map((expression) => [keyOf(expression), expression]));
  const work = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const { source, flags } = byKey.get(key);
      const verdict = await check(source, flags, { timeout: TIMEOUT_MS });
      if (verdict.status === "safe") known.push(key);
      else verdicts.set(key, verdict);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return expressions.flatMap((expression) => {
    const verdict = verdicts.get(keyOf(expression));
    return verdict ? [{ file: expression.file, line: expression.line, fault: faultOf(verdict) }] : [];
  });
}

const keyOf = ({ source, flags }) => `/${source}/${flags}`;

function faultOf({ status, complexity, attack, error }) {
  if (status === "unknown") return `cannot be judged (${error.kind}): write it so that it can`;
  return `takes ${complexity.summary} time, for example on ${attack.pattern.slice(0, 200)}`;
}

/** Reads what a run before found linear; nothing where there was none, or where the checker is another. */
export function readKnown(file, version) {
  try {
    const kept = JSON.parse(readFileSync(file, "utf8"));
    return kept.version === version ? kept.linear : [];
  } catch {
    return [];
  }
}

export function keepKnown(file, version, linear) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version, linear }));
}
