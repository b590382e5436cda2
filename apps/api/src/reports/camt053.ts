import { formatDecimal } from "@tillgate/money";
import type { StatementEntry } from "../money/wallets/entries.js";
import { getEntryType } from "./wallet-days.js";

/** Amounts in minor units. */
export type StatementHead = {
  /** At most 35 characters. */
  id: string;
  createdAt: Date;
  accountId: string;
  merchantName: string;
  currency: string;
  digits: number;
  /** First and last day. */
  from: string;
  to: string;
  startsAt: Date;
  endsAt: Date;
  opening: bigint;
  closing: bigint;
};

export type Camt053Writer = ReturnType<typeof createCamt053Writer>;

/** Servicer of the account and issuer of the entry types. */
const ISSUER = "Tillgate";
/** Maximum lengths in the schema. */
const MAX_REFERENCE = 35;
const MAX_NAME = 140;
const MAX_REMITTANCE = 140;

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Characters that XML 1.0 cannot contain, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, "\ufffd").replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);

const tag = (name: string, ...content: string[]): string => `<${name}>${content.join("")}</${name}>`;
const textTag = (name: string, text: string): string => tag(name, escapeXml(text));
/** Truncates a text, counting characters as the schema does. */
const shorten = (text: string, length: number): string => [...text].slice(0, length).join("");
const timeTag = (name: string, at: Date): string => tag(name, at.toISOString());
const side = (minor: bigint): string => tag("CdtDbtInd", minor < 0n ? "DBIT" : "CRDT");

function* split(text: string): Generator<string> {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += MAX_REMITTANCE)
    yield characters.slice(at, at + MAX_REMITTANCE).join("");
}

/** Creates a writer of account statements in ISO 20022 `camt.053.001.08`. Entries must be written in posting order. */
export function createCamt053Writer(head: StatementHead) {
  const { currency, digits } = head;
  const decimal = (minor: bigint) => formatDecimal(minor < 0n ? -minor : minor, digits);
  const amount = (minor: bigint, name = "Amt") => `<${name} Ccy="${currency}">${decimal(minor)}</${name}>`;
  const balance = (code: "OPBD" | "CLBD", minor: bigint, day: string) =>
    tag(
      "Bal",
      tag("Tp", tag("CdOrPrtry", tag("Cd", code))),
      amount(minor) + side(minor),
      tag("Dt", tag("Dt", day)),
    );
  const createdAt = timeTag("CreDtTm", head.createdAt);
  const account = tag(
    "Acct",
    tag("Id", tag("Othr", textTag("Id", head.accountId.replaceAll("-", "")))),
    tag("Ccy", currency) + tag("Ownr", textTag("Nm", shorten(head.merchantName, MAX_NAME))),
    tag("Svcr", tag("FinInstnId", tag("Othr", tag("Id", ISSUER)))),
  );
  const charges = (fee: bigint) =>
    fee === 0n
      ? ""
      : tag(
          "Chrgs",
          amount(fee, "TtlChrgsAndTaxAmt"),
          tag("Rcrd", amount(fee) + side(-fee) + tag("ChrgInclInd", "true")),
        );
  const references = (entry: StatementEntry) => {
    const { reference, trxId } = entry;
    const orderId = entry.orderId ?? entry.refundedOrderId;
    const own = { order: orderId, refund: entry.refundId, payout: entry.payoutId };
    return tag(
      "Refs",
      // A longer reference appears only in the remittance information.
      reference && [...reference].length <= MAX_REFERENCE ? textTag("EndToEndId", reference) : "",
      trxId === null ? "" : textTag("TxId", trxId),
      ...Object.entries(own).flatMap(([type, id]) =>
        id === null ? [] : tag("Prtry", tag("Tp", type) + textTag("Ref", id)),
      ),
    );
  };
  return {
    start: [
      `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>`,
      `${tag("GrpHdr", textTag("MsgId", head.id) + createdAt)}<Stmt>${textTag("Id", head.id)}${createdAt}`,
      tag("FrToDt", timeTag("FrDtTm", head.startsAt) + timeTag("ToDtTm", head.endsAt)),
      `${account}${balance("OPBD", head.opening, head.from)}${balance("CLBD", head.closing, head.to)}\n`,
    ].join(""),
    entry: (entry: StatementEntry): string => {
      const type = getEntryType(entry);
      const details = tag(
        "TxDtls",
        references(entry) + amount(entry.amount) + side(entry.amount),
        entry.reference
          ? tag("RmtInf", ...[...split(entry.reference)].map((part) => textTag("Ustrd", part)))
          : "",
      );
      return `${tag(
        "Ntry",
        tag("NtryRef", String(entry.entryId)) + amount(entry.amount) + side(entry.amount),
        type === "correction" ? tag("RvslInd", "true") : "",
        tag("Sts", tag("Cd", "BOOK")) + tag("BookgDt", timeTag("DtTm", entry.at)),
        tag("AcctSvcrRef", String(entry.entryId)),
        tag("BkTxCd", tag("Prtry", tag("Cd", type) + tag("Issr", ISSUER))),
        charges(entry.fee) + tag("NtryDtls", details),
      )}\n`;
    },
    end: "</Stmt></BkToCstmrStmt></Document>\n",
  };
}
