import type { openSql } from "./sql/sql-records.js";

export type * from "./model.js";
export type { Problem, Report } from "./sql/health.js";

/** A database of records, for any number of stores. */
export type OpenRecords = Awaited<ReturnType<typeof openSql>>;

/** State of one store's connector: durable, and shared by all processes. */
export type Records = ReturnType<OpenRecords["of"]>;
export type HealthRecords = Records["health"];
export type Requests = Records["requests"];
