import { Command, CommanderError } from "commander";
import { ConfigError } from "../config.js";
import type { Context } from "../context.js";
import type { PasswordOf } from "../operations/administration/administrator.js";
import { AdministrationError } from "../operations/administration/errors.js";
import type { Session } from "./command.js";
import { addAdministratorCommands } from "./commands/administrators.js";
import { addAuditCommands } from "./commands/audit.js";
import { addCredentialCommands } from "./commands/credentials.js";
import { addCurrencyCommands } from "./commands/currencies.js";
import { addFeeCommands } from "./commands/fees.js";
import { addLimitCommands } from "./commands/limits.js";
import { addMerchantCommands } from "./commands/merchants.js";
import { addPayoutCommands } from "./commands/payouts.js";
import { addRateCommands } from "./commands/rates.js";
import { addRefundCommands } from "./commands/refunds.js";
import { addRequestCommands } from "./commands/requests.js";
import { addUserCommands } from "./commands/users.js";
import { addWalletCommands } from "./commands/wallets.js";
import { addWebhookCommands } from "./commands/webhooks.js";
import { jsonOutput, plainOutput, type Streams } from "./output.js";

/** How a command ended. */
export enum Exit {
  Done = 0,
  /** A rule refused; nothing was written. */
  Refused = 1,
  /** The command line cannot be read. */
  Usage = 2,
  /** The database does not answer, or something is broken. */
  Failed = 3,
}

/** Every group of commands, in the order of the help. */
const GROUPS = [
  addMerchantCommands,
  addCredentialCommands,
  addWebhookCommands,
  addUserCommands,
  addWalletCommands,
  addPayoutCommands,
  addRefundCommands,
  addRequestCommands,
  addCurrencyCommands,
  addRateCommands,
  addFeeCommands,
  addLimitCommands,
  addAdministratorCommands,
  addAuditCommands,
];

/**
 * Runs one command line of `npm run admin -- …`.
 * @param words what stands behind the `--`.
 * @param connect opens the database; called once a command needs it.
 * @param passwordOf asks who acts for the password.
 * @returns the exit code.
 */
export async function runAdmin(
  words: readonly string[],
  streams: Streams,
  connect: () => Context,
  passwordOf: PasswordOf,
): Promise<Exit> {
  const output = words.includes("--json") ? jsonOutput(streams) : plainOutput(streams);
  const session: Session = { context: connect, passwordOf, output };
  const program = new Command("npm run admin --")
    .description(
      "Administers Tillgate. Every change is recorded in the audit chain under the administrator's name.",
    )
    .option("--json", "answer as JSON")
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeOut: streams.write, writeErr: streams.writeError })
    .showHelpAfterError("(--help shows what the command takes)")
    .addHelpText("after", "\nExit codes: 0 done, 1 refused by a rule, 2 wrong usage, 3 failed.");
  for (const addGroup of GROUPS) addGroup(program, session);
  try {
    await program.parseAsync([...words], { from: "user" });
    return Exit.Done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.Done : Exit.Usage;
    if (error instanceof AdministrationError) {
      output.refuse({ code: error.refusal, message: error.message, lines: error.lines });
      return Exit.Refused;
    }
    output.refuse({ code: "failed", message: describeFailure(error) });
    return Exit.Failed;
  }
}

/** A sentence for what should not happen; a stack trace only for what is nobody's setting. */
function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const text = `${error.message} ${"code" in error ? String(error.code) : ""}`;
  if (/ECONNREFUSED|ENOTFOUND|DatabaseNotReachable|P1001/.test(text))
    return "The database does not answer. Is npm start running?";
  return error.stack ?? error.message;
}
