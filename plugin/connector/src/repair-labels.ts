import { readFileSync } from "node:fs";
import { DIFFERENCE_REPAIRS } from "@tillgate/contract";
import { z } from "zod";

const fileSchema = z.object({
  repairs: z.record(z.enum(DIFFERENCE_REPAIRS), z.object({ label: z.string() })),
});

/** The labels of the repairs in `plugin/rules/comparison.json`, by which Tillgate compares. */
export const { repairs: repairLabels } = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../rules/comparison.json", import.meta.url), "utf8")),
);
