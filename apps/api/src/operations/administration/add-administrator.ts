import { hashSlowly, newSecret } from "@tillgate/database";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { Administrator, Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { refuseDuplicate } from "./conflicts.js";
import { AdministrationError, AdministrationRefusal, invalidValue } from "./errors.js";

export type NewAdministrator = Pick<Change, "dryRun"> & {
  email: string;
  /** Left out only for the very first one. */
  administrator?: Administrator | undefined;
};

/**
 * Adds an administrator with a random password. The very first one of a new system adds itself.
 * @returns the password too: it is told here and never again.
 * @throws AdministrationError InvalidValue, AlreadyExists; NotAnAdministrator when nobody acts and there is one already.
 */
export async function addAdministrator(
  context: Context,
  input: NewAdministrator,
): Promise<Administrator & { password: string }> {
  const email = input.email.trim().toLowerCase();
  if (!z.email().safeParse(email).success) throw invalidValue(`${email} is no e-mail address.`);
  const password = newSecret("");
  const passwordHash = await hashSlowly(password);
  return refuseDuplicate(`There is a console user ${email} already.`, () =>
    change(context, input, async (tx) => {
      // Two first ones at once would each believe to be alone.
      await tx.$executeRaw`LOCK TABLE console_users IN SHARE ROW EXCLUSIVE MODE`;
      if (!input.administrator && (await tx.consoleUser.count({ where: { role: "administrator" } })) > 0)
        throw new AdministrationError(
          AdministrationRefusal.NotAnAdministrator,
          "There are administrators: one of them must act (--by).",
        );
      const added = await tx.consoleUser.create({
        data: { email, role: "administrator", passwordHash },
        select: { id: true, email: true },
      });
      await recordChange(tx, {
        administrator: input.administrator ?? added,
        merchantId: null,
        action: "administrator.add",
        subject: added.id,
        details: { email },
      });
      return { ...added, password };
    }),
  );
}
