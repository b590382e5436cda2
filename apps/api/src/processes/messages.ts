import { z } from "zod";
import type { Figures } from "../metrics/metrics.js";

const fromForked = z.discriminatedUnion("tillgate", [
  z.object({ tillgate: z.literal("up") }),
  z.object({ tillgate: z.literal("refused"), reason: z.string() }),
  z.object({ tillgate: z.literal("figures"), id: z.number(), figures: z.custom<Figures>(Array.isArray) }),
]);
const fromPrimary = z.object({ tillgate: z.literal("figures"), id: z.number() });

/** What a forked process tells the one that forked it: it serves; it must not run; its figures. */
export type FromForked = z.infer<typeof fromForked>;
/** It wants the figures. */
export type FromPrimary = z.infer<typeof fromPrimary>;

/** Reads a message; undefined for one that is not ours: the library of the metrics uses the same channel. */
export const readFromForked = (message: unknown): FromForked | undefined =>
  fromForked.safeParse(message).data;
export const readFromPrimary = (message: unknown): FromPrimary | undefined =>
  fromPrimary.safeParse(message).data;
