import { formatDecimal } from "@tillgate/money";
import type { Money } from "../money/currencies.js";

type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

export type CommandResult = { rows: Row[]; whenEmpty: string } | { message: string; row?: Row };

export type Streams = { write(text: string): void; writeError(text: string): void };

export type Output = {
  printResult(result: CommandResult, options: { dryRun: boolean }): void;
  printError(error: { code: string; message: string; lines?: readonly string[] }): void;
};

/** Formats only the amount, because the currency has a separate column. */
export const formatMoney = ({ minor, currency }: Money): string => formatDecimal(minor, currency.digits);

/** Formats a time in whole seconds, as in the APIs. */
export const formatTime = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;

/** Replaces control characters, because names are untrusted and could use them to manipulate the terminal. */
const escapeControls = (text: string): string => text.replace(/\p{Cc}/gu, "\u{FFFD}");

const formatCell = (cell: Cell | undefined): string =>
  cell === null || cell === undefined
    ? "–"
    : typeof cell === "boolean"
      ? cell
        ? "yes"
        : "no"
      : escapeControls(String(cell));

export const createPlainOutput = ({ write, writeError }: Streams): Output => ({
  printResult(result, { dryRun }) {
    if ("rows" in result) {
      write(result.rows.length === 0 ? `${result.whenEmpty}\n` : formatTable(result.rows));
      return;
    }
    write(`${escapeControls(result.message)}\n`);
    if (result.row) write(formatList(result.row));
    if (dryRun) write("Dry run: nothing was changed.\n");
  },
  printError({ message, lines = [] }) {
    writeError(`${[message, ...lines.map((line) => `  ${line}`)].map(escapeControls).join("\n")}\n`);
  },
});

/** Writes one JSON document to standard output, and errors as JSON to standard error. */
export const createJsonOutput = ({ write, writeError }: Streams): Output => ({
  printResult(result, { dryRun }) {
    const document =
      "rows" in result
        ? result.rows
        : { message: result.message, ...result.row, ...(dryRun ? { dry_run: true } : {}) };
    write(`${JSON.stringify(document, null, 2)}\n`);
  },
  printError({ code, message, lines = [] }) {
    writeError(`${JSON.stringify({ error: { code, message, ...(lines.length > 0 ? { lines } : {}) } })}\n`);
  },
});

function formatTable(rows: Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function formatList(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, cell]) => `  ${name.padEnd(width)}  ${formatCell(cell)}\n`)
    .join("");
}

/** Returns the end of a message that starts with the requested change or the requested administrator's e-mail. */
export const describeApproval = (requestId: string): string =>
  `needs a second administrator's approval. That administrator must run \`requests approve ${requestId}\`.`;
