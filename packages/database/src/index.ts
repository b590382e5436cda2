export * from "./database.js";
export { Prisma } from "./generated/prisma/client.js";
export type * from "./generated/prisma/models.js";
export * from "./prove-ledger.js";
export * from "./secrets.js";
export { isUnavailable } from "./unavailable.js";
export { excessRights } from "./working-role.js";
