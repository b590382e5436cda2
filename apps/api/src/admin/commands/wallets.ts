import type { Command } from "commander";
import { z } from "zod";
import { closeWallet } from "../../operations/administration/close-wallet.js";
import { listWallets } from "../../operations/administration/list-wallets.js";
import { type FundsResult, moveFunds } from "../../operations/administration/move-funds.js";
import { openWallet } from "../../operations/administration/open-wallet.js";
import { actor, addCommand, argument, changeFields, option, type Session } from "../command.js";
import { currency, currencyOption, mode, owner, ownerFields } from "../fields.js";
import { type Answer, decimal, time } from "../output.js";

const amount = argument("<amount>", "decimal amount in the currency, such as 250.00", z.string());
const reference = option(
  "--reference <text>",
  "names the money outside, such as a bank transfer: booked once (required)",
  z.string(),
);

function told({ outcome, id, amount: moved, owner: name }: FundsResult, kind: string): Answer {
  const what = `The ${kind} of ${decimal(moved)} ${moved.currency.code} for ${name}`;
  const said = {
    booked: `${what} is booked.`,
    repeated: `${what} was booked before; nothing was changed.`,
    requested: `${what} waits for a second administrator: requests approve ${id}.`,
    waiting: `${what} was asked for before and waits for a second administrator: requests approve ${id}.`,
  };
  return {
    said: said[outcome],
    row: {
      outcome,
      [outcome === "booked" || outcome === "repeated" ? "transfer" : "request"]: id,
      amount: decimal(moved),
      currency: moved.currency.code,
    },
  };
}

export function addWalletCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List the wallets of a merchant or wallet user",
    input: z.object({ mode, ...ownerFields }),
    examples: ['--mode live --merchant "Harbour Books"', "--mode sandbox --user amelie@example.com --json"],
    run: async (context, input) => ({
      none: "No wallet.",
      rows: (await listWallets(context, { mode: input.mode, owner: owner(input) })).map((one) => ({
        wallet: one.id,
        owner: one.owner,
        balance: decimal(one.balance),
        currency: one.balance.currency.code,
        closed: one.closedAt && time(one.closedAt),
      })),
    }),
  });
  for (const open of [true, false])
    addCommand(group, session, {
      name: open ? "open" : "close",
      summary: open
        ? "Open a wallet, or open a closed one again"
        : "Close an empty wallet, a merchant's only while nothing of it waits for a decision",
      input: z.object({ currency, mode, ...ownerFields, ...changeFields }),
      examples: ['EUR --mode live --merchant "Harbour Books" --by administrator@example.com'],
      async run(context, input) {
        const change = open ? openWallet : closeWallet;
        const {
          id,
          owner: name,
          changed,
        } = await change(context, {
          ...(await actor(context, input)),
          mode: input.mode,
          currency: input.currency,
          owner: owner(input),
        });
        return {
          said: changed
            ? `The ${input.mode} ${input.currency} wallet of ${name} is ${open ? "open" : "closed"}.`
            : `It was ${open ? "open" : "closed"} already; nothing was changed.`,
          row: { wallet: id, owner: name, changed },
        };
      },
    });
  addCommand(group, session, {
    name: "deposit",
    summary: "Put money into a wallet, against the house's funding account",
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
    run: async (context, input) =>
      told(
        await moveFunds(context, {
          ...input,
          ...(await actor(context, input)),
          kind: "deposit",
          owner: owner(input),
        }),
        "deposit",
      ),
  });
  addCommand(group, session, {
    name: "withdraw",
    summary: "Take money out of a wallet, against the house's funding account",
    input: z.object({ amount, currency: currencyOption, mode, ...ownerFields, reference, ...changeFields }),
    examples: [
      '250.00 --currency EUR --mode live --merchant "Harbour Books" --reference "SEPA 8842" --by administrator@example.com',
    ],
    run: async (context, input) =>
      told(
        await moveFunds(context, {
          ...input,
          ...(await actor(context, input)),
          kind: "withdrawal",
          owner: owner(input),
        }),
        "withdrawal",
      ),
  });
}
