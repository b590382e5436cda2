/** Anything that JSON can say. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A copy as plain JSON: what a schema library returns, without its own types. */
export const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));

/** A reference to a component of the document. */
export const reference = (kind: "schemas" | "headers" | "parameters", name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
});
