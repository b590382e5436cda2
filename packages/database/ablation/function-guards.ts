import type { Guard } from "./guard.js";

/** Matches comments and strings first, so that their content is never parsed as tokens. */
const TOKENS = /--[^\n]*|'(?:[^']|'')*'|[A-Za-z_][\w.]*|\d+|<>|<=|>=|:=|=>|->>|->|<@|@>|\|\||::|[^\s\w]/g;
type Token = { text: string; at: number; depth: number };

/** Tokens that begin a condition. */
const OPENINGS = ["WHERE", "HAVING", "AND", "OR", "IF", "ELSIF"];
/** Tokens that begin a condition only if AND or OR follows the condition. */
const POSSIBLE_OPENINGS = ["(", "WHEN", "RETURN", "SELECT"];
/** Tokens that end a condition at the same nesting depth. */
const CLOSINGS =
  "AND OR THEN ELSE LOOP ; , WHERE HAVING RETURNING ORDER GROUP LIMIT FOR UNION EXCEPT JOIN LEFT CROSS WHEN AS".split(
    " ",
  );
const LIMITS = [...OPENINGS, ...CLOSINGS, "BETWEEN"];
/** The same comparison with its boundary value included instead of excluded, or vice versa. */
const BOUNDARIES: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const CLOCK_READ = /\b(\w+) timestamptz := clock_timestamp\(\)/g;
const LOCK = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g;

type Change = { kind: Guard["kind"]; from: number; to: number; text: string; holds: string };

/**
 * Finds the guards of a function. Each guard is disabled or weakened by one change to the function's definition, the result of
 * `pg_get_functiondef`:
 *
 * - a row lock is removed;
 * - a condition is replaced by a constant that has no effect: `true` next to AND, or as the only condition of WHERE or HAVING; `false` next
 *   to OR, or as the only condition of IF or ELSIF;
 * - `<` becomes `<=`, `>` becomes `>=`, and vice versa, except in comparisons with the current time: no test can hit the exact microsecond.
 *
 * `=` is not negated: a test that notices a missing condition would notice its opposite too.
 */
export function findFunctionGuards({ name, definition }: { name: string; definition: string }): Guard[] {
  const start = definition.indexOf("AS $function$") + "AS $function$".length;
  const body = definition.slice(start, definition.lastIndexOf("$function$"));
  const tokens = tokenize(body);
  const changes = [...findLocks(body), ...findConditions(body, tokens), ...findComparisons(body, tokens)];
  const counts = new Map<string, number>();
  return changes.map(({ kind, from, to, text, holds }) => {
    const number = (counts.get(`${kind} ${holds}`) ?? 0) + 1;
    counts.set(`${kind} ${holds}`, number);
    const changed = body.slice(0, from) + text + body.slice(to);
    return {
      kind,
      name: `${name}: ${holds}${number > 1 ? ` (${number})` : ""}`,
      of: name,
      calls: name,
      holds: text === "" ? "removed" : text,
      ablation: `${definition.slice(0, start)}${changed}$function$`,
    };
  });
}

/** Splits a body into tokens with their nesting depth. CASE … END counts as nesting, like brackets. */
function tokenize(body: string): Token[] {
  const open: string[] = [];
  return [...body.matchAll(TOKENS)]
    .filter(([text]) => !text.startsWith("--"))
    .map(({ 0: text, index: at }) => {
      if ([")", "]"].includes(text) || (text === "END" && open.at(-1) === "CASE")) open.pop();
      const token = { text, at, depth: open.length };
      if (["(", "[", "CASE"].includes(text)) open.push(text);
      return token;
    });
}

const findLocks = (body: string): Change[] =>
  [...body.matchAll(LOCK)].map(({ 0: lock, index }) => {
    const line = body.slice(body.lastIndexOf("\n", index) + 1, index);
    return {
      kind: "row lock",
      from: index,
      to: index + lock.length,
      text: "",
      holds: inOneLine(line + lock),
    };
  });

const findConditions = (body: string, tokens: readonly Token[]): Change[] =>
  tokens.flatMap(({ text: opening }, at): Change[] => {
    const end = findEnd(tokens, at + 1);
    const [first, last, closing] = [tokens[at + 1], tokens[end - 1], tokens[end]?.text ?? ""];
    const isOpening =
      OPENINGS.includes(opening) || (POSSIBLE_OPENINGS.includes(opening) && ["AND", "OR"].includes(closing));
    const isEndIf = opening === "IF" && tokens[at - 1]?.text === "END";
    if (!isOpening || isEndIf || isOfBetween(tokens, at)) return [];
    if (end <= at + 1 || first === undefined || last === undefined) return [];
    const [from, to] = [first.at, last.at + last.text.length];
    const text = chooseVoid(opening, closing);
    return [{ kind: "condition", from, to, text, holds: inOneLine(body.slice(from, to)) }];
  });

function findComparisons(body: string, tokens: readonly Token[]): Change[] {
  const times = ["_timestamp()", ...[...body.matchAll(CLOCK_READ)].map(([, name = ""]) => name)];
  return tokens.flatMap(({ text: operator, at }, index): Change[] => {
    const text = BOUNDARIES[operator];
    const [first, last] = [tokens[findStart(tokens, index) + 1], tokens[findEnd(tokens, index) - 1]];
    if (text === undefined || first === undefined || last === undefined) return [];
    const holds = inOneLine(body.slice(first.at, last.at + last.text.length));
    if (times.some((time) => holds.includes(time))) return [];
    return [{ kind: "comparison", from: at, to: at + operator.length, text, holds }];
  });
}

/** Returns the constant that replaces a condition, so that only the conditions next to it decide. */
function chooseVoid(opening: string, closing: string): string {
  if (opening === "AND" || closing === "AND") return "true";
  return ["OR", "IF", "ELSIF"].includes(opening) || closing === "OR" ? "false" : "true";
}

/** @returns the index of the token after the condition that contains the token at `within`. */
function findEnd(tokens: readonly Token[], within: number): number {
  const depth = tokens[within]?.depth ?? 0;
  const end = tokens.findIndex((token, at) => at >= within && isLimit(tokens, at, CLOSINGS, depth, token));
  return end < 0 ? tokens.length : end;
}

/** @returns the index of the token before the condition that contains the token at `within`. */
const findStart = (tokens: readonly Token[], within: number): number =>
  tokens.findLastIndex(
    (token, at) =>
      at < within &&
      isLimit(
        tokens,
        at,
        [...OPENINGS, ...POSSIBLE_OPENINGS, ...CLOSINGS],
        tokens[within]?.depth ?? 0,
        token,
      ),
  );

const isLimit = (
  tokens: readonly Token[],
  at: number,
  limits: readonly string[],
  depth: number,
  { text, depth: own }: Token,
): boolean => own < depth || (own === depth && limits.includes(text) && !isOfBetween(tokens, at));

function isOfBetween(tokens: readonly Token[], at: number): boolean {
  const own = tokens[at];
  if (own?.text !== "AND") return false;
  const before = tokens
    .slice(0, at)
    .findLast(({ text, depth }) => depth === own.depth && LIMITS.includes(text));
  return before?.text === "BETWEEN";
}

/** Maximum length of a condition in a guard's name. */
const MAXIMUM_LENGTH = 120;

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAXIMUM_LENGTH ? `${line.slice(0, MAXIMUM_LENGTH)}…` : line;
}
