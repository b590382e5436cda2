import { MAX_BATCH_LINES } from "@tillgate/contract";
import type { AmountNotation } from "@tillgate/money";
import { describe, expect, it } from "vitest";
import { parseBulkPayout } from "../../../src/money/bulk-payouts/parse.js";

const currencies = new Map([
  ["EUR", { code: "EUR", digits: 2 }],
  ["JPY", { code: "JPY", digits: 0 }],
]);
const read = (csv: string, notation: AmountNotation = "1234.56") =>
  parseBulkPayout(csv, currencies, notation);
const HEADER = "id,recipient,amount,currency";
const errorsOf = (csv: string, notation?: AmountNotation) =>
  read(csv, notation).problems.map(({ line, column, fault, value }) => [line, column, fault, value]);

describe("parseBulkPayout", () => {
  it("reads files saved by English and French spreadsheet programs", () => {
    const line = {
      number: 2,
      recipient: "+33612345678",
      amount: 1250n,
      senderCurrency: "EUR",
      receiverCurrency: "JPY",
      reference: "W-1",
      description: "Wages, May",
    };
    const english =
      'Reference,Phone,Amount,Currency,Receiver currency,Description\r\nW-1,+33 6 12 34 56 78,12.50,eur,jpy,"Wages, May"\r\n';
    const french =
      "\ufeffid;recipient;amount;currency;receiver_currency;description\nW-1;'+33612345678;12,50;EUR;JPY;Wages, May\n";
    expect(read(english)).toEqual({ lines: [line], problems: [] });
    expect(read(french, "1.234,56")).toEqual({ lines: [line], problems: [] });
  });

  it.each([
    ["1,500", "1234.56"],
    ["12,50", "1234.56"],
    ["1.500", "1234.56"],
    ["1.500", "1,234.56"],
    ["12.50", "1.234,56"],
  ] as const)("rejects the amount %s in a file with the notation %s", (amount, notation) => {
    expect(errorsOf(`id;recipient;amount;currency\n1;a@b.example;${amount};EUR`, notation)).toEqual([
      [2, "amount", "amount", `${notation} EUR`],
    ]);
  });

  it("accepts thousands separators in the notation selected for the upload", () => {
    const file = (amount: string) => `id;recipient;amount;currency\n1;a@b.example;${amount};EUR`;
    expect(read(file("1,500"), "1,234.56").lines).toMatchObject([{ amount: 150_000n }]);
    expect(read(file("1.500"), "1.234,56").lines).toMatchObject([{ amount: 150_000n }]);
    expect(read(file("1.500,25"), "1.234,56").lines).toMatchObject([{ amount: 150_025n }]);
  });

  it("rejects decimals, even zeros, in a currency without decimals", () => {
    expect(errorsOf(`${HEADER}\n1,a@b.example,25.000,JPY`)).toEqual([[2, "amount", "amount", "1234 JPY"]]);
  });

  it("defaults the receiver currency to the sender currency", () => {
    const [line] = read(`${HEADER}\n1,Noe@Example.com,3,EUR`).lines;
    expect(line).toMatchObject({ recipient: "noe@example.com", receiverCurrency: "EUR", description: null });
  });

  it("reports the errors of all lines together", () => {
    const csv = `${HEADER},description\n,noe@example.com,1,EUR,\n2,nobody,1.001,EUR,\n3,a@b.example,0,XXX,\n2,a@b.example,-1,JPY,x\n5,a@b.example,1\n`;
    expect(errorsOf(csv)).toEqual([
      [2, "id", "required", null],
      [3, "recipient", "recipient", null],
      [3, "amount", "amount", "1234.56 EUR"],
      [4, "currency", "currency", "XXX"],
      [5, "amount", "amount", "1234 JPY"],
      [5, "id", "id_twice", "3"],
      [6, null, "fields", "5"],
    ]);
    expect(read(csv).lines).toEqual([]);
  });

  it.each([
    ["", [[1, null, "empty", null]]],
    [HEADER, [[1, null, "empty", null]]],
    [`${HEADER}\n"open`, [[2, null, "malformed", null]]],
    [
      "id,id,amount,who\n1,1,1,1",
      [
        [1, null, "unknown_column", "who"],
        [1, "id", "column_twice", null],
        [1, "recipient", "missing_column", null],
        [1, "currency", "missing_column", null],
      ],
    ],
    [`${HEADER}\n${"x".repeat(256)},a@b.example,1,EUR`, [[2, "id", "too_long", "255"]]],
  ])("reports why a malformed file is rejected (%#)", (csv, expected) => {
    expect(errorsOf(csv)).toEqual(expected);
  });

  it("accepts the maximum number of lines, and rejects one more", () => {
    const lines = (count: number) =>
      [HEADER, ...Array.from({ length: count }, (_, at) => `${at},a@b.example,1,EUR`)].join("\n");
    expect(read(lines(MAX_BATCH_LINES)).lines).toHaveLength(MAX_BATCH_LINES);
    expect(errorsOf(lines(MAX_BATCH_LINES + 1))).toEqual([
      [MAX_BATCH_LINES + 2, null, "too_many_lines", String(MAX_BATCH_LINES)],
    ]);
  });
});
