import { ErrorCode } from "@tillgate/contract";
import { verifyPassword } from "@tillgate/database";
import type { Context } from "../context.js";
import { errorWith } from "../errors.js";

/** An administrator authenticated by {@link proveAdministrator}. The database rejects an audit record whose author may not make the change. */
export type Administrator = { id: string; email: string };

/** An administrator, or a console user of the merchant. */
export type Manager = { id: string; email: string };

export type ApiCall = { credentialId: string; requestId: string };

export type PromptPassword = (email: string) => Promise<string>;

export type Change = {
  administrator: Administrator;
  /** Whether to check the change and return its result without writing anything. */
  dryRun?: boolean | undefined;
};

/** Authenticates an administrator by e-mail (case-insensitive) and password. @throws OperationError NotAnAdministrator, WrongPassword. */
export async function proveAdministrator(
  { database: { prisma } }: Pick<Context, "database">,
  email: string,
  promptPassword: PromptPassword,
): Promise<Administrator> {
  const user = await prisma.consoleUser.findFirst({
    where: { email: email.trim().toLowerCase(), role: "administrator" },
    select: { id: true, email: true, passwordHash: true, disabledAt: true },
  });
  if (!user)
    throw errorWith(
      ErrorCode.NotAnAdministrator,
      `${email} is not a console user with the administrator role.`,
    );
  if (user.disabledAt)
    throw errorWith(ErrorCode.NotAnAdministrator, `${user.email} is a disabled administrator.`);
  if (!(await verifyPassword(user.passwordHash, await promptPassword(user.email))))
    throw errorWith(ErrorCode.WrongPassword, `Wrong password for ${user.email}.`);
  return { id: user.id, email: user.email };
}
