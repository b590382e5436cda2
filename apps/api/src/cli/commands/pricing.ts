import { formatDecimal } from "@tillgate/money";
import type { Command } from "commander";
import { z } from "zod";
import { listFees, removeFee, setFee } from "../../money/fees.js";
import { listPayoutTerms, type SetTerms, setPayoutTerms } from "../../money/payouts/terms.js";
import {
  addCommand,
  addOppositeCommands,
  changeFields,
  currency,
  merchant,
  mode,
  option,
  resolveActor,
  type Session,
} from "../command.js";
import { type CommandResult, formatMoney } from "../output.js";

const feeMerchant = option(
  "--merchant <merchant>",
  "only for this merchant (ID or exact name); omit for the default fee",
  z.string().optional(),
);

export function addFeeCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List default and merchant-specific fees",
    input: z.object({}),
    examples: ["", "--json"],
    run: async (context) => ({
      whenEmpty: "No fees.",
      rows: (await listFees(context)).map((fee) => ({
        mode: fee.mode,
        merchant: fee.merchant ?? "(default)",
        currency: fee.fixed.currency.code,
        fixed: formatMoney(fee.fixed),
        percent: fee.percent,
      })),
    }),
  });
  addCommand(group, session, {
    name: "set",
    summary: "Set the payout fee of a currency, by default or for one merchant",
    input: z.object({
      currency,
      mode,
      fixed: option(
        "--fixed <amount>",
        "fixed part, a decimal amount in the currency (required)",
        z.string(),
      ),
      percent: option(
        "--percent <n>",
        "percentage of the payout amount, from 0 to 100 (required)",
        z.string(),
      ),
      merchant: feeMerchant,
      ...changeFields,
    }),
    examples: [
      "EUR --mode live --fixed 0.25 --percent 0.5 --by administrator@example.com",
      'EUR --mode live --fixed 0 --percent 0.3 --merchant "Harbour Books" --by administrator@example.com',
    ],
    async run(context, input) {
      const set = await setFee(context, { ...input, ...(await resolveActor(context, input)) });
      return {
        message: `The ${input.mode} payout fee in ${input.currency} is set.`,
        row: {
          mode: input.mode,
          merchant: set.merchant ?? "(default)",
          currency: set.fixed.currency.code,
          fixed: formatMoney(set.fixed),
          percent: set.percent,
        },
      };
    },
  });
  addCommand(group, session, {
    name: "remove",
    summary: "Remove a merchant's fee (the default applies again), or the default fee",
    input: z.object({ currency, mode, merchant: feeMerchant, ...changeFields }),
    examples: ['EUR --mode live --merchant "Harbour Books" --by administrator@example.com'],
    async run(context, input) {
      await removeFee(context, { ...input, ...(await resolveActor(context, input)) });
      return { message: `The ${input.mode} payout fee in ${input.currency} is removed.` };
    },
  });
}

const amount = z
  .string()
  .transform((text) => (text === "none" ? null : text))
  .optional();

function describeTerms({
  merchant: name,
  currency: { code, digits },
  terms,
  changed,
}: SetTerms): CommandResult {
  const limit = (minor: bigint | null) => (minor === null ? null : formatDecimal(minor, digits));
  return {
    message: changed
      ? `The ${terms.mode} ${code} payout settings of ${name} were updated.`
      : "No changes: the settings already have these values.",
    row: {
      merchant: name,
      mode: terms.mode,
      currency: code,
      authorised: terms.authorized,
      per_transaction: limit(terms.perTransaction),
      daily: limit(terms.daily),
      monthly: limit(terms.monthly),
      review_above: limit(terms.reviewAbove),
      changed,
    },
  };
}

export function addLimitCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List payout currencies, limits and usage for the current UTC day and month",
    input: z.object({
      merchant: option(
        "--merchant <merchant>",
        "only this merchant (ID or exact name)",
        z.string().optional(),
      ),
    }),
    examples: ["", '--merchant "Harbour Books"'],
    run: async (context, input) => ({
      whenEmpty: "No limits set.",
      rows: (await listPayoutTerms(context, input)).map((terms) => ({
        merchant: terms.merchant,
        mode: terms.mode,
        currency: terms.currency,
        authorised: terms.authorized,
        per_transaction: terms.perTransaction && formatMoney(terms.perTransaction),
        daily: terms.daily && formatMoney(terms.daily),
        monthly: terms.monthly && formatMoney(terms.monthly),
        review_above: terms.reviewAbove && formatMoney(terms.reviewAbove),
        used_today: formatMoney(terms.usedToday),
        used_this_month: formatMoney(terms.usedThisMonth),
      })),
    }),
  });
  addCommand(group, session, {
    name: "set",
    summary: "Set a merchant's payout limits; omitted limits are unchanged",
    input: z.object({
      merchant,
      currency,
      mode,
      perTransaction: option(
        "--per-transaction <amount>",
        'maximum for one payout, or "none"',
        amount.clone(),
      ),
      daily: option("--daily <amount>", 'maximum for one UTC day, or "none"', amount.clone()),
      monthly: option("--monthly <amount>", 'maximum for one UTC month, or "none"', amount.clone()),
      reviewAbove: option(
        "--review-above <amount>",
        'payouts above this amount need approval, or "none"',
        amount.clone(),
      ),
      ...changeFields,
    }),
    examples: [
      '"Harbour Books" EUR --mode live --per-transaction 5000 --daily 10000 --monthly none --review-above 2000 --by administrator@example.com',
    ],
    run: async (context, input) =>
      describeTerms(await setPayoutTerms(context, { ...input, ...(await resolveActor(context, input)) })),
  });
  addOppositeCommands(group, session, {
    names: ["enable", "disable"],
    summaries: [
      "Enable payouts from a merchant's wallet in a currency",
      "Disable payouts from a merchant's wallet in a currency; its limits are retained",
    ],
    input: z.object({ merchant, currency, mode, ...changeFields }),
    examples: ['"Harbour Books" EUR --mode live --by administrator@example.com'],
    run: async (context, input, authorized) =>
      describeTerms(
        await setPayoutTerms(context, { ...input, ...(await resolveActor(context, input)), authorized }),
      ),
  });
}
