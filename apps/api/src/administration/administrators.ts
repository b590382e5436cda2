import { ErrorCode } from "@tillgate/contract";
import { hashPassword, newSecret } from "@tillgate/database";
import type { Administrator, Change } from "../audit/administrator.js";
import { changeWithAudit, lockAdministrators, recordChange, rejectDuplicate } from "../audit/change.js";
import type { Context } from "../context.js";
import { errorWith, invalidValue, notFound } from "../errors.js";
import { endSessionsOf } from "../identity/console/session.js";
import { requireEmail } from "../identity/email.js";
import { requestAdministrator } from "./requests.js";

export type NewAdministrator = Pick<Change, "dryRun"> & {
  email: string;
  /** Omitted only for the very first administrator. */
  administrator?: Administrator | undefined;
};

/** Either the new administrator with its password, which is returned only here, or a request with the requester's half of the password. */
export type AddedAdministrator =
  | { outcome: "added"; id: string; email: string; password: string }
  | { outcome: "requested"; request: string; email: string; passwordHalf: string };

/**
 * Adds an administrator. In a new system the first administrator adds itself and may add the second alone. After that a second
 * administrator must approve: otherwise one person could create a second account and approve its own requests.
 * @throws OperationError InvalidValue, AlreadyExists; NotAnAdministrator if the actor is missing and an administrator exists.
 */
export async function addAdministrator(
  context: Context,
  input: NewAdministrator,
): Promise<AddedAdministrator> {
  const email = requireEmail(input.email);
  const password = newSecret("");
  const passwordHash = await hashPassword(password);
  return rejectDuplicate(`There is a console user ${email} already, or one is asked for.`, () =>
    changeWithAudit(context, input, async (tx) => {
      await lockAdministrators(tx);
      const others = await tx.consoleUser.count({ where: { role: "administrator" } });
      if (!input.administrator && others > 0)
        throw errorWith(
          ErrorCode.NotAnAdministrator,
          "There are administrators: one of them must act (--by).",
        );
      if (input.administrator && others > 1) {
        if ((await tx.consoleUser.count({ where: { email } })) > 0)
          throw errorWith(ErrorCode.AlreadyExists, `There is a console user ${email} already.`);
        return requestAdministrator(context, tx, { kind: "add", email, administrator: input.administrator });
      }
      const added = await tx.consoleUser.create({
        data: { email, role: "administrator", passwordHash },
        select: { id: true, email: true },
      });
      await recordChange(tx, {
        administrator: input.administrator ?? added,
        merchantId: null,
        action: "administrator.add",
        subject: added.id,
        details: { email, alone: true },
      });
      return { outcome: "added" as const, ...added, password };
    }),
  );
}

/** All administrators, by e-mail. */
export const listAdministrators = ({
  database: { prisma },
}: Context): Promise<{ id: string; email: string; createdAt: Date; disabledAt: Date | null }[]> =>
  prisma.consoleUser.findMany({
    where: { role: "administrator" },
    select: { id: true, email: true, createdAt: true, disabledAt: true },
    orderBy: { email: "asc" },
  });

/** Approvals need a requester and an approver. */
const MUST_REMAIN = 2;

type Named = Change & { email: string };

/**
 * Disables an administrator immediately. Its open requests can still be decided by others.
 * @throws OperationError NotFound; InvalidValue if fewer than two would remain.
 */
export const disableAdministrator = (
  context: Context,
  input: Named,
): Promise<{ email: string; changed: boolean }> =>
  changeWithAudit(context, input, async (tx) => {
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
 * Requests that a disabled administrator be enabled again with a new password. A second administrator must approve.
 * @throws OperationError NotFound, InvalidValue if it is not disabled, AlreadyExists if a request is already open.
 */
export const enableAdministrator = (
  context: Context,
  input: Named,
): Promise<{ request: string; email: string; passwordHalf: string }> =>
  rejectDuplicate("This is asked for already.", () =>
    changeWithAudit(context, input, async (tx) => {
      await lockAdministrators(tx);
      const email = input.email.trim().toLowerCase();
      const named = await tx.consoleUser.findFirst({ where: { email, role: "administrator" } });
      if (!named) throw notFound(`administrator ${email}`);
      if (!named.disabledAt) throw invalidValue(`${email} is not disabled.`);
      return requestAdministrator(context, tx, { kind: "enable", email, administrator: input.administrator });
    }),
  );

/**
 * Sets a new random password, returned only here, and ends the administrator's console sessions. The initial password is known in halves to
 * two other people.
 */
export async function changePassword(context: Context, input: Change): Promise<string> {
  const password = newSecret("");
  const passwordHash = await hashPassword(password);
  await changeWithAudit(context, input, async (tx) => {
    await tx.consoleUser.update({ where: { id: input.administrator.id }, data: { passwordHash } });
    await endSessionsOf(tx, input.administrator.id);
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action: "administrator.password",
      subject: input.administrator.id,
    });
  });
  return password;
}
