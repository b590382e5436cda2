import { z } from "zod";
import type { ProcessMetrics } from "../metrics/metrics.js";

const fromForked = z.discriminatedUnion("tillgate", [
  z.object({ tillgate: z.literal("up") }),
  z.object({ tillgate: z.literal("rejected"), reason: z.string() }),
  z.object({
    tillgate: z.literal("figures"),
    id: z.number(),
    figures: z.custom<ProcessMetrics>(Array.isArray),
  }),
]);
const fromPrimary = z.object({ tillgate: z.literal("figures"), id: z.number() });

export type FromForked = z.infer<typeof fromForked>;
export type FromPrimary = z.infer<typeof fromPrimary>;

/** Parses a message of a forked process; returns undefined for other messages, because the metrics library uses the same channel. */
export const readFromForked = (message: unknown): FromForked | undefined =>
  fromForked.safeParse(message).data;
export const readFromPrimary = (message: unknown): FromPrimary | undefined =>
  fromPrimary.safeParse(message).data;
