import type { CurrencyModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import type { Command } from "commander";
import { z } from "zod";
import { addCurrency, listCurrencies, setCurrencyActive } from "../../money/currencies.js";
import { setSingleLimit } from "../../money/payouts/terms.js";
import {
  addCommand,
  addOppositeCommands,
  argument,
  changeFields,
  currency,
  option,
  resolveActor,
  type Session,
} from "../command.js";
import { describeApproval, formatMoney, type Row } from "../output.js";

const toRow = (row: CurrencyModel): Row => ({
  currency: row.code,
  name: row.name,
  symbol: row.symbol,
  digits: row.digits,
  type: row.type,
  active: row.active,
  single_limit: formatDecimal(row.singleAdministratorLimit, row.digits),
});

export function addCurrencyCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List currencies",
    input: z.object({}),
    examples: ["", "--json"],
    run: async (context) => ({
      whenEmpty: "No currencies.",
      rows: (await listCurrencies(context)).map(toRow),
    }),
  });
  addCommand(group, session, {
    name: "add",
    summary: "Add a currency with its house accounts; omit --digits for ISO 4217 codes",
    input: z.object({
      currency,
      name: option("--name <name>", "currency name (required)", z.string()),
      symbol: option("--symbol <symbol>", "currency symbol, such as €", z.string().optional()),
      digits: option(
        "--digits <n>",
        "number of decimal places, 0 to 4; for codes outside ISO 4217",
        z
          .string()
          .regex(/^[0-4]$/, { error: "must be a whole number from 0 to 4" })
          .transform(Number)
          .optional(),
      ),
      type: option(
        "--type <type>",
        "fiat (the default) or crypto",
        z.enum(["fiat", "crypto"], { error: "must be fiat or crypto" }).optional(),
      ),
      ...changeFields,
    }),
    examples: ['GBP --name "Pound sterling" --by administrator@example.com'],
    async run(context, input) {
      const added = await addCurrency(context, {
        ...input,
        ...(await resolveActor(context, input)),
        code: input.currency,
      });
      return { message: `Currency ${added.code} added.`, row: toRow(added) };
    },
  });
  addOppositeCommands(group, session, {
    names: ["activate", "deactivate"],
    summaries: ["Activate a currency", "Deactivate a currency; wallets keep their balances"],
    input: z.object({ currency, ...changeFields }),
    examples: ["GBP --by administrator@example.com"],
    async run(context, input, active) {
      const { currency: result, changed } = await setCurrencyActive(context, {
        ...(await resolveActor(context, input)),
        currency: input.currency,
        active,
      });
      return {
        message: changed
          ? `${result.code} is ${active ? "active" : "inactive"}.`
          : `${result.code} is unchanged.`,
        row: { ...toRow(result), changed },
      };
    },
  });
  addCommand(group, session, {
    name: "single-limit",
    summary:
      "Set the single-approver limit for live funds; raising it needs a second administrator's approval",
    input: z.object({
      currency,
      amount: argument(
        "<amount>",
        "decimal amount; 0 requires two administrators for every movement of live funds",
        z.string(),
      ),
      ...changeFields,
    }),
    examples: ["EUR 1000 --by administrator@example.com"],
    async run(context, input) {
      const { outcome, id, limit } = await setSingleLimit(context, {
        ...(await resolveActor(context, input)),
        currency: input.currency,
        amount: input.amount,
      });
      const subject = `The limit of ${formatMoney(limit)} ${limit.currency.code}`;
      return {
        message: id === null ? `${subject} is set.` : `${subject} ${describeApproval(id)}`,
        row: { outcome, request: id, single_limit: formatMoney(limit), currency: limit.currency.code },
      };
    },
  });
}
