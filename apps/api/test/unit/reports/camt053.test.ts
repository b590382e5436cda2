import { describe, expect, it } from "vitest";
import type { StatementEntry } from "../../../src/money/wallets/entries.js";
import { createCamt053Writer } from "../../../src/reports/camt053.js";

const writer = createCamt053Writer({
  ...{ id: "EUR-2026-01-01-2026-01-31", createdAt: new Date("2026-02-01T08:00:00Z") },
  ...{ accountId: "4a5de1c2-6d0e-4c0e-9a55-0d9a0a7f3c11", merchantName: "Kiln & Clover" },
  ...{ currency: "EUR", digits: 2, from: "2026-01-01", to: "2026-01-31", opening: 1_000n, closing: 950n },
  ...{ startsAt: new Date("2025-12-31T23:00:00Z"), endsAt: new Date("2026-01-31T23:00:00Z") },
});
const entryOf = (fields: Partial<StatementEntry>): StatementEntry => ({
  ...{
    entryId: 7n,
    at: new Date("2026-01-03T10:00:00Z"),
    kind: "payment",
    amount: 50n,
    fee: 0n,
    balance: 0n,
  },
  ...{ corrects: null, orderId: null, refundId: null, payoutId: null, reference: null, metadata: null },
  ...{ refundedOrderId: null, orderReference: null, orderNumber: null, trxId: null },
  ...fields,
});

describe("createCamt053Writer", () => {
  it("starts with the account, the opening balance of the first day and the closing balance of the last", () => {
    expect(writer.start).toContain("<Nm>Kiln &amp; Clover</Nm>");
    expect(writer.start).toContain("<Id>4a5de1c26d0e4c0e9a550d9a0a7f3c11</Id>");
    for (const [code, amount, day] of [
      ["OPBD", "10.00", "2026-01-01"],
      ["CLBD", "9.50", "2026-01-31"],
    ])
      expect(writer.start).toContain(
        `<Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt>`,
      );
  });

  it("writes amounts without a sign but with the credit or debit indicator, and the included fee", () => {
    const payout = writer.entry(entryOf({ kind: "payout", amount: -105n, fee: 5n, payoutId: "PO1" }));
    expect(payout).toContain('<NtryRef>7</NtryRef><Amt Ccy="EUR">1.05</Amt><CdtDbtInd>DBIT</CdtDbtInd>');
    expect(payout).toContain(
      '<Rcrd><Amt Ccy="EUR">0.05</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd>',
    );
    expect(payout).toContain("<Prtry><Tp>payout</Tp><Ref>PO1</Ref></Prtry>");
  });

  it("marks a correction as a reversal", () => {
    const correction = writer.entry(entryOf({ kind: "deposit", amount: -50n, corrects: 6n }));
    expect(correction).toContain("<RvslInd>true</RvslInd>");
    expect(correction).toContain("<Cd>correction</Cd>");
  });

  it("escapes text, and replaces characters that XML cannot contain", () => {
    expect(writer.entry(entryOf({ reference: "a<b>&\u0001" }))).toContain(
      "<EndToEndId>a&lt;b&gt;&amp;\ufffd</EndToEndId>",
    );
  });

  it("writes a long reference only as unstructured text, in parts of 140 characters", () => {
    const long = writer.entry(entryOf({ reference: "é".repeat(150) }));
    expect(long).not.toContain("EndToEndId");
    expect(long).toContain(`<Ustrd>${"é".repeat(140)}</Ustrd><Ustrd>${"é".repeat(10)}</Ustrd>`);
  });
});
