import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, outcomeOf } from "../../ledger-calls.js";
import { countOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { book, type Line, lines } from "./direct-booking.js";

describe("rule 1 (a transfer's entries sum to zero per currency)", () => {
  let database: SandboxDatabase;
  let merchantEur: string;
  let merchantUsd: string;
  let issuingEur: string;
  let issuingUsd: string;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    merchantEur = record(database.merchant.wallets, "EUR");
    merchantUsd = record(database.merchant.wallets, "USD");
    issuingEur = record(record(database.house, "issuing"), "EUR");
    issuingUsd = record(record(database.house, "issuing"), "USD");
  });
  afterAll(() => database.drop());

  const transfers = () => countOf(database, "transfers");

  it("books entries that sum to zero", async () => {
    expect(await outcomeOf(book(database, [lines("EUR", [issuingEur, -100n], [merchantEur, 100n])]))).toBe(
      "done",
    );
  });

  it.each<[string, () => Line[]]>([
    ["a credit without a debit", () => lines("EUR", [merchantEur, 100n])],
    ["one minor unit too much", () => lines("EUR", [issuingEur, -100n], [merchantEur, 101n])],
    ["a debit without a credit", () => lines("EUR", [merchantEur, -100n])],
    [
      "two currencies that balance only together",
      () => [...lines("EUR", [issuingEur, -100n]), ...lines("USD", [merchantUsd, 100n])],
    ],
    [
      "a balanced and an unbalanced currency",
      () => [...lines("EUR", [issuingEur, -5n], [merchantEur, 5n]), ...lines("USD", [issuingUsd, -3n])],
    ],
  ])("rejects %s", async (_, entries) => {
    const before = await transfers();
    expect(await codeOf(book(database, [entries()]))).toBe("TG091");
    expect(await transfers()).toBe(before);
  });

  it("rejects a transfer whose two halves are inserted in separate statements", async () => {
    const halves = [lines("EUR", [issuingEur, -100n]), lines("EUR", [merchantEur, 100n])];
    expect(await codeOf(book(database, halves))).toBe("TG091");
  });

  it("rejects a second balanced pair of a transfer's entries in the same transaction", async () => {
    const pair = lines("EUR", [issuingEur, -100n], [merchantEur, 100n]);
    expect(await codeOf(book(database, [pair, pair]))).toBe("TG091");
  });

  it("rejects balanced entries added to a committed transfer", async () => {
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM transfers LIMIT 1");
    const added = database.pool.query(
      `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
       VALUES ($1, $2, 'sandbox', 'EUR', -1), ($1, $3, 'sandbox', 'EUR', 1)`,
      [rows[0]?.id, issuingEur, merchantEur],
    );
    expect(await codeOf(added)).toBe("TG091");
  });

  it("rejects the commit of a transfer without entries", async () => {
    const before = await transfers();
    const empty = database.pool.query(
      "INSERT INTO transfers (id, mode, kind) VALUES ($1, 'sandbox', 'deposit')",
      [randomUUID()],
    );
    expect(await codeOf(empty)).toBe("TG091");
    expect(await transfers()).toBe(before);
  });

  it("rejects an entry of zero", async () => {
    const nothing = lines("EUR", [issuingEur, -1n], [merchantEur, 1n], [merchantEur, 0n]);
    expect(await outcomeOf(book(database, [nothing]))).toEqual({
      code: "23514",
      constraint: "entries_move_something",
    });
  });

  it("rejects an entry in a currency that is not its account's", async () => {
    const foreign = lines("USD", [issuingEur, -100n], [merchantEur, 100n]);
    expect(await codeOf(book(database, [foreign]))).toBe("23503");
  });

  it("rejects entries of a transfer or account that does not exist", async () => {
    const unknown = randomUUID();
    const ofNoAccount = lines("EUR", [issuingEur, -100n], [unknown, 100n]);
    expect(await codeOf(book(database, [ofNoAccount]))).toBe("23503");
    const ofNoTransfer = database.pool.query(
      `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
       VALUES ($1, $2, 'sandbox', 'EUR', -100), ($1, $3, 'sandbox', 'EUR', 100)`,
      [unknown, issuingEur, merchantEur],
    );
    expect(await codeOf(ofNoTransfer)).toBe("23503");
  });

  it.each([0n, -100n])("rejects moving %s minor units between accounts", async (amount) => {
    const update = database.pool.query(
      "SELECT move_between_wallets($1, 'sandbox', 'deposit', 'EUR', $2, $3, $4, NULL)",
      [randomUUID(), issuingEur, merchantEur, amount],
    );
    expect(await codeOf(update)).toBe("22023");
  });

  it("rejects moving an amount from an account to itself", async () => {
    const update = database.pool.query(
      "SELECT move_between_wallets($1, 'sandbox', 'deposit', 'EUR', $2, $2, 1, NULL)",
      [randomUUID(), issuingEur],
    );
    expect(await codeOf(update)).toBe("22023");
  });

  it("rejects a change to a currency's decimal places after it has accounts, but not before", async () => {
    const change = "UPDATE currencies SET digits = 3 WHERE code = $1";
    await database.pool.query(
      "INSERT INTO currencies (code, digits, name, symbol) VALUES ('TST', 2, 'Test', 'T')",
    );
    await database.pool.query(change, ["TST"]);
    expect(await codeOf(database.pool.query(change, ["EUR"]))).toBe("TG092");
  });
});
