import type { Command } from "commander";
import { z } from "zod";
import { addAdministrator } from "../../operations/administration/add-administrator.js";
import { proveAdministrator } from "../../operations/administration/administrator.js";
import { listAdministrators } from "../../operations/administration/list-administrators.js";
import { addCommand, argument, changeFields, option, type Session } from "../command.js";
import { time } from "../output.js";

export function addAdministratorCommands(program: Command, session: Session): void {
  const group = program.command("administrators").description("Who may administer");
  addCommand(group, session, {
    name: "list",
    summary: "List the administrators",
    input: z.object({}),
    examples: [""],
    run: async (context) => ({
      none: "No administrator.",
      rows: (await listAdministrators(context)).map(({ id, email, createdAt }) => ({
        administrator: id,
        email,
        created: time(createdAt),
      })),
    }),
  });
  addCommand(group, session, {
    name: "add",
    summary: "Add an administrator with a random password, shown once",
    input: z.object({
      email: argument("<e-mail>", "who is added", z.string()),
      by: option(
        "--by <e-mail>",
        "the administrator who acts; left out only for the very first one",
        z.string().optional(),
      ),
      dryRun: changeFields.dryRun,
    }),
    examples: ["second.administrator@example.com --by administrator@example.com"],
    async run(context, { email, by, dryRun }) {
      const added = await addAdministrator(context, {
        email,
        dryRun,
        administrator:
          by === undefined ? undefined : await proveAdministrator(context, by, context.passwordOf),
      });
      return {
        said: `${added.email} is an administrator.${dryRun ? "" : " Note the password: it is not shown again."}`,
        row: { administrator: added.id, email: added.email, ...(dryRun ? {} : { password: added.password }) },
      };
    },
  });
}
