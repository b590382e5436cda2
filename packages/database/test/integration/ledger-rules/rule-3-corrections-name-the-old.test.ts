import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, outcomeOf } from "../../ledger-calls.js";
import { balanceOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { book, lines } from "./direct-booking.js";

describe("rule 3 (a correction is a new transfer that references the corrected transfer)", () => {
  let database: SandboxDatabase;
  let wallet: string;
  let issuing: string;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    wallet = record(database.merchant.wallets, "EUR");
    issuing = record(record(database.house, "issuing"), "EUR");
  });
  afterAll(() => database.drop());

  const invalid = () => lines("EUR", [issuing, -999n], [wallet, 999n]);
  const reversed = () => lines("EUR", [wallet, -999n], [issuing, 999n]);

  it("keeps both transfers and restores the wallet's balance", async () => {
    const before = await balanceOf(database, wallet);
    const mistake = await book(database, [invalid()]);
    const correction = await book(database, [reversed()], { corrects: mistake });
    expect(await balanceOf(database, wallet)).toBe(before);
    const { rows } = await database.pool.query("SELECT id, corrects FROM transfers WHERE id = ANY ($1)", [
      [mistake, correction],
    ]);
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ id: correction, corrects: mistake });
  });

  it("rejects a transfer that is not the exact reverse, or does not reference the transfer that it corrects", async () => {
    const mistake = await book(database, [invalid()]);
    const less = lines("EUR", [wallet, -998n], [issuing, 998n]);
    expect(await codeOf(book(database, [less], { corrects: mistake }))).toBe("TG097");
    expect(await codeOf(book(database, [reversed()]))).toBe("TG097");
  });

  it("rejects a second correction of a transfer", async () => {
    const mistake = await book(database, [invalid()]);
    await book(database, [reversed()], { corrects: mistake });
    expect(await outcomeOf(book(database, [reversed()], { corrects: mistake }))).toEqual({
      code: "23505",
      constraint: "transfers_corrects_mode_key",
    });
  });

  it("rejects a correction of kind payment", async () => {
    const mistake = await book(database, [invalid()]);
    expect(await outcomeOf(book(database, [reversed()], { corrects: mistake, kind: "payment" }))).toEqual({
      code: "23514",
      constraint: "transfers_correct_funds",
    });
  });

  it("rejects a correction of a transfer that does not exist", async () => {
    expect(await outcomeOf(book(database, [invalid()], { corrects: randomUUID() }))).toEqual({
      code: "23503",
      constraint: "transfers_corrects_mode_fkey",
    });
  });

  it("rejects a transfer that corrects itself", async () => {
    const id = randomUUID();
    const itself = database.pool.query(
      "INSERT INTO transfers (id, mode, kind, corrects) VALUES ($1, 'sandbox', 'deposit', $1)",
      [id],
    );
    expect(await outcomeOf(itself)).toEqual({ code: "23514", constraint: "transfers_correct_another" });
  });
});
