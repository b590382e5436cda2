import { createHash } from "node:crypto";
import { type Mode, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { invalidValue, refusedWith } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { type CheckedRate, checkRate } from "./check-rate.js";
import { CsvError, type CsvRecord, parseCsv } from "./parse-csv.js";
import { knownCodes, writeRates } from "./set-rates.js";

/** The most rates and characters that one file may have. */
const MAX_RATES = 10_000;
const MAX_CHARACTERS = 2_000_000;

const REQUIRED = ["base", "quote", "rate"] as const;
const COLUMNS = [...REQUIRED, "spread_percent", "effective_from"] as const;
type Column = (typeof COLUMNS)[number];

export type ImportedRates = { rates: (CheckedRate & { effectiveFrom: Date })[] };

/**
 * Imports exchange rates from a CSV text: columns base, quote, rate, and if wanted spread_percent and effective_from, in
 * any order. All lines or none.
 * @throws OperationError InvalidValue; its `lines` say of each bad line what is wrong.
 */
export async function importRates(
  context: Context,
  input: Change & { mode: Mode; csv: string },
): Promise<ImportedRates> {
  const { mode, csv } = input;
  if (csv.length > MAX_CHARACTERS) throw invalidValue(`A file has at most ${MAX_CHARACTERS} characters.`);
  const [header, ...records] = readRecords(csv);
  if (!header)
    throw invalidValue(`The file is empty; its first line names the columns: ${COLUMNS.join(",")}.`);
  const columns = readHeader(header);
  if (records.length === 0) throw invalidValue("The file has no rates.");
  if (records.length > MAX_RATES) throw invalidValue(`A file has at most ${MAX_RATES} rates.`);
  const known = await knownCodes(context);
  const wrong: string[] = [];
  const rates: CheckedRate[] = [];
  const firstLines = new Map<string, number>();
  for (const { line, fields } of records) {
    const problems: string[] = [];
    if (fields.length !== columns.length)
      problems.push(`It has ${fields.length} fields, the first line names ${columns.length}.`);
    else {
      const checked = checkRate(said(columns, fields), known);
      if (Array.isArray(checked)) problems.push(...checked);
      else {
        const key = `${checked.base}/${checked.quote} ${checked.effectiveFrom?.toISOString() ?? "now"}`;
        const earlier = firstLines.get(key);
        if (earlier !== undefined) problems.push(`It repeats line ${earlier}: same currencies and time.`);
        firstLines.set(key, earlier ?? line);
        rates.push(checked);
      }
    }
    if (problems.length > 0) wrong.push(`Line ${line}: ${problems.join(" ")}`);
  }
  if (wrong.length > 0)
    throw refusedWith(
      Refusal.InvalidValue,
      `${wrong.length} of ${records.length} lines cannot be imported; nothing was written.`,
      wrong,
    );
  const sha256 = createHash("sha256").update(csv).digest("hex");
  return {
    rates: await writeRates(context, input, {
      mode,
      rates,
      action: "rate.import",
      subject: sha256,
      details: () => ({ rates: rates.length, file_sha256: sha256 }),
    }),
  };
}

function readRecords(csv: string): CsvRecord[] {
  try {
    return parseCsv(csv);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidValue(`Line ${error.line} ${error.message}.`);
  }
}

function readHeader({ fields }: CsvRecord): Column[] {
  const columns = fields.map((field) => {
    const column = COLUMNS.find((name) => name === field.toLowerCase());
    if (!column) throw invalidValue(`There is no column ${field}; columns are ${COLUMNS.join(", ")}.`);
    return column;
  });
  for (const name of REQUIRED)
    if (!columns.includes(name)) throw invalidValue(`The column ${name} is missing.`);
  if (new Set(columns).size < columns.length) throw invalidValue("A column is named twice.");
  return columns;
}

function said(columns: readonly Column[], fields: readonly string[]) {
  const of = (column: Column) => fields[columns.indexOf(column)] ?? "";
  return {
    base: of("base").toUpperCase(),
    quote: of("quote").toUpperCase(),
    rate: of("rate"),
    spreadPercent: columns.includes("spread_percent") ? of("spread_percent") : "",
    effectiveFrom: columns.includes("effective_from") ? of("effective_from") : "",
  };
}
