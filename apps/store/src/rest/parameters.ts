import { z } from "zod";
import { parseDecimal } from "../amounts.js";
import { RestError } from "./rest-request.js";

/** Returns WordPress's error for a wrong type; `%s` stands for the parameter's name. */
const wrongType = (type: string) => ({ error: `%s is not of type ${type}.` });

/** A string; a JSON number is rejected. NUL, which PostgreSQL cannot store, is removed, as in WordPress. */
export const text = z
  .string(wrongType("string"))
  .transform((value) => value.replaceAll("\u0000", "").toWellFormed());

export const integer = (lowest = Number.MIN_SAFE_INTEGER, highest = Number.MAX_SAFE_INTEGER) => {
  const bounds =
    highest === Number.MAX_SAFE_INTEGER
      ? `%s must be greater than or equal to ${lowest}`
      : `%s must be between ${lowest} (inclusive) and ${highest} (inclusive)`;
  return z.preprocess(
    (value) => (typeof value === "string" && /^[+-]?\d+$/.test(value) ? Number(value) : value),
    z.int(wrongType("integer")).min(lowest, { error: bounds }).max(highest, { error: bounds }),
  );
};

const booleans = new Map<unknown, unknown>([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

export const boolean = z.preprocess((value) => booleans.get(value) ?? value, z.boolean(wrongType("boolean")));

export const oneOf = <const Word extends string>(known: readonly Word[]) =>
  z.enum(known, { error: `%s is not one of ${known.slice(0, -1).join(", ")}, and ${known.at(-1)}.` });

export const ids = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",") : value),
  z.array(
    integer(0).transform((id) => BigInt(id)),
    wrongType("array"),
  ),
);

/** A time. Without a time zone, it is in UTC, the shop's time zone. */
export const moment = z.iso
  .datetime({ local: true, offset: true, error: "Invalid date." })
  .transform((value) => new Date(/(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`));

/** A decimal in major units, given as a string or number, and parsed into minor units. */
export const amount = z.union([z.string(), z.number()], wrongType("string")).transform((value, context) => {
  const minor = parseDecimal(value);
  if (minor !== undefined) return minor;
  context.addIssue({ code: "custom", message: "%s is not an amount." });
  return z.NEVER;
});

export const collection = { page: integer(1).default(1), per_page: integer(1, 100).default(10) };

/** Parses parameters; null counts as missing. @throws RestError 400 with WordPress's error for missing and invalid parameters */
export function parseParameters<Shape extends z.ZodRawShape>(
  shape: Shape,
  input: Record<string, unknown>,
  required: string[] = [],
): z.output<z.ZodObject<Shape>> {
  const present = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const missing = required.filter((name) => present[name] === undefined);
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(", ")}`;
    throw new RestError("rest_missing_callback_param", message, 400, { status: 400, params: missing });
  }
  const parsed = z.object(shape).safeParse(present);
  if (parsed.success) return parsed.data;
  const params: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) {
    const [name = "", ...inside] = path.map(String);
    params[name] ??= message.replaceAll("%s", `${name}${inside.map((part) => `[${part}]`).join("")}`);
  }
  const message = `Invalid parameter(s): ${Object.keys(params).join(", ")}`;
  throw new RestError("rest_invalid_param", message, 400, { status: 400, params });
}
