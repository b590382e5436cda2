import type { Command } from "commander";
import { z } from "zod";
import {
  addAdministrator,
  changePassword,
  disableAdministrator,
  enableAdministrator,
  listAdministrators,
} from "../../administration/administrators.js";
import { proveAdministrator } from "../../audit/administrator.js";
import { addCommand, argument, changeFields, option, resolveActor, type Session } from "../command.js";
import { type CommandResult, describeApproval, formatTime } from "../output.js";

const COPY_NOTE = " Copy the password now; it will not be shown again.";
const email = argument("<e-mail>", "the administrator's e-mail", z.string());

/** Describes the request. Unless it is a dry run, the result includes the first half of the password, which the requester passes on. */
function describeRequest(
  { request, email, passwordHalf }: { request: string; email: string; passwordHalf: string },
  dryRun: boolean | undefined,
): CommandResult {
  return {
    message: dryRun
      ? `This would need a second administrator's approval for ${email}.`
      : `${email} ${describeApproval(request)} Give ${email} this first half of the password; the approver gets the second half.`,
    row: dryRun ? { email } : { request, email, first_half: passwordHalf },
  };
}

export function addAdministratorCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List administrators",
    input: z.object({}),
    examples: [""],
    run: async (context) => ({
      whenEmpty: "No administrators.",
      rows: (await listAdministrators(context)).map(({ id, email, createdAt, disabledAt }) => ({
        administrator: id,
        email,
        created: formatTime(createdAt),
        disabled: disabledAt && formatTime(disabledAt),
      })),
    }),
  });
  addCommand(group, session, {
    name: "add",
    summary: "Add an administrator; from the third on, another administrator must approve",
    input: z.object({
      email: argument("<e-mail>", "e-mail of the new administrator", z.string()),
      by: option(
        "--by <e-mail>",
        "your administrator e-mail; omit only for the first administrator",
        z.string().optional(),
      ),
      dryRun: changeFields.dryRun,
    }),
    examples: ["third.administrator@example.com --by administrator@example.com"],
    async run(context, { email, by, dryRun }) {
      const added = await addAdministrator(context, {
        email,
        dryRun,
        administrator:
          by === undefined ? undefined : await proveAdministrator(context, by, context.promptPassword),
      });
      if (added.outcome === "requested") return describeRequest(added, dryRun);
      return {
        message: `${added.email} is an administrator.${dryRun ? "" : COPY_NOTE}`,
        row: { administrator: added.id, email: added.email, ...(dryRun ? {} : { password: added.password }) },
      };
    },
  });
  addCommand(group, session, {
    name: "disable",
    summary: "Disable an administrator immediately; at least two must remain",
    input: z.object({ email, ...changeFields }),
    examples: ["third.administrator@example.com --by administrator@example.com"],
    async run(context, input) {
      const result = await disableAdministrator(context, {
        ...(await resolveActor(context, input)),
        email: input.email,
      });
      return {
        message: result.changed
          ? `${result.email} is disabled.`
          : `${result.email} is already disabled; nothing was changed.`,
        row: result,
      };
    },
  });
  addCommand(group, session, {
    name: "enable",
    summary: "Request to re-enable an administrator with a new password; another administrator must approve",
    input: z.object({ email, ...changeFields }),
    examples: ["third.administrator@example.com --by administrator@example.com"],
    run: async (context, input) =>
      describeRequest(
        await enableAdministrator(context, { ...(await resolveActor(context, input)), email: input.email }),
        input.dryRun,
      ),
  });
  addCommand(group, session, {
    name: "new-password",
    summary: "Generate a new password for yourself, shown once",
    input: z.object(changeFields),
    examples: ["--by administrator@example.com"],
    async run(context, input) {
      const acting = await resolveActor(context, input);
      const password = await changePassword(context, acting);
      const { email } = acting.administrator;
      return {
        message: `${email} has a new password.${input.dryRun ? "" : COPY_NOTE}`,
        row: { email, ...(input.dryRun ? {} : { password }) },
      };
    },
  });
}
