import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import {
  feeStatementSchema,
  reportMonth as month,
  reportDayQuerySchema,
  reportTotalsSchema,
} from "../public/reports.js";

/** A month (`2026-11`) or a day (`2026-11-21`) in the user's time zone. */
const consoleReportPeriodSchema = reportTotalsSchema.extend({ period: z.string() });
export type ConsoleReportPeriod = z.infer<typeof consoleReportPeriodSchema>;

/** `GET …/reports/{wallet}/months`: newest first; `before` is the `next` of the previous page. */
export const consoleReportMonthsQuerySchema = z.object({ before: month.optional() });
export const consoleReportMonthsResponseSchema = successEnvelope(
  z.object({
    currency: z.string(),
    months: z.array(consoleReportPeriodSchema),
    next: z.string().nullable(),
  }),
);

/** `GET …/reports/{wallet}/months/{month}`: days until today, oldest first. */
export const consoleReportMonthQuerySchema = z.object({ month });
export const consoleReportMonthResponseSchema = successEnvelope(
  z.object({ currency: z.string(), total: reportTotalsSchema, days: z.array(consoleReportPeriodSchema) }),
);

/** `GET …/reports/fees`: the months with fees, newest first; `before` is the `next` of the previous page. */
export const consoleFeeMonthsResponseSchema = successEnvelope(
  z.object({
    months: z.array(feeStatementSchema.pick({ number: true, month: true, totals: true })),
    next: z.string().nullable(),
  }),
);
export type ConsoleFeeMonths = z.infer<typeof consoleFeeMonthsResponseSchema>["data"];

/** `GET …/reports/{wallet}/days/{date}`: as in the Pay API, but in the user's time zone. */
export const consoleReportDayQuerySchema = reportDayQuerySchema.omit({ time_zone: true });
