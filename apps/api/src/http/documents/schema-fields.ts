import { z } from "zod";

/** The part of JSON Schema (2020-12, as in OpenAPI 3.1) that our OpenAPI document uses. */
export type Schema = {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  default?: unknown;
  format?: string | undefined;
  pattern?: string | undefined;
  minimum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  maxProperties?: number | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  items?: Schema | undefined;
  additionalProperties?: Schema | boolean | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  allOf?: Schema[] | undefined;
};
export const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    minimum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    maxProperties: z.number().optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
    items: schemaSchema.optional(),
    additionalProperties: z.union([schemaSchema, z.boolean()]).optional(),
    anyOf: z.array(schemaSchema).optional(),
    oneOf: z.array(schemaSchema).optional(),
    allOf: z.array(schemaSchema).optional(),
  }),
);

export type Resolve = (reference: string) => Schema;
/** A field of a body, named by its path: `data.orders[].order_id`. */
export type SchemaField = { name: string; required: boolean; type: string; description: string };

/** Follows references and merges an `allOf` of one schema. Siblings of a reference take precedence over the referenced schema. */
function resolveSchema(schema: Schema, resolve: Resolve): Schema {
  const { $ref, allOf, ...field } = schema;
  const parts = [...($ref === undefined ? [] : [resolve($ref)]), ...(allOf ?? [])];
  const [part] = parts;
  if (part === undefined) return schema;
  const definedOnly = Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined));
  return { ...resolveSchema(part, resolve), ...definedOnly };
}

const formatCode = (value: unknown): string =>
  `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

/** Describes bounds, for example as "1 to 100"; returns an empty list if there are none. */
function describeBounds(from: number | undefined, to: number | undefined, unit = ""): string[] {
  const unitText = unit === "" ? "" : ` ${unit}`;
  if (from !== undefined && to !== undefined)
    return [from === to ? `${from}${unitText}` : `${from} to ${to}${unitText}`];
  if (from !== undefined) return [`${from} or more${unitText}`];
  return to === undefined ? [] : [`at most ${to}${unitText}`];
}

export function describeType(schema: Schema, resolve: Resolve): string {
  const merged = resolveSchema(schema, resolve);
  const variants = resolveVariants(merged, resolve);
  const types = [
    ...new Set(
      variants
        .filter((variant) => !isNull(variant) && !isEmptyText(variant))
        .map((variant) => typeWords(variant, resolve)),
    ),
  ];
  const isNullable = variants.some(
    (variant) =>
      isNull(variant) || [variant.type ?? []].flat().includes("null") || variant.enum?.includes(null),
  );
  // In an optional request field, an empty string omits the field, like null.
  const isEmptiable = variants.some((variant) => isEmptyText(variant) || variant.enum?.includes(""));
  const absent = isEmptiable ? "; null or empty counts as omitted" : isNullable ? " or null" : "";
  const standard =
    merged.default === undefined || merged.default === null ? "" : `, default ${formatCode(merged.default)}`;
  return `${types.filter((word) => word !== "").join(" or ") || "any value"}${absent}${standard}`;
}

/** Returns the alternatives of a schema. If it allows both an empty string and another type, the empty string becomes a separate alternative. */
function resolveVariants(schema: Schema, resolve: Resolve): Schema[] {
  const some = schema.anyOf ?? schema.oneOf;
  if (some !== undefined)
    return some.flatMap((variant) => resolveVariants(resolveSchema(variant, resolve), resolve));
  const types = [schema.type ?? []].flat();
  if (!isEmptyText(schema) || types.length < 2) return [schema];
  const { maxLength, ...others } = schema;
  return [
    { ...others, type: types.filter((type) => type !== "string") },
    { type: "string", maxLength },
  ];
}
const isNull = ({ type }: Schema): boolean => type === "null";
const isEmptyText = ({ maxLength }: Schema): boolean => maxLength === 0;

function typeWords(schema: Schema, resolve: Resolve): string {
  if (schema.enum !== undefined)
    return schema.enum
      .filter((value) => value !== null && value !== "")
      .map(formatCode)
      .join(", ");
  if (schema.const !== undefined) return formatCode(schema.const);
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  const limits = [
    ...describeBounds(schema.minLength, schema.maxLength, "characters"),
    ...describeBounds(schema.minimum, schema.maximum),
    ...(schema.exclusiveMinimum === undefined ? [] : [`greater than ${schema.exclusiveMinimum}`]),
    ...describeBounds(schema.minItems, schema.maxItems, "items"),
    ...describeBounds(undefined, schema.maxProperties, "keys"),
    ...(schema.pattern === undefined || schema.format !== undefined ? [] : [formatCode(schema.pattern)]),
  ];
  return [types.map((type) => formatType(type, schema, resolve)).join(" or ") || "any value", ...limits].join(
    ", ",
  );
}

function formatType(type: string, { format, items, additionalProperties }: Schema, resolve: Resolve): string {
  if (type === "array") return items === undefined ? "array" : `array of ${describeType(items, resolve)}`;
  if (type === "object" && typeof additionalProperties === "object")
    return `object of ${describeType(additionalProperties, resolve)}`;
  return format === undefined ? type : `${type} (${format})`;
}

/** Lists the fields of an object at all levels, each after its parent. */
export function listFields(schema: Schema, resolve: Resolve, prefix = ""): SchemaField[] {
  const { properties, required = [] } = resolveSchema(schema, resolve);
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const target = resolveSchema(property, resolve);
    const path = `${prefix}${name}`;
    const { inner, suffix } = findItemSchema(target, resolve);
    const type = inner === undefined ? describeType(property, resolve) : describeConstraints(target);
    const field = {
      name: path,
      required: required.includes(name),
      type,
      description: target.description ?? "",
    };
    return [field, ...(inner === undefined ? [] : listFields(inner, resolve, `${path}${suffix}.`))];
  });
}

/** Returns the object schema of a field, of its items, or of its first object variant. `inner` is undefined if there is none. */
function findItemSchema(schema: Schema, resolve: Resolve): { inner: Schema | undefined; suffix: string } {
  const variant = (schema.anyOf ?? schema.oneOf)
    ?.map((alternative) => resolveSchema(alternative, resolve))
    .find(({ properties }) => properties !== undefined);
  const merged = variant ?? schema;
  const items = merged.items === undefined ? undefined : resolveSchema(merged.items, resolve);
  if (items?.properties !== undefined) return { inner: items, suffix: "[]" };
  return { inner: merged.properties === undefined ? undefined : merged, suffix: "" };
}

function describeConstraints({ type, items, anyOf, oneOf, minItems, maxItems }: Schema): string {
  const nullable =
    [type ?? []].flat().includes("null") || (anyOf ?? oneOf)?.some((variant) => variant.type === "null");
  const words = [
    items === undefined ? "object" : "array of objects",
    ...describeBounds(minItems, maxItems, "items"),
  ];
  return `${words.join(", ")}${nullable ? " or null" : ""}`;
}
