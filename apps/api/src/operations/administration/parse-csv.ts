/** One record of a CSV text: the line it starts on, counted from 1, and its fields. */
export type CsvRecord = { line: number; fields: string[] };

/** Thrown for text that is no CSV. */
export class CsvError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads comma-separated values (RFC 4180): fields may stand in double quotes, a doubled quote inside is one. A byte order
 * mark at the start, empty lines and any kind of line end are accepted; spaces around an unquoted field do not count.
 * @throws CsvError for a quote that is not closed or stands in the middle.
 */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const source = text.replace(/^\u{FEFF}/u, "").replace(/\r\n?/g, "\n");
  let line = 1;
  let at = 0;
  while (at < source.length) {
    const record: CsvRecord = { line, fields: [] };
    for (;;) {
      const field = readField(source, at, line);
      record.fields.push(field.value);
      line += field.lineBreaks;
      at = field.end;
      if (source[at] !== ",") break;
      at += 1;
    }
    // What ends a record is a line break or the end.
    at += 1;
    line += 1;
    if (record.fields.length > 1 || record.fields[0] !== "") records.push(record);
  }
  return records;
}

type Field = { value: string; end: number; lineBreaks: number };

function readField(source: string, start: number, line: number): Field {
  const quoted = /[ \t]*"((?:[^"]|"")*)"[ \t]*/y;
  quoted.lastIndex = start;
  const match = quoted.exec(source);
  if (match) {
    const end = quoted.lastIndex;
    const value = match[1] ?? "";
    if (end < source.length && source[end] !== "," && source[end] !== "\n")
      throw new CsvError(line, "has text behind a closing quote");
    return { value: value.replaceAll('""', '"'), end, lineBreaks: value.split("\n").length - 1 };
  }
  const plain = /[^,\n]*/y;
  plain.lastIndex = start;
  const value = (plain.exec(source)?.[0] ?? "").trim();
  if (value.includes('"')) throw new CsvError(line, "has a quote that is not closed or stands in the middle");
  return { value, end: plain.lastIndex, lineBreaks: 0 };
}
