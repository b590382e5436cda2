import { ErrorCode, formatErrorText } from "@tillgate/contract";
import { SettingsError } from "@tillgate/service/settings-error";
import { Command, CommanderError } from "commander";
import type { PromptPassword } from "../audit/administrator.js";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { Session } from "./command.js";
import { createJsonOutput, createPlainOutput, type Streams } from "./output.js";

/** Codes and texts that administrators see for errors whose standard text addresses merchants. */
const ADMIN_TEXTS = new Map<ErrorCode, [displayedCode: ErrorCode, text: string]>([
  [ErrorCode.RequestNotFound, [ErrorCode.SubjectNotFound, ErrorCode.RequestNotFound.text]],
  [ErrorCode.WalletNotFound, [ErrorCode.SubjectNotFound, ErrorCode.WalletNotFound.text]],
  [ErrorCode.CurrencyNotFound, [ErrorCode.SubjectNotFound, ErrorCode.CurrencyNotFound.text]],
  [ErrorCode.PayoutNotFound, [ErrorCode.SubjectNotFound, "Payout not found."]],
  [ErrorCode.RefundNotFound, [ErrorCode.SubjectNotFound, "Refund not found."]],
  [ErrorCode.ReceiverNotFound, [ErrorCode.SubjectNotFound, "Endpoint not found."]],
  [ErrorCode.DeliveryNotFound, [ErrorCode.SubjectNotFound, "Delivery not found."]],
  [ErrorCode.RaiseWaiting, [ErrorCode.AlreadyExists, ErrorCode.RaiseWaiting.text]],
  [
    ErrorCode.ReceiverExists,
    [ErrorCode.AlreadyExists, "The merchant already has an endpoint with this URL."],
  ],
  [
    ErrorCode.ReceiverRotationUnderWay,
    [ErrorCode.AlreadyExists, "This secret was already rotated, and the old one is still valid."],
  ],
  [
    ErrorCode.RotationUnderWay,
    [ErrorCode.AlreadyExists, "This API key was already rotated, or its old secret is still valid."],
  ],
  [ErrorCode.CredentialRevoked, [ErrorCode.InvalidValue, "The API key has been revoked. Create a new one."]],
  [ErrorCode.AlreadyDecided, [ErrorCode.AlreadyDecided, "This has already been decided."]],
  [ErrorCode.WalletClosed, [ErrorCode.WalletClosed, "The wallet is closed."]],
  [ErrorCode.InsufficientBalance, [ErrorCode.InsufficientBalance, "The wallet balance is too low."]],
  [
    ErrorCode.RecipientInactive,
    [ErrorCode.OnlyRejectionRemains, "The recipient is deactivated; this payout can only be rejected."],
  ],
  [
    ErrorCode.MerchantWalletNotFound,
    [
      ErrorCode.OnlyRejectionRemains,
      "The sender's currency is deactivated; this payout can only be rejected.",
    ],
  ],
  [
    ErrorCode.InvalidReceiverCurrency,
    [
      ErrorCode.OnlyRejectionRemains,
      "The recipient's currency is deactivated; this payout can only be rejected.",
    ],
  ],
  [
    ErrorCode.TooManyReceivers,
    [
      ErrorCode.InvalidValue,
      "The merchant has reached the endpoint limit in this mode. Remove one to add another.",
    ],
  ],
  [
    ErrorCode.ReceiverInactive,
    [ErrorCode.InvalidValue, "The endpoint is disabled or removed. Enable a disabled endpoint first."],
  ],
]);

function toAdministratorText({ errorCode, details }: OperationError): {
  code: string;
  message: string;
  lines: readonly string[];
} {
  const { message: detail, lines = [], fields } = details;
  if (fields)
    return {
      code: ErrorCode.InvalidValue.code,
      message: `${Object.values(fields).flat().join("; ")}.`,
      lines,
    };
  const [displayedCode, text] = ADMIN_TEXTS.get(errorCode) ?? [
    errorCode,
    formatErrorText(errorCode, details),
  ];
  return { code: displayedCode.code, message: detail ?? text, lines };
}

export enum Exit {
  Done = 0,
  /** Rejected by a rule; nothing was written. */
  Rejected = 1,
  Usage = 2,
  /** The database is unavailable, or an unexpected error occurred. */
  Failed = 3,
}

type Group = { description: string; load: () => Promise<(group: Command, session: Session) => void> };

/** A group is imported only if the command line names it, because importing all of them takes longer than most commands. */
const GROUPS: Record<string, Group> = {
  merchants: {
    description: "Merchants and their settings",
    load: async () => (await import("./commands/merchants.js")).addMerchantCommands,
  },
  credentials: {
    description: "Merchants' API keys",
    load: async () => (await import("./commands/credentials.js")).addCredentialCommands,
  },
  webhooks: {
    description: "Webhook endpoints and deliveries",
    load: async () => (await import("./commands/webhooks.js")).addWebhookCommands,
  },
  users: {
    description: "Customers and payout recipients",
    load: async () => (await import("./commands/users.js")).addUserCommands,
  },
  wallets: {
    description: "Merchants' and customers' wallets",
    load: async () => (await import("./commands/wallets.js")).addWalletCommands,
  },
  payouts: {
    description: "Payouts pending approval",
    load: async () => (await import("./commands/approvals.js")).addPayoutCommands,
  },
  refunds: {
    description: "Refunds pending approval",
    load: async () => (await import("./commands/approvals.js")).addRefundCommands,
  },
  requests: {
    description: "Requests pending a second administrator's approval",
    load: async () => (await import("./commands/approvals.js")).addRequestCommands,
  },
  currencies: {
    description: "Currencies and single-approver limits",
    load: async () => (await import("./commands/currencies.js")).addCurrencyCommands,
  },
  rates: {
    description: "Exchange rates and margins",
    load: async () => (await import("./commands/rates.js")).addRateCommands,
  },
  fees: {
    description: "Payout fees: a fixed amount plus a percentage",
    load: async () => (await import("./commands/pricing.js")).addFeeCommands,
  },
  limits: {
    description: "Merchants' payout limits",
    load: async () => (await import("./commands/pricing.js")).addLimitCommands,
  },
  administrators: {
    description: "Administrators",
    load: async () => (await import("./commands/administrators.js")).addAdministratorCommands,
  },
  audit: {
    description: "Audit log",
    load: async () => (await import("./commands/audit.js")).addAuditCommands,
  },
};

/** Runs a command line. `args` follow `--` in `npm run admin -- …`; `connect` is called when a command first needs the database. */
export async function runAdmin(
  args: readonly string[],
  streams: Streams,
  connect: () => Context | Promise<Context>,
  promptPassword: PromptPassword,
): Promise<Exit> {
  const output = args.includes("--json") ? createJsonOutput(streams) : createPlainOutput(streams);
  const session: Session = { context: connect, promptPassword, output };
  const program = new Command("npm run admin --")
    .description("Administer Tillgate. Every change is recorded in the audit log.")
    .option("--json", "print JSON")
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeOut: streams.write, writeErr: streams.writeError })
    .showHelpAfterError("(see --help for usage)")
    .addHelpText("after", "\nExit codes: 0 success, 1 rejected, 2 invalid usage, 3 failed.");
  const groupName = args.find((word) => Object.hasOwn(GROUPS, word));
  for (const [name, { description, load }] of Object.entries(GROUPS)) {
    const group = program.command(name).description(description);
    if (name === groupName) (await load())(group, session);
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return Exit.Done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.Done : Exit.Usage;
    if (error instanceof OperationError) {
      output.printError(toAdministratorText(error));
      return Exit.Rejected;
    }
    output.printError({ code: "failed", message: describeUnexpectedError(error) });
    return Exit.Failed;
  }
}

/** Returns the stack trace, or only a message if a setting or the database connection is the cause. */
function describeUnexpectedError(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const text = `${error.message} ${"code" in error ? String(error.code) : ""}`;
  if (/ECONNREFUSED|ENOTFOUND|DatabaseNotReachable|P1001/.test(text))
    return "Cannot connect to the database. Is npm start running?";
  return error.stack ?? error.message;
}
