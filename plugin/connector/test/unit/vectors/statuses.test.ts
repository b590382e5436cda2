import { expect, it } from "vitest";
import { z } from "zod";
import { ruleStatus } from "../../../src/rules.js";
import { readVectors } from "./read-vectors.js";

const { cases } = readVectors(
  "statuses",
  z.strictObject({
    cases: z.array(
      z.strictObject({ status: z.string(), payable: z.boolean(), paid: z.boolean(), rule: z.string() }),
    ),
  }),
);

it.each(cases)(
  "ruleStatus maps $status (payable: $payable, paid: $paid) to $rule",
  ({ status, payable, paid, rule }) => {
    expect(ruleStatus({ status, isPayable: payable, isPaid: paid })).toBe(rule);
  },
);
