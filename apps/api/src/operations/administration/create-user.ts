import type { Mode } from "@tillgate/contract";
import { hashSlowly, newPin, type WalletUserModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { invalidValue } from "../../operation-error.js";
import { readPhone } from "../../readers/phone-numbers.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { refuseDuplicate } from "./conflicts.js";
import { requireCurrency } from "./money.js";
import { openOne } from "./open-wallet.js";
import { requireEmail } from "./require-email.js";

const MAX_NAME_LENGTH = 120;

export type NewUser = Change & {
  mode: Mode;
  name: string;
  phone?: string | undefined;
  email?: string | undefined;
  /** Currencies of the wallets to open. */
  currencies?: readonly string[] | undefined;
};

/**
 * Creates a wallet user with a random PIN. Phone and e-mail are unique per mode; at least one is needed to sign in.
 * @returns the user, and the PIN, which is shown only here.
 * @throws OperationError InvalidValue, AlreadyExists, NotFound (currency).
 */
export async function createUser(
  context: Context,
  input: NewUser,
): Promise<{ user: WalletUserModel; pin: string }> {
  const name = input.name.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw invalidValue(`A wallet user's name has 1 to ${MAX_NAME_LENGTH} characters.`);
  const { mode } = input;
  const phone = input.phone === undefined ? null : readPhone(input.phone);
  if (input.phone !== undefined && phone === null)
    throw invalidValue(`${input.phone} is no phone number with its country code.`);
  const email = input.email === undefined ? null : requireEmail(input.email);
  if (phone === null && email === null)
    throw invalidValue("A wallet user needs a phone number or an e-mail address.");
  const currencies = await Promise.all(
    [...new Set(input.currencies ?? [])].map((code) => requireCurrency(context, code)),
  );
  const pin = newPin();
  const pinHash = await hashSlowly(pin);
  return refuseDuplicate(`A ${mode} wallet user has this phone number or e-mail address already.`, () =>
    change(context, input, async (tx) => {
      const user = await tx.walletUser.create({ data: { mode, name, phone, email, pinHash } });
      for (const { code } of currencies)
        await openOne(tx, {
          mode,
          currency: code,
          owner: { kind: "shopper", walletUserId: user.id, name },
        });
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId: null,
        action: "user.create",
        subject: user.id,
        details: { mode, name, phone, email, currencies: currencies.map(({ code }) => code).join(" ") },
      });
      return { user, pin };
    }),
  );
}
