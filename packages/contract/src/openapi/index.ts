/** The OpenAPI document of the Pay API and the Partner API. */

export type { Json, JsonObject } from "./describe-schema.js";
export { type OpenApiDocument, openApiDocument } from "./document.js";
