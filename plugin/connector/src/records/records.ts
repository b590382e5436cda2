import type { openSql } from "./sql/sql-records.js";

export type * from "./remembered.js";
export type { Problem, Report } from "./sql/health.js";

/** Records with the database behind them. */
export type OpenRecords = Awaited<ReturnType<typeof openSql>>;

/**
 * What the connector must remember over a crash. Whatever stands behind must be durable and shared by all processes of one
 * connector; memory is not.
 */
export type Records = Omit<OpenRecords, "ready" | "close">;
export type HealthRecords = Records["health"];
export type Requests = Records["requests"];
