import { BATCH_COLUMNS, type BatchColumn, type BatchProblem, MAX_BATCH_LINES } from "@tillgate/contract";
import { AmountError, type AmountNotation, type Currency, parseWrittenAmount } from "@tillgate/money";
import { CsvError, type CsvRecord, parseCsv } from "../../platform/csv.js";
import { readPhone } from "../../platform/phone-numbers.js";

/** `amount` is in minor units of the sender's currency. */
export type ParsedLine = {
  number: number;
  /** E-mail address in lower case, or phone number in E.164 format. */
  recipient: string;
  amount: bigint;
  senderCurrency: string;
  receiverCurrency: string;
  reference: string;
  description: string | null;
};
export type ParsedBulkPayout = { lines: ParsedLine[]; problems: BatchProblem[] };

const REQUIRED: readonly BatchColumn[] = ["id", "recipient", "amount", "currency"];
/** Aliases of columns, used by other systems. */
const OTHER_NAMES: Readonly<Record<string, BatchColumn>> = {
  reference: "id",
  phone: "recipient",
  email: "recipient",
  sender_currency: "currency",
};
const LONGEST: Readonly<Partial<Record<BatchColumn, number>>> = { id: 255, recipient: 254, description: 500 };
const EMAIL = /^[^@\s]+@[^@\s]+$/;

const toProblem = (
  line: number,
  fault: BatchProblem["fault"],
  column: BatchColumn | null = null,
  value: string | number | null = null,
): BatchProblem => ({ line, column, fault, value: value === null ? null : String(value) });

/**
 * Parses a CSV file of payouts. Fields are separated by semicolons if the first line contains a semicolon, otherwise by commas.
 * @param currencies the active currencies, by code.
 * @returns the lines, or the problems. Lines are checked only if the header and the number of lines are valid.
 */
export function parseBulkPayout(
  csv: string,
  currencies: ReadonlyMap<string, Currency>,
  notation: AmountNotation,
): ParsedBulkPayout {
  const rejectFile = (...problems: BatchProblem[]): ParsedBulkPayout => ({ lines: [], problems });
  let records: CsvRecord[];
  try {
    const [first = ""] = csv.split(/[\r\n]/, 1);
    records = parseCsv(csv, first.includes(";") ? ";" : ",");
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return rejectFile(toProblem(error.line, "malformed"));
  }
  const [header, ...rows] = records;
  if (!header || rows.length === 0) return rejectFile(toProblem(header?.line ?? 1, "empty"));
  const { columns, problems } = readHeader(header);
  if (rows.length > MAX_BATCH_LINES)
    problems.push(toProblem(rows[MAX_BATCH_LINES]?.line ?? 1, "too_many_lines", null, MAX_BATCH_LINES));
  if (problems.length > 0) return rejectFile(...problems);
  const lines: ParsedLine[] = [];
  const firstLines = new Map<string, number>();
  for (const row of rows) {
    const parsed = readLine(row, { columns, currencies, notation });
    problems.push(...parsed.problems);
    const earlier = firstLines.get(parsed.reference);
    if (earlier !== undefined && parsed.reference !== "")
      problems.push(toProblem(row.line, "id_twice", "id", earlier));
    firstLines.set(parsed.reference, earlier ?? row.line);
    if (parsed.line) lines.push(parsed.line);
  }
  return problems.length > 0 ? rejectFile(...problems) : { lines, problems };
}

function readHeader({ line, fields }: CsvRecord): { columns: BatchColumn[]; problems: BatchProblem[] } {
  const problems: BatchProblem[] = [];
  const columns = fields.flatMap((field) => {
    const name = field.toLowerCase().replaceAll(" ", "_");
    const column = BATCH_COLUMNS.find((candidate) => candidate === (OTHER_NAMES[name] ?? name));
    if (!column) problems.push(toProblem(line, "unknown_column", null, field.slice(0, 40)));
    return column ?? [];
  });
  for (const column of BATCH_COLUMNS) {
    const times = columns.filter((other) => other === column).length;
    if (times > 1) problems.push(toProblem(line, "column_twice", column));
    if (times === 0 && REQUIRED.includes(column)) problems.push(toProblem(line, "missing_column", column));
  }
  return { columns, problems };
}

type FileFormat = {
  columns: readonly BatchColumn[];
  currencies: ReadonlyMap<string, Currency>;
  notation: AmountNotation;
};

function readLine(
  { line: number, fields }: CsvRecord,
  { columns, currencies, notation }: FileFormat,
): { reference: string; problems: BatchProblem[]; line: ParsedLine | null } {
  const problems: BatchProblem[] = [];
  const addProblem = (
    fault: BatchProblem["fault"],
    column: BatchColumn,
    value: string | number | null = null,
  ) => {
    problems.push(toProblem(number, fault, column, value));
    return null;
  };
  if (fields.length !== columns.length) {
    problems.push(toProblem(number, "fields", null, columns.length));
    return { reference: "", problems, line: null };
  }
  const readColumn = (column: BatchColumn): string => {
    const text = fields[columns.indexOf(column)] ?? "";
    if (text === "" && REQUIRED.includes(column)) addProblem("required", column);
    if (text.includes("\u0000") || !text.isWellFormed()) addProblem("broken_text", column);
    if ([...text].length > (LONGEST[column] ?? Number.POSITIVE_INFINITY))
      addProblem("too_long", column, LONGEST[column] ?? null);
    return text;
  };
  const reference = readColumn("id");
  const recipientText = readColumn("recipient");
  const recipient = recipientText === "" ? null : readRecipient(recipientText);
  if (recipientText !== "" && recipient === null) addProblem("recipient", "recipient");
  const amountText = readColumn("amount");
  const senderText = readColumn("currency").toUpperCase();
  const receiverText = readColumn("receiver_currency").toUpperCase() || senderText;
  const sender = currencies.get(senderText);
  if (senderText !== "" && !sender) addProblem("currency", "currency", senderText.slice(0, 10));
  if (receiverText !== senderText && !currencies.has(receiverText))
    addProblem("currency", "receiver_currency", receiverText.slice(0, 10));
  const amount = sender && amountText !== "" ? readDecimal(amountText, sender, notation) : null;
  if (sender && amountText !== "" && amount === null)
    addProblem("amount", "amount", formatExample(notation, sender));
  const description = readColumn("description") || null;
  if (problems.length > 0 || recipient === null || amount === null || !sender)
    return { reference, problems, line: null };
  const lineCurrencies = { senderCurrency: sender.code, receiverCurrency: receiverText };
  return {
    reference,
    problems,
    line: { number, recipient, amount, ...lineCurrencies, reference, description },
  };
}

/** Parses a recipient, ignoring the apostrophe that spreadsheets put before a plus sign. @returns null for an invalid recipient. */
function readRecipient(text: string): string | null {
  if (text.includes("@")) return EMAIL.test(text) ? text.toLowerCase() : null;
  return readPhone(text.replace(/^'(?=\+)/, "").replace(/[\s().-]/g, ""));
}

const formatExample = (notation: AmountNotation, { code, digits }: Currency): string =>
  `${digits === 0 ? notation.slice(0, -".56".length) : notation} ${code}`;

function readDecimal(text: string, currency: Currency, notation: AmountNotation): bigint | null {
  try {
    return parseWrittenAmount(text, currency.digits, notation);
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}
