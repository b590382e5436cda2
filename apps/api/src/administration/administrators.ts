import { ErrorCode } from "@tillgate/contract";
import { generateSecret, hashPassword } from "@tillgate/database";
import type { Administrator, Change } from "../audit/administrator.js";
import { changeWithAudit, lockAdministrators, recordChange, rejectDuplicate } from "../audit/change.js";
import type { Context } from "../context.js";
import { errorWith, invalidValue, notFound } from "../errors.js";
import { endUserSessions } from "../identity/console/session.js";
import { requireEmail } from "../identity/email.js";
import { requestAdministrator } from "./requests.js";

export type NewAdministrator = Pick<Change, "dryRun"> & {
  email: string;
  /** Required once any administrator exists. */
  administrator?: Administrator | undefined;
};

/** `password` and `passwordHalf` cannot be retrieved later. */
export type AddedAdministrator =
  | { outcome: "added"; id: string; email: string; password: string }
  | { outcome: "requested"; request: string; email: string; passwordHalf: string };

/**
 * Adds the first two administrators directly, and requests approval for any further administrator. Otherwise, an administrator
 * could add a second account and approve their own requests with it.
 * @throws OperationError InvalidValue, AlreadyExists; NotAnAdministrator if `administrator` is missing although administrators exist.
 */
export async function addAdministrator(
  context: Context,
  input: NewAdministrator,
): Promise<AddedAdministrator> {
  const email = requireEmail(input.email);
  const password = generateSecret("");
  const passwordHash = await hashPassword(password);
  return rejectDuplicate(`A console user ${email} already exists or has been requested.`, () =>
    changeWithAudit(context, input, async (tx) => {
      await lockAdministrators(tx);
      const others = await tx.consoleUser.count({ where: { role: "administrator" } });
      if (!input.administrator && others > 0)
        throw errorWith(
          ErrorCode.NotAnAdministrator,
          "Administrators already exist, so one of them must add the new one (--by).",
        );
      if (input.administrator && others > 1) {
        if ((await tx.consoleUser.count({ where: { email } })) > 0)
          throw errorWith(ErrorCode.AlreadyExists, `A console user ${email} already exists.`);
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

export const listAdministrators = ({
  database: { prisma },
}: Context): Promise<{ id: string; email: string; createdAt: Date; disabledAt: Date | null }[]> =>
  prisma.consoleUser.findMany({
    where: { role: "administrator" },
    select: { id: true, email: true, createdAt: true, disabledAt: true },
    orderBy: { email: "asc" },
  });

/** An approval takes two administrators: a requester and an approver. */
const MIN_ADMINISTRATORS = 2;

type Named = Change & { email: string };

/**
 * Disables an administrator, whose pending requests can then be rejected but no longer approved.
 * @throws OperationError SubjectNotFound; InvalidValue if fewer than two active administrators would remain.
 */
export const disableAdministrator = (
  context: Context,
  input: Named,
): Promise<{ email: string; changed: boolean }> =>
  changeWithAudit(context, input, async (tx) => {
    await lockAdministrators(tx);
    const email = input.email.trim().toLowerCase();
    const administrator = await tx.consoleUser.findFirst({ where: { email, role: "administrator" } });
    if (!administrator) throw notFound(`administrator ${email}`);
    if (administrator.disabledAt) return { email, changed: false };
    const active = await tx.consoleUser.count({ where: { role: "administrator", disabledAt: null } });
    if (active - 1 < MIN_ADMINISTRATORS)
      throw invalidValue(`${MIN_ADMINISTRATORS} administrators must remain. Add another one first.`);
    await tx.$executeRaw`UPDATE console_users SET disabled_at = clock_timestamp() WHERE id = ${administrator.id}::uuid`;
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action: "administrator.disable",
      subject: administrator.id,
      details: { email },
    });
    return { email, changed: true };
  });

/**
 * Requests re-enabling a disabled administrator. A second administrator must approve the request.
 * @throws OperationError SubjectNotFound; InvalidValue if the administrator is not disabled; AlreadyExists if this was already requested.
 */
export const enableAdministrator = (
  context: Context,
  input: Named,
): Promise<{ request: string; email: string; passwordHalf: string }> =>
  rejectDuplicate("This has already been requested.", () =>
    changeWithAudit(context, input, async (tx) => {
      await lockAdministrators(tx);
      const email = input.email.trim().toLowerCase();
      const administrator = await tx.consoleUser.findFirst({ where: { email, role: "administrator" } });
      if (!administrator) throw notFound(`administrator ${email}`);
      if (!administrator.disabledAt) throw invalidValue(`${email} is not disabled.`);
      return requestAdministrator(context, tx, { kind: "enable", email, administrator: input.administrator });
    }),
  );

/** Sets a random password for the acting administrator and ends that administrator's console sessions. The password cannot be retrieved later. */
export async function changePassword(context: Context, input: Change): Promise<string> {
  const password = generateSecret("");
  const passwordHash = await hashPassword(password);
  await changeWithAudit(context, input, async (tx) => {
    await tx.consoleUser.update({ where: { id: input.administrator.id }, data: { passwordHash } });
    await endUserSessions(tx, input.administrator.id);
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action: "administrator.password",
      subject: input.administrator.id,
    });
  });
  return password;
}
