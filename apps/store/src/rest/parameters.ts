import { z } from "zod";
import { RestError } from "./rest-error.js";

/** `%s` stands for the parameter's name; the code is the one that WordPress puts into `details`. */
const refuse = (context: z.core.$RefinementCtx, code: string, message: string): typeof z.NEVER => {
  context.addIssue({ code: "custom", message, params: { code } });
  return z.NEVER;
};

const wrongType = (context: z.core.$RefinementCtx, type: string): typeof z.NEVER =>
  refuse(context, "rest_invalid_type", `%s is not of type ${type}.`);

/** Words as WordPress lists them: "a, b, and c". */
const listed = (values: readonly string[]): string => {
  if (values.length < 2) return values.join("");
  if (values.length === 2) return values.join(" or ");
  return `${values.slice(0, -1).join(", ")}, and ${values.at(-1)}`;
};

/** Text; a number is not text. NUL cannot be stored and is left out, as WordPress does. */
export const text = z.unknown().transform((value, context) => {
  if (typeof value !== "string") return wrongType(context, "string");
  return value.replaceAll("\u0000", "").toWellFormed();
});

/** An integer, also as text. */
export const integer = (lowest?: number, highest?: number) =>
  z.unknown().transform((value, context) => {
    const number = typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !Number.isSafeInteger(number)) return wrongType(context, "integer");
    const tooLow = lowest !== undefined && number < lowest;
    const tooHigh = highest !== undefined && number > highest;
    if ((tooLow || tooHigh) && lowest !== undefined && highest !== undefined) {
      const bounds = `%s must be between ${lowest} (inclusive) and ${highest} (inclusive)`;
      return refuse(context, "rest_out_of_bounds", bounds);
    }
    if (tooLow) {
      return refuse(context, "rest_out_of_bounds", `%s must be greater than or equal to ${lowest}`);
    }
    if (tooHigh) return refuse(context, "rest_out_of_bounds", `%s must be less than or equal to ${highest}`);
    return number;
  });

const truths = new Set<unknown>([true, "true", "TRUE", "1", 1]);
const falsehoods = new Set<unknown>([false, "false", "FALSE", "0", "", 0]);

/** True or false, also as text or number. */
export const boolean = z.unknown().transform((value, context) => {
  if (truths.has(value)) return true;
  if (falsehoods.has(value)) return false;
  return wrongType(context, "boolean");
});

/** One of a few words. */
export const oneOf = <Word extends string>(words: readonly Word[]) =>
  z.unknown().transform((value, context): Word => {
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    if (typeof value !== "string") return wrongType(context, "string");
    return refuse(context, "rest_not_in_enum", `%s is not one of ${listed(words)}.`);
  });

/** A list; text is split at commas and spaces, as WordPress does. */
export const list = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((value, context) => {
    if (typeof value === "string") return value.split(/[\s,]+/).filter((word) => word !== "");
    if (typeof value === "object" && value !== null)
      return Array.isArray(value) ? value : Object.values(value);
    return wrongType(context, "array");
  }, z.array(item));

/** A list of ids. */
export const ids = list(integer(0)).transform((numbers) => numbers.map((number) => BigInt(number)));

/** A moment; without a zone it is in the shop's, which is UTC. */
export const moment = z.unknown().transform((value, context) => {
  const matches =
    typeof value === "string" &&
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/.exec(value);
  if (!matches) return refuse(context, "rest_invalid_date", "Invalid date.");
  const zone = (matches[3] ?? "Z").toUpperCase();
  const offset = zone === "Z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
  const date = new Date(`${matches[1]}T${matches[2]}${offset}`);
  return Number.isNaN(date.getTime()) ? refuse(context, "rest_invalid_date", "Invalid date.") : date;
});

/** An e-mail address, or nothing. */
export const email = z.unknown().transform((value, context) => {
  if (typeof value !== "string") return wrongType(context, "string");
  if (value === "" || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value)) return value;
  return refuse(context, "rest_invalid_email", "Invalid email address.");
});

/** An object; a list is none. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value, context) => {
    if (value === "" || (Array.isArray(value) && value.length === 0)) return {};
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return wrongType(context, "object");
    return value;
  }, z.object(shape));

/** Meta data as it is sent. An entry without a key is left out. */
export const metaData = list(
  object({ id: integer(0).optional(), key: text.optional(), value: z.unknown() }),
).transform((entries) =>
  entries.flatMap(({ id, key, value }) =>
    key === undefined || key === "" ? [] : [{ ...(id ? { id } : {}), key, value }],
  ),
);

/** What a list of anything can be asked for. */
export const collection = {
  page: integer(1).default(1),
  per_page: integer(1, 100).default(10),
  offset: integer(0).optional(),
  search: text.optional(),
  order: oneOf(["asc", "desc"]).default("desc"),
  include: ids.optional(),
  exclude: ids.optional(),
};

const pathName = ([top, ...rest]: PropertyKey[]): string =>
  `${String(top)}${rest.map((part) => `[${String(part)}]`).join("")}`;

/**
 * Reads parameters, or answers as WordPress does: which are missing, or which are wrong and why. A null counts as left
 * out.
 *
 * @throws RestError with 400.
 */
export function readParameters<Shape extends z.ZodRawShape>(
  shape: Shape,
  given: Record<string, unknown>,
  required: string[] = [],
): z.output<z.ZodObject<Shape>> {
  const missing = required.filter((name) => given[name] === undefined || given[name] === null);
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(", ")}`;
    throw new RestError("rest_missing_callback_param", message, 400, { status: 400, params: missing });
  }
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const parsed = z.object(shape).safeParse(present);
  if (parsed.success) return parsed.data;
  const params: Record<string, string> = {};
  const details: Record<string, { code: string; message: string; data: unknown }> = {};
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0]);
    if (params[name] !== undefined) continue;
    const fullName = pathName(issue.path);
    const message = issue.message.replaceAll("%s", fullName);
    const code = issue.code === "custom" ? String(issue.params?.code) : "rest_invalid_param";
    params[name] = message;
    details[name] = { code, message, data: code === "rest_invalid_type" ? { param: fullName } : null };
  }
  const message = `Invalid parameter(s): ${Object.keys(params).join(", ")}`;
  throw new RestError("rest_invalid_param", message, 400, { status: 400, params, details });
}
