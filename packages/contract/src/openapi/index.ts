/** The OpenAPI document of the Pay API and the Partner API. */
export { type OpenApiDocument, openApiDocument } from "./document.js";
export type { Json, JsonObject } from "./json.js";
