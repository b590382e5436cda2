import { hashSlowly, newSecret } from "@tillgate/database";
import type { Context } from "../../context.js";
import { endSessionsOf } from "../console/console-session.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";

/** Gives an administrator a new random password, shown only here, and ends its sessions in the console. Two other people know the halves of the first one. */
export async function changePassword(context: Context, input: Change): Promise<string> {
  const password = newSecret("");
  const passwordHash = await hashSlowly(password);
  await change(context, input, async (tx) => {
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
