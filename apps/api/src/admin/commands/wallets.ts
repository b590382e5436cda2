import type { Command } from "commander";
import { z } from "zod";
import { type FundsResult, moveFunds } from "../../operations/administration/move-funds.js";
import { actor, addCommand, argument, changeFields, option, type Session } from "../command.js";
import { currencyOption, mode, owner, ownerFields } from "../fields.js";
import { type Answer, decimal } from "../output.js";

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
    requested: `${what} waits for a second administrator: wallets approve ${id}.`,
    waiting: `${what} was asked for before and waits for a second administrator: wallets approve ${id}.`,
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

export function addWalletCommands(program: Command, session: Session): void {
  const group = program.command("wallets").description("Wallets of merchants and wallet users");
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
