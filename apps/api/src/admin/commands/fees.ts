import type { Command } from "commander";
import { z } from "zod";
import { listFees } from "../../operations/administration/list-fees.js";
import { removeFee, setFee } from "../../operations/administration/set-fee.js";
import { actor, addCommand, changeFields, option, type Session } from "../command.js";
import { currency, mode } from "../fields.js";
import { decimal } from "../output.js";

const merchant = option(
  "--merchant <merchant>",
  "only for this merchant (id or exact name); left out: the default schedule",
  z.string().optional(),
);

export function addFeeCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List the default schedules and those of single merchants",
    input: z.object({}),
    examples: ["", "--json"],
    run: async (context) => ({
      none: "No fee.",
      rows: (await listFees(context)).map((one) => ({
        mode: one.mode,
        merchant: one.merchant ?? "(default)",
        currency: one.fixed.currency.code,
        fixed: decimal(one.fixed),
        percent: one.percent,
      })),
    }),
  });
  addCommand(group, session, {
    name: "set",
    summary: "Set the fee of payouts from a currency, by default or for one merchant",
    input: z.object({
      currency,
      mode,
      fixed: option("--fixed <amount>", "decimal amount in the currency (required)", z.string()),
      percent: option("--percent <n>", "of the payout's amount, from 0 to 100 (required)", z.string()),
      merchant,
      ...changeFields,
    }),
    examples: [
      "EUR --mode live --fixed 0.25 --percent 0.5 --by administrator@example.com",
      'EUR --mode live --fixed 0 --percent 0.3 --merchant "Harbour Books" --by administrator@example.com',
    ],
    async run(context, input) {
      const set = await setFee(context, { ...input, ...(await actor(context, input)) });
      return {
        said: `The ${input.mode} fee of payouts in ${input.currency} is set.`,
        row: {
          mode: input.mode,
          merchant: set.merchant ?? "(default)",
          currency: set.fixed.currency.code,
          fixed: decimal(set.fixed),
          percent: set.percent,
        },
      };
    },
  });
  addCommand(group, session, {
    name: "remove",
    summary:
      "Remove a merchant's schedule, so that the default counts, or the default, so that there is no fee",
    input: z.object({ currency, mode, merchant, ...changeFields }),
    examples: ['EUR --mode live --merchant "Harbour Books" --by administrator@example.com'],
    async run(context, input) {
      await removeFee(context, { ...input, ...(await actor(context, input)) });
      return { said: `The ${input.mode} fee of payouts in ${input.currency} is removed.` };
    },
  });
}
