import { isIPv4, isIPv6 } from "node:net";
import { parseWebAddress, trimTrailingSlashes } from "@tillgate/contract";
import { z } from "zod";

/** Express accepts these names in addition to addresses and CIDR ranges. */
const NAMED = ["loopback", "linklocal", "uniquelocal"];

/** Prefix of the largest private network. A larger network includes other people's hosts, and a trusted proxy can claim any client address. */
const SHORTEST_PREFIX = 8;

/** Returns whether an entry is an address, a network with a prefix length of at least 8 (`10.0.0.0/8`), or a name defined by Express (`loopback`). */
export function isTrustedProxyEntry(text: string): boolean {
  if (NAMED.includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const maxBits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  const isLength =
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= SHORTEST_PREFIX && Number(bits) <= maxBits);
  return maxBits > 0 && isLength && rest.length === 0;
}

export type Kind<Value> = {
  /** Completes "must be …"; also used in the settings reference. */
  limit: string;
  /** Its messages never contain the value. */
  schema: z.ZodType<Value, string>;
};

const kind = <Value>(limit: string, schema: z.ZodType<Value, string>): Kind<Value> => ({ limit, schema });

/** Creates a kind of setting. If `read` throws, its message is the error. If `read` returns undefined, the error is "must be" followed by `limit`. */
export const readBy = <Value>(limit: string, read: (text: string) => Value | undefined): Kind<Value> =>
  kind(
    limit,
    z.string().transform((text, context) => {
      const reject = (message: string) => {
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      };
      try {
        return read(text) ?? reject(`must be ${limit}`);
      } catch (error) {
        return reject(error instanceof Error ? error.message : String(error));
      }
    }),
  );

export const wholeNumber = (min: number, max: number): Kind<number> =>
  readBy(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    return value >= min && value <= max ? value : undefined;
  });

/** Decimal notation, with at most nine decimals. */
export const ratio: Kind<number> = readBy("a number from 0 to 1", (text) =>
  /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? Number(text) : undefined,
);

export const oneOf = <const Value extends string>(values: readonly Value[]): Kind<Value> =>
  readBy(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text));

/** The first value is parsed as true, the second as false. */
export const either = (yes: string, no: string): Kind<boolean> => {
  const { limit, schema } = oneOf([yes, no]);
  return kind(
    limit,
    schema.transform((value) => value === yes),
  );
};

export const text: Kind<string> = kind("text", z.string());

export const longText = (min: number, max?: number): Kind<string> =>
  kind(
    max === undefined ? `at least ${min} characters` : `${min} to ${max} characters`,
    z
      .string()
      .min(min, { error: `must be at least ${min} characters` })
      .max(max ?? Number.MAX_SAFE_INTEGER, { error: `must be at most ${max} characters` }),
  );

export const matching = (pattern: RegExp, limit: string): Kind<string> =>
  kind(limit, z.string().regex(pattern, { error: `must be ${limit}` }));

/** Processes send this shared key in a header. */
export const key: Kind<string> = kind(
  "at least 32 printable ASCII characters without spaces",
  longText(32).schema.refine((value) => /^[\x21-\x7e]*$/.test(value), {
    error: "must be printable ASCII without spaces",
  }),
);

export const postgresAddress: Kind<string> = kind(
  "a postgresql:// URL",
  z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql:// URL" }),
);

/** Paths are appended to this URL, so trailing slashes are removed. */
export const baseAddress: Kind<string> = readBy(
  "an http or https URL without credentials, query or fragment",
  (value) => {
    if (parseWebAddress(value) === undefined) throw new Error("must be an http or https URL");
    if (/[?#@]/.test(value)) throw new Error("must not contain credentials, a query or a fragment");
    return trimTrailingSlashes(value);
  },
);

export const pageAddress: Kind<string> = readBy("an http or https URL without credentials", (value) => {
  const url = parseWebAddress(value);
  return url && `${url.username}${url.password}` === "" ? url.href : undefined;
});

export const origin: Kind<string> = readBy(
  "an http or https URL without a path, like https://pay.example.com",
  (value) => {
    const url = parseWebAddress(value);
    return url && url.href === `${url.origin}/` ? url.origin : undefined;
  },
);

const splitList = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

export const hostNames: Kind<string[]> = kind(
  "host names, separated by commas",
  z.string().transform((value) => splitList(value.toLowerCase())),
);

export const networks: Kind<string[]> = readBy(
  `addresses, networks of /${SHORTEST_PREFIX} or smaller (10.0.0.0/8) or ${NAMED.join(", ")}, separated by commas`,
  (value) => (splitList(value).every(isTrustedProxyEntry) ? splitList(value) : undefined),
);
