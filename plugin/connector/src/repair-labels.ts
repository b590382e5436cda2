import { readFileSync } from "node:fs";
import { DIFFERENCE_REPAIRS } from "@tillgate/contract";
import { z } from "zod";

const fileSchema = z.object({
  repairs: z.record(z.enum(DIFFERENCE_REPAIRS), z.object({ label: z.string() })),
});

/** Labels of the repairs, read from Tillgate's comparison rules in `plugin/rules/comparison.json`. */
export const { repairs: repairLabels } = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../rules/comparison.json", import.meta.url), "utf8")),
);
