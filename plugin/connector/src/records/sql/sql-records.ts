import type { Records } from "../records.js";
import { sqlAttempts } from "./attempts.js";
import { sqlClaims } from "./claims.js";
import { sqlCursors } from "./cursors.js";
import { sqlEvents } from "./events.js";
import { sqlHealth } from "./health.js";
import { sqlHints } from "./hints.js";
import { sqlRefunds } from "./refunds.js";
import { sqlRequests } from "./requests.js";
import { sqlShopRefunds } from "./shop-refunds.js";
import type { SqlDatabase } from "./sql-database.js";

export const sqlRecords = (database: SqlDatabase): Records => ({
  claims: sqlClaims(database),
  attempts: sqlAttempts(database),
  events: sqlEvents(database),
  refunds: sqlRefunds(database),
  shopRefunds: sqlShopRefunds(database),
  hints: sqlHints(database),
  cursors: sqlCursors(database),
  health: sqlHealth(database),
  requests: sqlRequests(database),
});
