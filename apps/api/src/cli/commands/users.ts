import type { Command } from "commander";
import { z } from "zod";
import { createUser, listUsers, resetPin, setUserActive } from "../../administration/users.js";
import {
  addCommand,
  addOppositeCommands,
  argument,
  changeFields,
  mode,
  option,
  resolveActor,
  type Session,
} from "../command.js";
import { formatTime } from "../output.js";

const user = argument("<user>", "customer ID, phone or e-mail", z.string());

/** Omits the PIN after a dry run, because that PIN is not stored and does not work. */
const toPinRow = (pin: string, dryRun: boolean | undefined) => (dryRun ? {} : { pin });
const COPY_NOTE = " Copy the PIN now; it will not be shown again.";

export function addUserCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List customers, sorted by name",
    input: z.object({
      mode,
      search: option(
        "--search <text>",
        "part of the name, phone or e-mail (case-insensitive)",
        z.string().optional(),
      ),
    }),
    examples: ["--mode sandbox", "--mode live --search amelie --json"],
    run: async (context, input) => ({
      whenEmpty: "No customers.",
      rows: (await listUsers(context, input)).map((row) => ({
        user: row.id,
        name: row.name,
        phone: row.phone,
        email: row.email,
        active: row.active,
        wallets: row.currencies.join(" "),
        created: formatTime(row.createdAt),
      })),
    }),
  });
  addCommand(group, session, {
    name: "create",
    summary: "Create a customer with a random PIN, shown once",
    input: z.object({
      name: argument("<name>", "name shown to senders", z.string()),
      mode,
      phone: option("--phone <number>", "phone number with country code", z.string().optional()),
      email: option("--email <address>", "e-mail address, stored in lower case", z.string().optional()),
      wallets: option(
        "--wallets <codes>",
        "wallets to open, such as EUR,XAF",
        z
          .string()
          .transform((text) =>
            text
              .toUpperCase()
              .split(",")
              .map((code) => code.trim())
              .filter(Boolean),
          )
          .optional(),
      ),
      ...changeFields,
    }),
    examples: [
      '"Amélie Laurent" --mode live --phone "+33 6 12 34 56 78" --email amelie@example.com --wallets EUR --by administrator@example.com',
    ],
    async run(context, input) {
      const { user: created, pin } = await createUser(context, {
        ...input,
        ...(await resolveActor(context, input)),
        currencies: input.wallets,
      });
      return {
        message: `Customer ${created.name} created.${input.dryRun ? "" : COPY_NOTE}`,
        row: {
          user: created.id,
          name: created.name,
          phone: created.phone,
          email: created.email,
          ...toPinRow(pin, input.dryRun),
        },
      };
    },
  });
  addOppositeCommands(group, session, {
    names: ["activate", "deactivate"],
    summaries: ["Activate a customer", "Deactivate a customer, who can still receive refunds"],
    input: z.object({ user, mode, ...changeFields }),
    examples: ["amelie@example.com --mode live --by administrator@example.com"],
    async run(context, input, active) {
      const { user: result, changed } = await setUserActive(context, {
        ...(await resolveActor(context, input)),
        mode: input.mode,
        user: input.user,
        active,
      });
      return {
        message: changed
          ? `${result.name} is ${active ? "active" : "deactivated"}.`
          : `${result.name} is unchanged.`,
        row: { user: result.id, active: result.active, changed },
      };
    },
  });
  addCommand(group, session, {
    name: "reset-pin",
    summary: "Reset a customer's PIN to a random one, shown once; all sessions end",
    input: z.object({ user, mode, ...changeFields }),
    examples: ['"+33 6 12 34 56 78" --mode live --by administrator@example.com'],
    async run(context, input) {
      const { user: result, pin } = await resetPin(context, {
        ...input,
        ...(await resolveActor(context, input)),
      });
      return {
        message: `${result.name} has a new PIN.${input.dryRun ? "" : COPY_NOTE}`,
        row: { user: result.id, ...toPinRow(pin, input.dryRun) },
      };
    },
  });
}
