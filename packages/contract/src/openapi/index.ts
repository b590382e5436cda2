export type { Json, JsonObject } from "./describe-schema.js";
export { type OpenApiDocument, openApiDocument } from "./document.js";
