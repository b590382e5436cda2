import { openApiDocument } from "@tillgate/contract/openapi";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { countOf } from "../../support/counts.js";
import type { Call } from "./callers.js";
import { type Fixture, NO_RATE_LIMITS, openFixture, operations } from "./fixture.js";

/** Number of requests per operation. */
const RUNS = countOf({ full: 400, reduced: 12 });
/** Fixed in `npm test`; random at full counts, where a failure reports the seed. */
const SEED = process.env.TILLGATE_TEST_COUNTS === "full" ? undefined : 20_261_124;

let scene: Fixture;
beforeAll(async () => {
  scene = await openFixture();
});
afterAll(() => scene.sandbox.close());

const schemaProperties = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).optional(),
  requestBody: z.looseObject({}).optional(),
});

function namesOf({ servers, path, method }: (typeof operations)[number]): {
  query: string[];
  fields: string[];
} {
  const document = openApiDocument();
  const { parameters = [], requestBody } = schemaProperties.parse(
    Reflect.get(Object(document.paths[`${servers[0]}${path}`]), method),
  );
  const referred =
    /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(requestBody ?? {}))?.[1] ?? "";
  const schema = Object(document.components.schemas[referred]);
  return {
    query: parameters.filter((item) => item.in === "query").map(({ name }) => name),
    fields: Object.keys(Object(Reflect.get(schema, "properties"))),
  };
}

/** Maximum length of a value in a URL, because Node rejects long URLs. */
const MAX_PATH_PART = 300;

/** Hostile values: syntax of other languages, range limits, numeric strings, wrong types. */
const hostileValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1e21,
    1e-9,
    0.1,
    9_007_199_254_740_992,
    Number.MIN_VALUE,
    "",
    " ",
    "0",
    "-1",
    "1e3",
    "NaN",
    "Infinity",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "\u202e\u2066",
    "𝒯".repeat(300),
    "9".repeat(400),
    "x".repeat(20_000),
    "'; DROP TABLE orders; --",
    "../..",
    "%00",
    "{{7*7}}",
    "2026-02-30T25:61:61Z",
    "0001-01-01",
    "+99999-01-01T00:00:00Z",
    "http://[::1",
    "javascript:alert(1)",
    "EUR\n",
    [],
    {},
    [[]],
    [null],
    { __proto__: null },
    { constructor: { prototype: 1 } },
  ),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.double(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.jsonValue({ maxDepth: 3 }),
);
const text = hostileValue.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
/** Encodes a value for a URL, which cannot contain lone surrogates. */
const encoded = (value: string): string =>
  encodeURIComponent(value.toWellFormed().slice(0, MAX_PATH_PART).toWellFormed());
/** Characters that a header can carry. */
const header = text.map((value) => value.replace(/[^\x20-\x7e]/g, "?").slice(0, 4_000));

/** Generates mutations of a valid request: of its query, headers, path or body. */
function mutate(right: Call, { query, fields }: { query: string[]; fields: string[] }): fc.Arbitrary<Call> {
  const names = Object.keys(right.parameters ?? {});
  const ways: fc.Arbitrary<Call>[] = [
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...query, "page", "per_page", "unknown", "a[b]"), text), {
        minLength: 1,
        maxLength: 6,
      })
      .map((pairs) => ({
        ...right,
        query: `?${pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&")}`,
      })),
    header.map((value) => ({ ...right, headers: { "idempotency-key": value, "accept-language": value } })),
  ];
  if (names.length > 0)
    ways.push(
      fc
        .tuple(
          fc.constantFrom(...names),
          text.filter((value) => value !== "" && !/^\.{1,2}$/.test(value)),
        )
        .map(([name, value]) => ({
          ...right,
          parameters: { ...right.parameters, [name]: encoded(value) },
        })),
    );
  if (right.body !== undefined || fields.length > 0) {
    const known = [...new Set([...Object.keys(Object(right.body)), ...fields])];
    const field = known.length > 0 ? fc.oneof(fc.constantFrom(...known), fc.string()) : fc.string();
    ways.push(
      fc
        .dictionary(field, hostileValue, { minKeys: 1, maxKeys: 5 })
        .map((changes) => ({ ...right, body: { ...Object(right.body), ...changes } })),
      hostileValue.map((body) => ({ ...right, text: JSON.stringify(body) })),
      fc.string({ unit: "binary", maxLength: 200 }).map((sent) => ({ ...right, text: sent })),
    );
  }
  return fc.oneof(...ways);
}

/**
 * Sends mutated requests to an operation, and expects documented responses below 500.
 * @param url base URL of another API
 */
async function fuzz(operation: (typeof operations)[number], url?: string): Promise<void> {
  const right = await scene.validRequest(operation.id);
  await fc.assert(
    fc.asyncProperty(mutate(right, namesOf(operation)), async (request) => {
      expect(await scene.statusOf(operation.id, { ...request, ...(url && { url }) })).toBeLessThan(500);
    }),
    { numRuns: RUNS, ...(SEED !== undefined && { seed: SEED }) },
  );
}

describe("fuzz test of the API", () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    "gets only documented responses below 500 from %s",
    (_id, operation) => fuzz(operation),
    120_000,
  );

  it("detects a failing API", async () => {
    const fails = (): never => {
      throw new Error("the database failed");
    };
    const broken = await scene.sandbox.startApi({
      environment: NO_RATE_LIMITS,
      change: (context) => ({ ...context, database: new Proxy(context.database, { get: fails }) }),
    });
    const [operation] = operations;
    if (!operation) throw new Error("the document has no operations");
    await expect(fuzz(operation, broken.url)).rejects.toThrow(/Property failed/);
  });
});
