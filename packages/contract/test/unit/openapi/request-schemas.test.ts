import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openApiDocument } from "../../../src/openapi/index.js";
import { REQUEST_SCHEMAS } from "../../../src/openapi/request-schemas.js";
import { RESPONSE_SCHEMAS } from "../../../src/openapi/response-schemas.js";

const { components, paths } = openApiDocument();

const objectSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({
      maxLength: z.int().optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      default: z.unknown().optional(),
      description: z.string(),
    }),
  ),
  required: z.array(z.string()).optional(),
});

const requests = Object.entries(REQUEST_SCHEMAS).map(([name, { schema }]) => ({
  name,
  schema,
  document: objectSchema.parse(components.schemas[name]),
}));

/** Returns the contract's messages about one field of a request, regardless of the other fields. */
const rejected = (schema: z.ZodType, fields: Record<string, unknown>, field: string): string[] =>
  (schema.safeParse(fields).error?.issues ?? [])
    .filter(({ path }) => path[0] === field)
    .map(({ message }) => message);

describe.each(requests)("$name", ({ name, schema, document: { properties, required = [] } }) => {
  it("limits the length of strings to exactly the number of characters documented in OpenAPI", () => {
    const limited = Object.entries(properties).filter(
      // A maximum of 0 belongs to a number or an object, where the empty string counts as absent.
      ([, { maxLength }]) => maxLength !== undefined && maxLength > 0,
    );
    for (const [field, { maxLength = 0 }] of limited) {
      const rejection = `must not be longer than ${maxLength} characters`;
      expect(rejected(schema, { [field]: "𝕏".repeat(maxLength) }, field)).not.toContain(rejection);
      expect(rejected(schema, { [field]: "𝕏".repeat(maxLength + 1) }, field)).toContain(rejection);
    }
  });

  it("enforces exactly the numeric bounds documented in OpenAPI", () => {
    for (const [field, { minimum, maximum }] of Object.entries(properties)) {
      if (minimum === undefined || maximum === undefined) continue;
      for (const right of [minimum, maximum]) expect(rejected(schema, { [field]: right }, field)).toEqual([]);
      for (const invalid of [minimum - 1, maximum + 1])
        expect(rejected(schema, { [field]: invalid }, field)).toHaveLength(1);
    }
  });

  it("requires exactly the fields documented as required", () => {
    for (const field of Object.keys(properties)) {
      // A payout's key may be in the header instead.
      if (name === "PayoutRequest" && field === "idempotency_key") continue;
      expect([field, rejected(schema, {}, field).includes("is required")]).toEqual([
        field,
        required.includes(field),
      ]);
    }
  });
});

describe("the documented defaults of CreateOrderRequest", () => {
  it("are those that the contract fills in", () => {
    const order = z.object({ expires_in: z.int(), payment_method: z.string() });
    const { CreateOrderRequest } = REQUEST_SCHEMAS;
    const parsed = order.parse(CreateOrderRequest.schema.parse({ amount: 1, currency: "EUR" }));
    const document = objectSchema.parse(components.schemas.CreateOrderRequest).properties;
    expect(document.expires_in?.default).toBe(parsed.expires_in);
    expect(document.payment_method?.default).toBe(parsed.payment_method);
  });
});

describe("the OpenAPI document", () => {
  it("describes every field of every resource", () => {
    for (const [name, { schema }] of Object.entries(RESPONSE_SCHEMAS)) {
      if (/Response|Event|Envelope/.test(name) || !(schema instanceof z.ZodObject)) continue;
      for (const [field, { description }] of Object.entries(
        objectSchema.parse(components.schemas[name]).properties,
      ))
        expect([name, field, description]).not.toContain("");
    }
  });

  it("has unique operation IDs", () => {
    const ids = [...JSON.stringify(paths).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    // Each operation occurs twice, once per mode or path, except those that exist only in the sandbox.
    expect(ids).toHaveLength(2 * 47 + 6);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
