import { isIPv4, isIPv6 } from "node:net";
import { parseWebAddress, withoutTrailingSlashes } from "@tillgate/contract";
import { z } from "zod";

/** Names that Express knows for networks, beside addresses and networks in figures. */
const NAMED = ["loopback", "linklocal", "uniquelocal"];

/** The largest private networks. A larger one holds strangers, and a trusted proxy names the address of every caller. */
const SHORTEST_PREFIX = 8;

/** Whether a text is what a setting of trusted proxies may name: an address, a network (`10.0.0.0/8`), or a name of Express. */
export function isNetwork(text: string): boolean {
  if (NAMED.includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  const isLength =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= SHORTEST_PREFIX && Number(bits) <= most);
  return most > 0 && isLength && rest.length === 0;
}

/** What a setting may be. */
export type Kind<Value> = {
  /** The limit in the words of the settings reference, as in "must be …". */
  limit: string;
  /** Reads the text of the environment. Its messages never repeat a value. */
  schema: z.ZodType<Value, string>;
};

const kind = <Value>(limit: string, schema: z.ZodType<Value, string>): Kind<Value> => ({ limit, schema });

/** A text that a function reads. What the function throws is the mistake's sentence; undefined is "must be" and the limit. */
export const readBy = <Value>(limit: string, read: (text: string) => Value | undefined): Kind<Value> =>
  kind(
    limit,
    z.string().transform((text, context) => {
      const refuse = (message: string) => {
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      };
      try {
        return read(text) ?? refuse(`must be ${limit}`);
      } catch (error) {
        return refuse(error instanceof Error ? error.message : String(error));
      }
    }),
  );

/** A whole number in plain digits. */
export const wholeNumber = (min: number, max: number): Kind<number> =>
  readBy(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    return value >= min && value <= max ? value : undefined;
  });

export const oneOf = <const Value extends string>(values: readonly Value[]): Kind<Value> =>
  readBy(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text));

/** One of two words; true for the first. */
export const either = (yes: string, no: string): Kind<boolean> => {
  const { limit, schema } = oneOf([yes, no]);
  return kind(
    limit,
    schema.transform((word) => word === yes),
  );
};

export const text: Kind<string> = kind("a text", z.string());

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

/** A key that programs show each other in a header: printable ASCII without spaces. */
export const key: Kind<string> = kind(
  "at least 32 printable ASCII characters without spaces",
  longText(32).schema.refine((value) => /^[\x21-\x7e]*$/.test(value), {
    error: "must be printable ASCII without spaces",
  }),
);

export const postgresAddress: Kind<string> = kind(
  "a postgresql:// address",
  z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql:// address" }),
);

/** A public address that a path can be put behind. */
export const baseAddress: Kind<string> = readBy(
  "an http or https URL without credentials, query or fragment",
  (value) => {
    if (parseWebAddress(value) === undefined) throw new Error("must be an http or https URL");
    if (/[?#@]/.test(value)) throw new Error("must have no credentials, query or fragment");
    return withoutTrailingSlashes(value);
  },
);

/** The address of a page that people are led to. */
export const pageAddress: Kind<string> = readBy("an http or https URL without credentials", (value) => {
  const url = parseWebAddress(value);
  return url && `${url.username}${url.password}` === "" ? url.href : undefined;
});

/** The origin of an address that has nothing behind it. */
export const origin: Kind<string> = readBy(
  "an http or https URL without a path, like https://pay.example.com",
  (value) => {
    const url = parseWebAddress(value);
    return url && url.href === `${url.origin}/` ? url.origin : undefined;
  },
);

const parts = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** Host names, in lower case. */
export const hostNames: Kind<string[]> = kind(
  "host names, separated by commas",
  z.string().transform((value) => parts(value.toLowerCase())),
);

/** Proxies: addresses and networks. */
export const networks: Kind<string[]> = readBy(
  "addresses or networks (10.0.0.0/8), separated by commas",
  (value) => (parts(value).every(isNetwork) ? parts(value) : undefined),
);
