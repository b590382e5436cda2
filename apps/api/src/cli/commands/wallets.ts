import type { Command } from "commander";
import { z } from "zod";
import { type FundsInput, moveFunds } from "../../money/funds.js";
import { listWallets } from "../../money/wallets/list.js";
import { closeWallet, openWallet } from "../../money/wallets/open.js";
import {
  addCommand,
  addOppositeCommands,
  argument,
  type CommandContext,
  changeFields,
  currency,
  currencyOption,
  mode,
  option,
  ownerFields,
  resolveActor,
  resolveOwner,
  type Session,
} from "../command.js";
import { type CommandResult, describeApproval, formatMoney, formatTime } from "../output.js";

const amount = argument("<amount>", "decimal amount in the currency, such as 250.00", z.string());
const reference = option(
  "--reference <text>",
  "external reference, such as the bank transfer's; each is booked only once (required)",
  z.string(),
);

type WalletInput = Omit<FundsInput, "kind" | "owner" | "administrator"> &
  Parameters<typeof resolveOwner>[0] & { by: string };

async function move(
  context: CommandContext,
  input: WalletInput,
  kind: FundsInput["kind"],
): Promise<CommandResult> {
  const moving = { ...input, ...(await resolveActor(context, input)), kind, owner: resolveOwner(input) };
  const { outcome, id, amount: movedAmount, owner: name } = await moveFunds(context, moving);
  const subject = `The ${kind} of ${formatMoney(movedAmount)} ${movedAmount.currency.code} for ${name}`;
  const messages = {
    booked: `${subject} is booked.`,
    repeated: `${subject} was already booked; nothing was changed.`,
    requested: `${subject} ${describeApproval(id)}`,
    waiting: `${subject} was already requested and ${describeApproval(id)}`,
  };
  return {
    message: messages[outcome],
    row: {
      outcome,
      [outcome === "booked" || outcome === "repeated" ? "transfer" : "request"]: id,
      amount: formatMoney(movedAmount),
      currency: movedAmount.currency.code,
    },
  };
}

export function addWalletCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List the wallets of a merchant or customer",
    input: z.object({ mode, ...ownerFields }),
    examples: ['--mode live --merchant "Harbour Books"', "--mode sandbox --user amelie@example.com --json"],
    run: async (context, input) => ({
      whenEmpty: "No wallets.",
      rows: (await listWallets(context, { mode: input.mode, owner: resolveOwner(input) })).map((wallet) => ({
        wallet: wallet.id,
        owner: wallet.owner,
        balance: formatMoney(wallet.balance),
        currency: wallet.balance.currency.code,
        closed: wallet.closedAt && formatTime(wallet.closedAt),
      })),
    }),
  });
  addOppositeCommands(group, session, {
    names: ["open", "close"],
    summaries: [
      "Open or reopen a wallet",
      "Close an empty wallet; a merchant's must also have nothing pending approval",
    ],
    input: z.object({ currency, mode, ...ownerFields, ...changeFields }),
    examples: ['EUR --mode live --merchant "Harbour Books" --by administrator@example.com'],
    async run(context, input, open) {
      const change = open ? openWallet : closeWallet;
      const {
        id,
        owner: name,
        changed,
      } = await change(context, {
        ...(await resolveActor(context, input)),
        mode: input.mode,
        currency: input.currency,
        owner: resolveOwner(input),
      });
      return {
        message: changed
          ? `The ${input.mode} ${input.currency} wallet of ${name} is ${open ? "open" : "closed"}.`
          : `The wallet is already ${open ? "open" : "closed"}; nothing was changed.`,
        row: { wallet: id, owner: name, changed },
      };
    },
  });
  addCommand(group, session, {
    name: "deposit",
    summary: "Deposit money into a wallet",
    input: z.object({
      amount,
      currency: currencyOption,
      mode,
      ...ownerFields,
      reference,
      source: option(
        "--source <account>",
        "funding (the default), or issuing for sandbox money",
        z.enum(["funding", "issuing"], { error: "must be funding or issuing" }).optional(),
      ),
      ...changeFields,
    }),
    examples: [
      '250.00 --currency EUR --mode live --merchant "Harbour Books" --reference "SEPA 8841" --by administrator@example.com',
      "20 --currency EUR --mode sandbox --user amelie@example.com --source issuing --reference test-1 --by administrator@example.com",
    ],
    run: (context, input) => move(context, input, "deposit"),
  });
  addCommand(group, session, {
    name: "withdraw",
    summary: "Withdraw money from a wallet",
    input: z.object({ amount, currency: currencyOption, mode, ...ownerFields, reference, ...changeFields }),
    examples: [
      '250.00 --currency EUR --mode live --merchant "Harbour Books" --reference "SEPA 8842" --by administrator@example.com',
    ],
    run: (context, input) => move(context, input, "withdrawal"),
  });
}
