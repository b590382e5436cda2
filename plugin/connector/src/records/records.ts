import type { openSql } from "./sql/sql-records.js";

export type * from "./remembered.js";
export type { Problem, Report } from "./sql/health.js";

/** A database of records, for any number of stores. */
export type OpenRecords = Awaited<ReturnType<typeof openSql>>;

/**
 * What the connector of one store must remember over a crash. Whatever stands behind must be durable and shared by all
 * processes of one connector; memory is not.
 */
export type Records = ReturnType<OpenRecords["of"]>;
export type HealthRecords = Records["health"];
export type Requests = Records["requests"];
