import { ErrorCode, textOf } from "@tillgate/contract";
import { SettingsError } from "@tillgate/service/settings-error";
import { Command, CommanderError } from "commander";
import type { PasswordOf } from "../audit/administrator.js";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { Session } from "./command.js";
import { jsonOutput, plainOutput, type Streams } from "./output.js";

/** The text of a refusal for administrators where its own text is for merchants: the code, and a sentence. */
const WORDS = new Map<ErrorCode, [told: ErrorCode, sentence: string]>([
  [ErrorCode.RequestNotFound, [ErrorCode.SubjectNotFound, ErrorCode.RequestNotFound.text]],
  [ErrorCode.WalletNotFound, [ErrorCode.SubjectNotFound, ErrorCode.WalletNotFound.text]],
  [ErrorCode.CurrencyNotFound, [ErrorCode.SubjectNotFound, ErrorCode.CurrencyNotFound.text]],
  [ErrorCode.PayoutNotFound, [ErrorCode.SubjectNotFound, "There is no such payout."]],
  [ErrorCode.RefundNotFound, [ErrorCode.SubjectNotFound, "There is no such refund."]],
  [ErrorCode.ReceiverNotFound, [ErrorCode.SubjectNotFound, "There is no such endpoint any more."]],
  [ErrorCode.DeliveryNotFound, [ErrorCode.SubjectNotFound, "There is no such delivery any more."]],
  [ErrorCode.RaiseWaiting, [ErrorCode.AlreadyExists, ErrorCode.RaiseWaiting.text]],
  [
    ErrorCode.ReceiverExists,
    [ErrorCode.AlreadyExists, "The merchant has an endpoint with this address already."],
  ],
  [
    ErrorCode.ReceiverRotationUnderWay,
    [ErrorCode.AlreadyExists, "A rotation of this secret is under way: the old one still signs."],
  ],
  [ErrorCode.AlreadyDecided, [ErrorCode.AlreadyDecided, "This is decided already."]],
  [ErrorCode.WalletClosed, [ErrorCode.WalletClosed, "The wallet is closed."]],
  [ErrorCode.InsufficientBalance, [ErrorCode.InsufficientBalance, "The wallet holds less than this amount."]],
  [
    ErrorCode.RecipientInactive,
    [ErrorCode.OnlyRejectionRemains, "The recipient was deactivated: it can only be rejected."],
  ],
  [
    ErrorCode.MerchantWalletNotFound,
    [ErrorCode.OnlyRejectionRemains, "Its sender currency was deactivated: it can only be rejected."],
  ],
  [
    ErrorCode.InvalidReceiverCurrency,
    [ErrorCode.OnlyRejectionRemains, "Its receiver currency was deactivated: it can only be rejected."],
  ],
  [
    ErrorCode.TooManyReceivers,
    [
      ErrorCode.InvalidValue,
      "The merchant has as many endpoints as it may have in this mode: remove one first.",
    ],
  ],
  [
    ErrorCode.ReceiverInactive,
    [ErrorCode.InvalidValue, "The endpoint is disabled or removed: enable it first."],
  ],
]);

/** A refusal in the words for administrators. */
function wordsFor({ errorCode, details }: OperationError): {
  code: string;
  message: string;
  lines: readonly string[];
} {
  const { sentence, lines = [], fields } = details;
  if (fields)
    return {
      code: ErrorCode.InvalidValue.code,
      message: `${Object.values(fields).flat().join("; ")}.`,
      lines,
    };
  const [told, words] = WORDS.get(errorCode) ?? [errorCode, textOf(errorCode, details)];
  return { code: told.code, message: sentence ?? words, lines };
}

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

type Group = { description: string; load: () => Promise<(group: Command, session: Session) => void> };

/**
 * Every group of commands by its name, in the order of the help. A group is loaded when a command line names it. Loading
 * all of them, with their operations and the database's client, costs more than most commands do.
 */
const GROUPS: Record<string, Group> = {
  merchants: {
    description: "Merchants and what they may do",
    load: async () => (await import("./commands/merchants.js")).addMerchantCommands,
  },
  credentials: {
    description: "Client secrets and API tokens of merchants",
    load: async () => (await import("./commands/credentials.js")).addCredentialCommands,
  },
  webhooks: {
    description: "Webhook endpoints of merchants and their deliveries",
    load: async () => (await import("./commands/webhooks.js")).addWebhookCommands,
  },
  users: {
    description: "Wallet users: shoppers and recipients",
    load: async () => (await import("./commands/users.js")).addUserCommands,
  },
  wallets: {
    description: "Wallets of merchants and wallet users",
    load: async () => (await import("./commands/wallets.js")).addWalletCommands,
  },
  payouts: {
    description: "Payouts that wait for an administrator",
    load: async () => (await import("./commands/approvals.js")).addPayoutCommands,
  },
  refunds: {
    description: "Refunds that wait for an administrator",
    load: async () => (await import("./commands/approvals.js")).addRefundCommands,
  },
  requests: {
    description: "Live deposits, withdrawals, limits and administrators that wait for a second administrator",
    load: async () => (await import("./commands/approvals.js")).addRequestCommands,
  },
  currencies: {
    description: "Currencies, and what one administrator alone may move",
    load: async () => (await import("./commands/currencies.js")).addCurrencyCommands,
  },
  rates: {
    description: "Exchange rates, with a spread and a time from which they count",
    load: async () => (await import("./commands/rates.js")).addRateCommands,
  },
  fees: {
    description: "Payout fees: a fixed amount plus a percentage",
    load: async () => (await import("./commands/pricing.js")).addFeeCommands,
  },
  limits: {
    description: "What merchants may pay out, per currency of their wallets",
    load: async () => (await import("./commands/pricing.js")).addLimitCommands,
  },
  administrators: {
    description: "Who may administer",
    load: async () => (await import("./commands/administrators.js")).addAdministratorCommands,
  },
  audit: {
    description: "What administrators changed",
    load: async () => (await import("./commands/audit.js")).addAuditCommands,
  },
};

/**
 * Runs one command line of `npm run admin -- …`.
 * @param words the words after the `--`.
 * @param connect opens the database; called once a command needs it.
 * @param passwordOf asks the actor for the password.
 * @returns the exit code.
 */
export async function runAdmin(
  words: readonly string[],
  streams: Streams,
  connect: () => Context | Promise<Context>,
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
  const named = words.find((word) => Object.hasOwn(GROUPS, word));
  for (const [name, { description, load }] of Object.entries(GROUPS)) {
    const group = program.command(name).description(description);
    if (name === named) (await load())(group, session);
  }
  try {
    await program.parseAsync([...words], { from: "user" });
    return Exit.Done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.Done : Exit.Usage;
    if (error instanceof OperationError) {
      output.refuse(wordsFor(error));
      return Exit.Refused;
    }
    output.refuse({ code: "failed", message: describeFailure(error) });
    return Exit.Failed;
  }
}

/** A sentence for an unexpected error; a stack trace only when no setting is the cause. */
function describeFailure(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const text = `${error.message} ${"code" in error ? String(error.code) : ""}`;
  if (/ECONNREFUSED|ENOTFOUND|DatabaseNotReachable|P1001/.test(text))
    return "The database does not answer. Is npm start running?";
  return error.stack ?? error.message;
}
