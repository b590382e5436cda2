import { ErrorCode } from "@tillgate/contract";
import { verifySlowly } from "@tillgate/database";
import type { Context } from "../context.js";
import { errorWith } from "../errors.js";

/** The actor, proved by {@link proveAdministrator}. The database refuses audit records of anybody else. */
export type Administrator = { id: string; email: string };

/** A person who changes what a merchant has: an administrator, or a console user of the merchant. The database refuses audit records of anybody else. */
export type Manager = { id: string; email: string };

/** Whose call of the API it is, for what it changes. */
export type ApiCall = { credentialId: string; requestId: string };

/** Asks for the password of an administrator. */
export type PasswordOf = (email: string) => Promise<string>;

/** What every change takes. */
export type Change = {
  administrator: Administrator;
  /** Do everything, return the result, and write nothing. */
  dryRun?: boolean | undefined;
};

/**
 * The administrator with an e-mail address, in any case, who proves it by the password.
 * @throws OperationError NotAnAdministrator, WrongPassword.
 */
export async function proveAdministrator(
  { database: { prisma } }: Pick<Context, "database">,
  email: string,
  passwordOf: PasswordOf,
): Promise<Administrator> {
  const user = await prisma.consoleUser.findFirst({
    where: { email: email.trim().toLowerCase(), role: "administrator" },
    select: { id: true, email: true, passwordHash: true, disabledAt: true },
  });
  if (!user)
    throw errorWith(ErrorCode.NotAnAdministrator, `${email} is no console user with the role administrator.`);
  if (user.disabledAt)
    throw errorWith(ErrorCode.NotAnAdministrator, `${user.email} is a disabled administrator.`);
  if (!(await verifySlowly(user.passwordHash, await passwordOf(user.email))))
    throw errorWith(ErrorCode.WrongPassword, `This is not the password of ${user.email}.`);
  return { id: user.id, email: user.email };
}
