import type { Command } from "commander";
import { z } from "zod";
import { type Administrator, type PromptPassword, proveAdministrator } from "../audit/administrator.js";
import type { Context } from "../context.js";
import { invalidValue } from "../errors.js";
import type { WalletOwner } from "../money/wallets/open.js";
import type { CommandResult, Output } from "./output.js";

type ArgumentSpec = { as: "argument" | "option"; flags: string; description: string };

const specs = new WeakMap<z.ZodType, ArgumentSpec>();

/** Defines a positional argument, such as `<payout>`. */
export function argument<Schema extends z.ZodType>(
  flags: string,
  description: string,
  schema: Schema,
): Schema {
  specs.set(schema, { as: "argument", flags, description });
  return schema;
}

/** Defines a named option, such as `--mode <mode>`. The field's key is the flag in camel case. */
export function option<Schema extends z.ZodType>(flags: string, description: string, schema: Schema): Schema {
  specs.set(schema, { as: "option", flags, description });
  return schema;
}

/** Fields of commands that change something. */
export const changeFields = {
  by: option("--by <e-mail>", "your administrator e-mail; prompts for the password (required)", z.string()),
  dryRun: option(
    "--dry-run",
    "validate and show the result without changing anything",
    z.boolean().optional(),
  ),
};

/** `context` connects on first use, so that help needs no database. */
export type Session = {
  context: () => Context | Promise<Context>;
  promptPassword: PromptPassword;
  output: Output;
};

export type CommandContext = Context & { promptPassword: PromptPassword };

export type CommandSpec<Schema extends z.ZodObject> = {
  name: string;
  summary: string;
  input: Schema;
  /** Appended to `npm run admin -- <group> <name> `. */
  examples: string[];
  run: (context: CommandContext, input: z.output<Schema>) => Promise<CommandResult>;
};

export function addCommand<Schema extends z.ZodObject>(
  group: Command,
  session: Session,
  spec: CommandSpec<Schema>,
): void {
  const command = group.command(spec.name).description(spec.summary);
  const positional: string[] = [];
  for (const [key, schema] of Object.entries(spec.input.shape)) {
    const written = schema instanceof z.ZodType ? specs.get(schema) : undefined;
    if (!written) throw new Error(`${spec.name}: ${key} is neither an argument nor an option`);
    if (written.as === "argument") {
      command.argument(written.flags, written.description);
      positional.push(key);
    } else command.option(written.flags, written.description);
  }
  const commandLine = `npm run admin -- ${group.name()} ${spec.name}`;
  command.addHelpText(
    "after",
    `\nExamples:\n${spec.examples.map((example) => `  ${`${commandLine} ${example}`.trimEnd()}`).join("\n")}`,
  );
  command.action(async () => {
    const args = Object.fromEntries(positional.map((key, index) => [key, command.args[index]]));
    const parsed = spec.input.safeParse({ ...command.opts(), ...args });
    if (!parsed.success) return command.error(`error: ${describe(parsed.error, spec.input)}`);
    const dryRun = "dryRun" in parsed.data && parsed.data.dryRun === true;
    const context = { ...(await session.context()), promptPassword: session.promptPassword };
    session.output.printResult(await spec.run(context, parsed.data), { dryRun });
  });
}

/** `isFirst` is whether the user called the first of the two commands. */
type OppositeCommandsSpec<Schema extends z.ZodObject> = Pick<CommandSpec<Schema>, "input" | "examples"> & {
  names: [first: string, second: string];
  summaries: [first: string, second: string];
  run: (context: CommandContext, input: z.output<Schema>, isFirst: boolean) => Promise<CommandResult>;
};

/** Adds two opposite commands, such as approve and reject. */
export function addOppositeCommands<Schema extends z.ZodObject>(
  group: Command,
  session: Session,
  { names, summaries, run, ...spec }: OppositeCommandsSpec<Schema>,
): void {
  for (const [at, isFirst] of [
    [0, true],
    [1, false],
  ] as const)
    addCommand(group, session, {
      ...spec,
      name: names[at],
      summary: summaries[at],
      run: (context, input) => run(context, input, isFirst),
    });
}

/** Authenticates the administrator named by `--by`. @throws the errors of {@link proveAdministrator}. */
export async function resolveActor(
  context: CommandContext,
  { by, dryRun }: { by: string; dryRun?: boolean | undefined },
): Promise<{ administrator: Administrator; dryRun: boolean }> {
  return {
    administrator: await proveAdministrator(context, by, context.promptPassword),
    dryRun: dryRun ?? false,
  };
}

function describe({ issues }: z.ZodError, input: z.ZodObject): string {
  return issues
    .map(({ path, message, code }) => {
      const schema = input.shape[String(path[0])];
      const written = schema instanceof z.ZodType ? specs.get(schema) : undefined;
      const name = written?.flags.split(" ")[0] ?? "the command";
      return code === "invalid_type" ? `${name} is required` : `${name} ${message}`;
    })
    .join("; ");
}

export const mode = option(
  "--mode <mode>",
  "sandbox or live (required)",
  z.enum(["sandbox", "live"], { error: "must be sandbox or live" }),
);
export const merchant = argument("<merchant>", "merchant ID or exact name", z.string());

export const currencyCode = z
  .string()
  .transform((text) => text.toUpperCase())
  .refine((code) => /^[A-Z0-9]{2,10}$/.test(code), { error: "must be a currency code such as EUR" });
export const currency = argument("<currency>", "currency code, such as EUR", currencyCode);
export const currencyOption = option(
  "--currency <code>",
  "currency code, such as EUR (required)",
  currencyCode.clone(),
);
export const reason = option(
  "--reason <text>",
  "reason, stored in the audit log",
  z.string().max(500).optional(),
);

/** Options that identify the owner of a wallet. Exactly one of them is required. */
export const ownerFields = {
  merchant: option("--merchant <merchant>", "owner: merchant ID or exact name", z.string().optional()),
  user: option("--user <user>", "owner: customer ID, phone or e-mail", z.string().optional()),
};

/** @throws OperationError InvalidValue unless exactly one owner is given. */
export function resolveOwner({
  merchant: merchantName,
  user,
}: {
  merchant?: string | undefined;
  user?: string | undefined;
}): WalletOwner {
  if (merchantName !== undefined && user === undefined) return { merchant: merchantName };
  if (user !== undefined && merchantName === undefined) return { user };
  throw invalidValue("Specify either --merchant or --user.");
}

export const onOff = z.enum(["on", "off"], { error: "must be on or off" });
