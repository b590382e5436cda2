import { z } from "zod";
import { isEmptiable } from "../fields.js";

/** Anything that JSON can say. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A copy as plain JSON: what a schema library returns, without its own types. */
export const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));

/** A reference to a component of the document. */
export const reference = (kind: "schemas" | "headers" | "parameters", name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
});

/** A schema of the contract as a component of the document; each field's sentence is at the field. */
export type DescribedSchema = {
  schema: z.ZodType;
  description: string;
  /** What the schema cannot express, such as which fields go together. */
  also: JsonObject;
};

export const describe = (schema: z.ZodType, description: string, also: JsonObject = {}): DescribedSchema => ({
  schema,
  description,
  also,
});

/** Says of an optional field that `null` and the empty text mean left out. */
function admitEmpty(schema: z.core.JSONSchema.BaseSchema): void {
  const { default: standard, description: _description, ...whole } = schema;
  if (typeof schema.type === "string" && schema.enum === undefined) {
    if (schema.type === "string") delete schema.minLength;
    else schema.maxLength = 0;
    // The library's type knows one type only; JSON Schema knows lists.
    Reflect.set(schema, "type", [...new Set([schema.type, "string", "null"])]);
    return;
  }
  for (const name of Object.keys(whole)) delete schema[name];
  schema.anyOf = [whole, { enum: ["", null] }];
  if (standard !== undefined) schema.default = standard;
}

/** Removes the library's own marks. */
const tidy: NonNullable<z.core.ToJSONSchemaParams["override"]> = ({ zodSchema, jsonSchema }) => {
  if (isEmptiable(zodSchema)) admitEmpty(jsonSchema);
  // Answers may gain fields; clients must ignore fields that they do not know.
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
 * The JSON Schemas of described schemas by their names. A schema that is another one's part becomes a reference to it.
 * @param io `input`: what a caller may send; `output`: what is answered.
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
      const { $id: _id, $schema: _dialect, ...schema } = plain(schemas[id]);
      return [id, { description, ...schema, ...also }];
    }),
  );
}
