import type { Context } from "../../context.js";
import { AdministrationError, AdministrationRefusal } from "./errors.js";

/** Who acts. The database refuses audit records of anybody else. */
export type Administrator = { id: string; email: string };

/** What every change is given. */
export type Change = {
  administrator: Administrator;
  /** Do everything, tell the result, and write nothing. */
  dryRun?: boolean | undefined;
};

/**
 * Finds the administrator with an e-mail address, in any case.
 * @throws AdministrationError NotAnAdministrator.
 */
export async function findAdministrator(
  { database: { prisma } }: Pick<Context, "database">,
  email: string,
): Promise<Administrator> {
  const user = await prisma.consoleUser.findFirst({
    where: { email: email.trim().toLowerCase(), role: "administrator" },
    select: { id: true, email: true },
  });
  if (!user)
    throw new AdministrationError(
      AdministrationRefusal.NotAnAdministrator,
      `${email} is no console user with the role administrator.`,
    );
  return user;
}
