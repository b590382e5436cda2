import type { Context } from "../../context.js";
import { invalidValue, notFound } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { change, recordChange, type Transaction } from "./change.js";
import { refuseDuplicate } from "./conflicts.js";
import { type FoundOwner, findOwner, ownedBy, type WalletPlace } from "./find-wallet.js";

/** A wallet, and whether the command opened it. */
export type OpenedWallet = { id: string; owner: string; changed: boolean };

/**
 * Opens a wallet, or opens a closed one again. A merchant's sandbox wallet comes with one of its built-in test shopper.
 * @throws OperationError NotFound, InvalidValue (inactive currency), AlreadyExists (someone opened it just now).
 */
export async function openWallet(context: Context, input: Change & WalletPlace): Promise<OpenedWallet> {
  const { mode, currency } = input;
  const owner = await findOwner(context, mode, input.owner);
  return refuseDuplicate("Someone else opened this wallet at the same moment.", () =>
    change(context, input, async (tx) => {
      const row = await tx.currency.findUnique({ where: { code: currency } });
      if (!row) throw notFound(`currency ${currency}`);
      if (!row.active) throw invalidValue(`${currency} is not active.`);
      const opened = await openRecorded(tx, input.administrator, { mode, currency, owner });
      return { ...opened, owner: owner.name };
    }),
  );
}

type Place = { mode: WalletPlace["mode"]; currency: string; owner: FoundOwner };

/** Opens a wallet of an active currency inside a transaction, with its test shopper's, and records it where that changed something. */
export async function openRecorded(
  tx: Transaction,
  administrator: Change["administrator"],
  { mode, currency, owner }: Place,
): Promise<{ id: string; changed: boolean }> {
  const opened = await openOne(tx, { mode, currency, owner });
  if (owner.kind === "merchant" && mode === "sandbox") {
    const tester = await tx.walletUser.findUnique({ where: { testOfMerchantId: owner.merchantId } });
    if (tester)
      await openOne(tx, {
        mode,
        currency,
        owner: { kind: "shopper", walletUserId: tester.id, name: tester.name },
      });
  }
  if (opened.changed)
    await recordChange(tx, {
      administrator,
      merchantId: owner.kind === "merchant" ? owner.merchantId : null,
      action: "wallet.open",
      subject: opened.id,
      details: { mode, currency, owner: owner.name },
    });
  return opened;
}

/** Opens one wallet inside a transaction; an open one stays as it is. */
export async function openOne(
  tx: Transaction,
  { mode, currency, owner }: Place,
): Promise<{ id: string; changed: boolean }> {
  const existing = await tx.account.findFirst({ where: { mode, currency, ...ownedBy(owner) } });
  if (!existing) {
    const { id } = await tx.account.create({ data: { mode, currency, balance: 0n, ...ownedBy(owner) } });
    return { id, changed: true };
  }
  const { count } = await tx.account.updateMany({
    where: { id: existing.id, closedAt: { not: null } },
    data: { closedAt: null },
  });
  return { id: existing.id, changed: count === 1 };
}
