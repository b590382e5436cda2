import { z } from "zod";
import { isEmptiable } from "../fields.js";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const toPlainJson = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));

export const reference = (kind: "schemas" | "headers" | "parameters", name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Fields carry their own descriptions. */
export type DescribedSchema = {
  schema: z.ZodType;
  description: string;
  /** Constraints that the schema cannot express, such as mutually exclusive fields. */
  also: JsonObject;
};

export const describe = (schema: z.ZodType, description: string, also: JsonObject = {}): DescribedSchema => ({
  schema,
  description,
  also,
});

/** Documents that a field accepts `null` and the empty string as absent. */
function admitEmpty(schema: z.core.JSONSchema.BaseSchema): void {
  const { default: standard, description: _description, ...whole } = schema;
  if (typeof schema.type === "string" && schema.enum === undefined) {
    if (schema.type === "string") delete schema.minLength;
    else schema.maxLength = 0;
    // The library's types allow a single type; JSON Schema also allows a list.
    Reflect.set(schema, "type", [...new Set([schema.type, "string", "null"])]);
    return;
  }
  for (const name of Object.keys(whole)) delete schema[name];
  schema.anyOf = [whole, { enum: ["", null] }];
  if (standard !== undefined) schema.default = standard;
}

const tidy: NonNullable<z.core.ToJSONSchemaParams["override"]> = ({ zodSchema, jsonSchema }) => {
  if (isEmptiable(zodSchema)) admitEmpty(jsonSchema);
  // Clients must ignore unknown fields, because responses may gain fields.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === "uuid") delete jsonSchema.pattern;
  if (jsonSchema.prefixItems?.length === 0) {
    delete jsonSchema.prefixItems;
    delete jsonSchema.items;
    jsonSchema.maxItems = 0;
  }
  const { properties, required } = jsonSchema;
  if (properties && required) {
    jsonSchema.required = required.filter((name) => !hasDefault(properties[name]));
    if (jsonSchema.required.length === 0) delete jsonSchema.required;
  }
};

const hasDefault = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && "default" in schema;

/**
 * Converts described schemas to JSON Schemas, by name. A described schema inside another becomes a reference.
 * @param io `input` for request schemas, `output` for response schemas.
 */
export function jsonSchemas(
  described: Record<string, DescribedSchema>,
  io: "input" | "output",
): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(described)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: "draft-2020-12",
    io,
    uri: (id) => String(reference("schemas", id).$ref),
    override: tidy,
  });
  return Object.fromEntries(
    Object.entries(described).map(([id, { description, also }]) => {
      const { $id: _id, $schema: _dialect, ...schema } = toPlainJson(schemas[id]);
      return [id, { description, ...schema, ...also }];
    }),
  );
}
