import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { z } from "zod";
import { invalidValue } from "../../errors.js";
import { importRates, listRates, setRate } from "../../money/rates.js";
import {
  addCommand,
  argument,
  changeFields,
  currencyCode,
  mode,
  option,
  resolveActor,
  type Session,
} from "../command.js";
import { formatTime } from "../output.js";

export function addRateCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List current and scheduled rates",
    input: z.object({ mode, past: option("--past", "also list past rates", z.boolean().optional()) }),
    examples: ["--mode sandbox", "--mode live --past --json"],
    run: async (context, input) => ({
      whenEmpty: "No rates.",
      rows: (await listRates(context, input)).map((rate) => ({
        base: rate.base,
        quote: rate.quote,
        rate: rate.rate,
        spread_percent: rate.spreadPercent,
        rate_after_spread: rate.rateAfterSpread,
        effective_from: formatTime(rate.effectiveFrom),
        standing: rate.standing,
      })),
    }),
  });
  addCommand(group, session, {
    name: "set",
    summary: "Set an exchange rate: units of <quote> for one <base>, before the margin",
    input: z.object({
      base: argument("<base>", "source currency", currencyCode.clone()),
      quote: argument("<quote>", "target currency", currencyCode.clone()),
      rate: argument("<rate>", "decimal number", z.string()),
      mode,
      spreadPercent: option(
        "--spread-percent <n>",
        "margin in percent, deducted from the rate; default 0",
        z.string().optional(),
      ),
      effectiveFrom: option(
        "--effective-from <time>",
        "start time, such as 2026-12-01T00:00:00Z; default now",
        z.string().optional(),
      ),
      ...changeFields,
    }),
    examples: [
      "EUR USD 1.0842 --mode live --spread-percent 1 --effective-from 2026-12-01T00:00:00Z --by administrator@example.com",
    ],
    async run(context, input) {
      const set = await setRate(context, { ...input, ...(await resolveActor(context, input)) });
      return {
        message: `1 ${set.base} = ${set.rate} ${set.quote} from ${formatTime(set.effectiveFrom)}, less a margin of ${set.spreadPercent}%.`,
        row: {
          base: set.base,
          quote: set.quote,
          rate: set.rate,
          spread_percent: set.spreadPercent,
          effective_from: formatTime(set.effectiveFrom),
        },
      };
    },
  });
  addCommand(group, session, {
    name: "import",
    summary:
      "Import rates from a CSV file: base,quote,rate[,spread_percent][,effective_from]; imports all lines or none",
    input: z.object({ file: argument("<file>", "path of the CSV file", z.string()), mode, ...changeFields }),
    examples: [
      "rates.csv --mode live --by administrator@example.com --dry-run",
      "rates.csv --mode live --by administrator@example.com",
    ],
    async run(context, input) {
      const { rates } = await importRates(context, {
        ...(await resolveActor(context, input)),
        mode: input.mode,
        csv: await readText(input.file),
      });
      return {
        message: `${rates.length} ${rates.length === 1 ? "rate" : "rates"} imported.`,
        row: { rates: rates.length },
      };
    },
  });
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw invalidValue(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  try {
    // Keeps a byte order mark, so that the hash in the audit log is the file's.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidValue(`${file} is not UTF-8 text.`);
  }
}
