export * from "./database.js";
export { ledgerErrorResponse } from "./functions/errors.js";
export {
  callEach,
  callGroup,
  callOne,
  callRows,
  type LedgerFunction,
  type LedgerGroup,
} from "./functions/ledger-function.js";
export { orderRow, payoutRow, refundRow } from "./functions/rows.js";
export { Prisma } from "./generated/prisma/client.js";
export type * from "./generated/prisma/models.js";
export * as ledger from "./ledger.js";
export * from "./prove-ledger.js";
export * from "./secrets.js";
export { describeUnreadableSecrets } from "./unreadable-secrets.js";
export { findExcessRights } from "./working-role.js";
