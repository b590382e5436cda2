import { z } from "zod";

const fromForked = z.discriminatedUnion("tillgate", [
  z.object({ tillgate: z.literal("up") }),
  z.object({ tillgate: z.literal("refused"), reason: z.string() }),
  z.object({ tillgate: z.literal("metrics"), id: z.number() }),
]);
const fromPrimary = z.object({ tillgate: z.literal("metrics"), id: z.number(), text: z.string().optional() });

/** What a forked process tells the one that forked it: it serves; it must not run; it wants the metrics of all. */
export type FromForked = z.infer<typeof fromForked>;
/** The metrics of all forked processes; without a text: not all have answered in time. */
export type FromPrimary = z.infer<typeof fromPrimary>;

/** Reads a message; undefined for one that is not ours: the library of the metrics uses the same channel. */
export const readFromForked = (message: unknown): FromForked | undefined =>
  fromForked.safeParse(message).data;
export const readFromPrimary = (message: unknown): FromPrimary | undefined =>
  fromPrimary.safeParse(message).data;
