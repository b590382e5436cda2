import { firstRowOf, type Queryable } from "@tillgate/service";
import { z } from "zod";

const backupSchema = z.object({ finishedAt: z.date(), error: z.string().nullable() });

const NEWEST = `
  SELECT finished_at AS "finishedAt", error FROM backup_reports ORDER BY finished_at DESC LIMIT 1`;

/** How the newest backup went; undefined where none was ever taken by Tillgate. */
export const readNewestBackup = (queryable: Queryable): Promise<z.output<typeof backupSchema> | undefined> =>
  firstRowOf(queryable, backupSchema, NEWEST);
