/** A parameter as PHP reads it: `a[b][]=1` becomes nested lists and objects. */
export type PhpValue = string | PhpObject;
export interface PhpObject {
  [key: string]: PhpValue;
}

/** Parameters of one request, at most; what is behind that is not read, as PHP's max_input_vars does. */
const maxParameters = 1000;
const maxDepth = 8;

const emptyObject = (): PhpObject => Object.create(null);

/**
 * Reads a query string or a form body as PHP does. Lists are objects with the keys 0, 1, 2, as in PHP.
 *
 * @param text without the question mark.
 */
export function parsePhpQuery(text: string): PhpObject {
  const result = emptyObject();
  let read = 0;
  for (const [rawName, value] of new URLSearchParams(text)) {
    read += 1;
    if (read > maxParameters) break;
    const name = rawName.trimStart();
    const bracket = name.indexOf("[");
    const top = bracket > 0 ? name.slice(0, bracket) : name;
    if (top === "") continue;
    assign(result, [top, ...(bracket > 0 ? bracketed(name, bracket) : [])], value);
  }
  return result;
}

/** What stands in the brackets of a name, as far as they are closed; not deeper than PHP goes. */
function bracketed(name: string, from: number): string[] {
  const parts: string[] = [];
  for (let open = from; open !== -1 && parts.length < maxDepth; ) {
    const close = name.indexOf("]", open);
    if (close === -1) break;
    parts.push(name.slice(open + 1, close));
    open = name.indexOf("[", close);
  }
  return parts;
}

function assign(target: PhpObject, path: string[], value: string): void {
  const [first = "", ...rest] = path;
  const key = first === "" ? String(nextIndex(target)) : first;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const nested = typeof inner === "object" ? inner : emptyObject();
  target[key] = nested;
  assign(nested, rest, value);
}

const nextIndex = (target: PhpObject): number =>
  Object.keys(target).reduce((next, key) => (/^\d+$/.test(key) ? Math.max(next, Number(key) + 1) : next), 0);

/** Turns objects with the keys 0, 1, 2 into lists, for what comes after the signature. */
export function asJson(value: PhpValue): unknown {
  if (typeof value === "string") return value;
  const keys = Object.keys(value);
  const entries = keys.map((key) => [key, asJson(value[key] ?? "")] as const);
  const isList = keys.every((key, index) => key === String(index));
  return isList && keys.length > 0 ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
