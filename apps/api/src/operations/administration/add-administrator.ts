import { Refusal } from "@tillgate/contract";
import { hashSlowly, newSecret } from "@tillgate/database";
import type { Context } from "../../context.js";
import { refusedWith } from "../../operation-error.js";
import type { Administrator, Change } from "./administrator.js";
import { askForAdministrator } from "./administrator-requests.js";
import { change, lockAdministrators, recordChange } from "./change.js";
import { refuseDuplicate } from "./conflicts.js";
import { requireEmail } from "./require-email.js";

export type NewAdministrator = Pick<Change, "dryRun"> & {
  email: string;
  /** Left out only for the very first one. */
  administrator?: Administrator | undefined;
};

/** Either added, with the password, which is shown only here. Or requested, with the asker's half of the password. */
export type AddedAdministrator =
  | { outcome: "added"; id: string; email: string; password: string }
  | { outcome: "requested"; request: string; email: string; passwordHalf: string };

/**
 * Adds an administrator. In a new system the first one adds itself, and alone adds the second. From then on a second
 * administrator must approve: an administrator who could add one alone could approve under its name.
 * @throws OperationError InvalidValue, AlreadyExists; NotAnAdministrator when the actor is missing and an administrator
 * exists.
 */
export async function addAdministrator(
  context: Context,
  input: NewAdministrator,
): Promise<AddedAdministrator> {
  const email = requireEmail(input.email);
  const password = newSecret("");
  const passwordHash = await hashSlowly(password);
  return refuseDuplicate(`There is a console user ${email} already, or one is asked for.`, () =>
    change(context, input, async (tx) => {
      await lockAdministrators(tx);
      const others = await tx.consoleUser.count({ where: { role: "administrator" } });
      if (!input.administrator && others > 0)
        throw refusedWith(
          Refusal.NotAnAdministrator,
          "There are administrators: one of them must act (--by).",
        );
      if (input.administrator && others > 1) {
        if ((await tx.consoleUser.count({ where: { email } })) > 0)
          throw refusedWith(Refusal.AlreadyExists, `There is a console user ${email} already.`);
        return askForAdministrator(context, tx, { kind: "add", email, administrator: input.administrator });
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
