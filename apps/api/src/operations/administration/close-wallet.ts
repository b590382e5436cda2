import { Refusal } from "@tillgate/contract";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { refusedWith } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { findWallet, type WalletPlace } from "./find-wallet.js";

const lockedSchema = z.object({ id: z.string(), balance: z.bigint(), closed: z.boolean() });

/**
 * Closes an empty wallet. A merchant's hold must be empty too: held money may come back to the wallet.
 * @returns the wallet's id, and whether the command closed it.
 * @throws OperationError NotFound, WalletNotEmpty.
 */
export async function closeWallet(
  context: Context,
  input: Change & WalletPlace,
): Promise<{ id: string; owner: string; changed: boolean }> {
  const { wallet, owner } = await findWallet(context, input);
  const { id, mode, currency, merchantId } = wallet;
  return change(context, input, async (tx) => {
    // Locked in the order of their ids, as bookings lock wallets: an empty wallet stays empty until the commit.
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT id, balance, closed_at IS NOT NULL AS closed FROM accounts
      WHERE id = ${id}::uuid OR (merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND currency = ${currency} AND kind = 'hold')
      ORDER BY id FOR NO KEY UPDATE`;
    const locked = parseRows(lockedSchema, rows);
    if (locked.some((account) => account.id === id && account.closed))
      return { id, owner: owner.name, changed: false };
    const full = locked.find(({ balance }) => balance > 0n);
    if (full)
      throw refusedWith(
        Refusal.WalletNotEmpty,
        full.id === id
          ? Refusal.WalletNotEmpty.text
          : "Payouts or refunds of this wallet wait for a decision.",
      );
    await tx.$executeRaw`UPDATE accounts SET closed_at = clock_timestamp() WHERE id = ${id}::uuid`;
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId,
      action: "wallet.close",
      subject: id,
      details: { mode, currency, owner: owner.name },
    });
    return { id, owner: owner.name, changed: true };
  });
}
