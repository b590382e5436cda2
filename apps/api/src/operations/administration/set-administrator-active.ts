import type { Context } from "../../context.js";
import { invalidValue, notFound } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { askForAdministrator } from "./administrator-requests.js";
import { change, lockAdministrators, recordChange } from "./change.js";
import { refuseDuplicate } from "./conflicts.js";

/** One administrator asks, another one approves. */
const MUST_REMAIN = 2;

type Named = Change & { email: string };

/**
 * Disables an administrator at once. Its open requests can still be decided by others.
 * @throws OperationError NotFound; InvalidValue when fewer than two would remain.
 */
export const disableAdministrator = (
  context: Context,
  input: Named,
): Promise<{ email: string; changed: boolean }> =>
  change(context, input, async (tx) => {
    await lockAdministrators(tx);
    const email = input.email.trim().toLowerCase();
    const named = await tx.consoleUser.findFirst({ where: { email, role: "administrator" } });
    if (!named) throw notFound(`administrator ${email}`);
    if (named.disabledAt) return { email, changed: false };
    const active = await tx.consoleUser.count({ where: { role: "administrator", disabledAt: null } });
    if (active - 1 < MUST_REMAIN)
      throw invalidValue(`${MUST_REMAIN} administrators must remain: add another one first.`);
    await tx.$executeRaw`UPDATE console_users SET disabled_at = clock_timestamp() WHERE id = ${named.id}::uuid`;
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action: "administrator.disable",
      subject: named.id,
      details: { email },
    });
    return { email, changed: true };
  });

/**
 * Asks that a disabled administrator is enabled again, with a new password: another one must approve.
 * @throws OperationError NotFound, InvalidValue when it is not disabled, AlreadyExists when it is asked for already.
 */
export const enableAdministrator = (
  context: Context,
  input: Named,
): Promise<{ request: string; email: string; passwordHalf: string }> =>
  refuseDuplicate("This is asked for already.", () =>
    change(context, input, async (tx) => {
      await lockAdministrators(tx);
      const email = input.email.trim().toLowerCase();
      const named = await tx.consoleUser.findFirst({ where: { email, role: "administrator" } });
      if (!named) throw notFound(`administrator ${email}`);
      if (!named.disabledAt) throw invalidValue(`${email} is not disabled.`);
      return askForAdministrator(context, tx, { kind: "enable", email, administrator: input.administrator });
    }),
  );
